import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { FleetFollower } from "../../model/planned-capture.ts";
import type { TunerDriver } from "../../model/ports.ts";
import type { Recording } from "../../model/recording.ts";
import type { Work } from "../../model/set-aside.ts";
import type { NodeStatus } from "../../model/snapshot.ts";
import type { EpochMs } from "../../model/time.ts";
import type { TunerId } from "../../model/tuner.ts";
import type { CaptureLimits, DistantEngine } from "../capture/engine.ts";
import type { Config } from "../config/schema.ts";
import type { PoolTuner } from "../engine/runtime/tuner-pool.ts";
import type { StateStore } from "../store/state-store.ts";
import type { IdleLimits } from "../subsystems/gather/open.ts";
import type { PushService } from "../subsystems/notify/push/open.ts";
import type { LiveLimits } from "../subsystems/playback/live/limits.ts";

/** The dependencies of every part of the daemon. */
export interface DaemonBase {
  readonly config: Config;
  /** The data folder. */
  readonly folder: string;
  readonly startedAt: EpochMs;
  /** Disposes of a thing when the daemon closes, or fails to open. */
  readonly disposeLater: <T extends AsyncDisposable>(thing: T) => T;
  readonly closed: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}

/** The other nodes of a fleet, for its leader. */
export interface OtherNodes {
  /** The tuners of all nodes. @param shareOf equal on all nodes that reach the same tuner */
  arrange(own: readonly TunerDriver[], shareOf: (id: TunerId) => string | undefined): readonly PoolTuner[];
  /** Captures on other nodes. */
  engine(onEnded: (id: string) => void): DistantEngine;
  /** All nodes, this one too. */
  status(): readonly NodeStatus[];
  /** Captures on drained nodes. */
  readonly leaving: () => ReadonlySet<string>;
  follow(follower: FleetFollower): void;
  /** Waits until all that other nodes have of a recording is here; absent: the nodes share a folder. @throws RecorderdError NODE_AWAY */
  readonly waitForParts?: ((recording: Recording, signal: AbortSignal) => Promise<void>) | undefined;
  /** Whether finished recordings that are not here may be on another node; absent: the nodes share a folder. */
  readonly mayHaveRecordings?: (() => boolean) | undefined;
}

/** The daemon's inputs besides its configuration. */
export interface DaemonParts {
  readonly clock: Clock;
  readonly log: Log;
  /** The state that a fleet shares; the caller holds the lock of the data folder. Absent: it is in that folder. */
  readonly state?: StateStore;
  /** Absent: no other node records for this one. */
  readonly nodes?: OtherNodes;
  /** The path of the secrets file; in the data folder when absent. */
  readonly secretsFile?: string;
  /** The limits of supervision; `CAPTURE_LIMITS` when absent. Tests use shorter ones. */
  readonly captureLimits?: CaptureLimits;
  /** How long and how often gathering listens to idle tuners; `GATHER_LIMITS` when absent. */
  readonly idleLimits?: IdleLimits;
  /** The limits of live television for players; `LIVE_LIMITS` when absent. */
  readonly liveLimits?: LiveLimits;
  /** How push services of browsers are reached; those of the browsers' makers when absent. */
  readonly pushService?: PushService;
  /** The capture host as JavaScript; the built one when absent. */
  readonly hostProgram?: string;
  /** Called before each piece of work on data from others (docs/dev/decisions/0034). */
  readonly onWork?: (work: Work) => void;
  /** Called repeatedly while the engine lives, first after the takeover. */
  readonly onPulse?: () => void;
}
