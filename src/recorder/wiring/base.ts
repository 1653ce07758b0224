import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { Work } from "../../model/set-aside.ts";
import type { EpochMs } from "../../model/time.ts";
import type { CaptureLimits } from "../capture/engine.ts";
import type { Config } from "../config/schema.ts";
import type { IdleLimits } from "../subsystems/gather/open.ts";

/** What every part of the daemon is opened with. */
export interface DaemonBase {
  readonly config: Config;
  /** The data folder. */
  readonly folder: string;
  readonly startedAt: EpochMs;
  /** Has the daemon dispose of a thing when it closes, or when it cannot be opened. */
  readonly disposeLater: <T extends AsyncDisposable>(thing: T) => T;
  /** Aborted when the daemon closes. */
  readonly closed: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a daemon is opened with, besides its configuration. */
export interface DaemonParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Where the secrets are; in the data folder when absent. */
  readonly secretsFile?: string;
  /** How patient supervision is; `LIMITS` when absent. Tests are in more of a hurry. */
  readonly captureLimits?: CaptureLimits;
  /** How long and how often idle tuners are listened to; `LIMITS` when absent. */
  readonly idleLimits?: IdleLimits;
  /** The capture host as JavaScript; what was built with us when absent. */
  readonly hostProgram?: string;
  /** Called before each piece of work on what others wrote (docs/dev/decisions/0034). */
  readonly onWork?: (work: Work) => void;
  /** Called again and again while the engine lives, the first time when it has taken over. */
  readonly onPulse?: () => void;
}
