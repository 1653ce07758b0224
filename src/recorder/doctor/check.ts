import type { Document } from "../../guide-wire/documents.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { ClockOffset } from "../../model/clock-trust.ts";
import type { RecorderdError } from "../../model/errors.ts";
import type { Identity } from "../config/identity.ts";
import type { Config } from "../config/schema.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Result } from "./finding.ts";
import type { Machine } from "./machine.ts";

/** The guide service's regions and clock, fetched once for all checks. */
export interface GuideAnswer {
  readonly regions: Document<"regions">["regions"] | RecorderdError;
  /** Its clock's offset from ours. */
  readonly offset?: ClockOffset;
}

/** Version of the daemon that answers on the control socket; absent if none does. */
export interface DaemonAnswer {
  readonly version?: string;
}

/** The input of checks. */
export interface CheckContext {
  readonly config: Config;
  /** The path of the configuration file. */
  readonly file: string;
  readonly machine: Machine;
  readonly who: Identity;
  /** An error if they cannot be used; `undefined` if nobody has signed in. */
  readonly secrets: Secrets | RecorderdError | undefined;
  readonly guide: () => Promise<GuideAnswer>;
  readonly daemon: () => Promise<DaemonAnswer>;
  readonly clock: Clock;
}

/** One read-only check of one subject; it may return several findings. */
export interface Check {
  readonly name: string;
  readonly look: (patient: CheckContext, signal: AbortSignal) => Promise<readonly Result[]>;
}
