import type { Document } from "../../guide-wire/documents.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { ClockOffset } from "../../model/clock-trust.ts";
import type { RecorderdError } from "../../model/errors.ts";
import type { Identity } from "../config/identity.ts";
import type { Config } from "../config/schema.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Said } from "./finding.ts";
import type { Machine } from "./machine.ts";

/** What the guide service said when it was asked for its regions, once for all checks. */
export interface GuideLook {
  readonly regions: Document<"regions">["regions"] | RecorderdError;
  /** Where its clock stands, as seen from ours. */
  readonly offset?: ClockOffset;
}

/** Version of the daemon that answers on the control socket; nothing where none does. */
export interface DaemonLook {
  readonly version?: string;
}

/** What checks look at. */
export interface Patient {
  readonly config: Config;
  /** The file of the configuration. */
  readonly file: string;
  readonly machine: Machine;
  readonly who: Identity;
  /** A failure where they cannot be used; nothing where nobody has signed in. */
  readonly secrets: Secrets | RecorderdError | undefined;
  readonly guide: () => Promise<GuideLook>;
  readonly daemon: () => Promise<DaemonLook>;
  readonly clock: Clock;
}

/** One look at one thing: changes nothing, and says what it found. Several things of a kind are several findings. */
export interface Check {
  readonly name: string;
  readonly look: (patient: Patient, signal: AbortSignal) => Promise<readonly Said[]>;
}
