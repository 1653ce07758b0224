import type { SiteStatus } from "./announcement.ts";
import type { Stray } from "./attempt.ts";
import type { ClockStatus } from "./clock-trust.ts";
import type { ErrorCode } from "./errors.ts";
import type { GatherStatus } from "./gathering.ts";
import type { PairHealth } from "./health.ts";
import type { Lease } from "./lease.ts";
import type { DamagedFile } from "./library.ts";
import type { PlanFacts } from "./plan.ts";
import type { Recording } from "./recording.ts";
import type { MultiplexKey, TripletKey } from "./service.ts";
import type { SetAside } from "./set-aside.ts";
import type { SpaceFacts } from "./space.ts";
import type { EpochMs } from "./time.ts";
import type { Reception, TunerId } from "./tuner.ts";

/**
 * The data folder is not writable: captures continue, and everything else waits. `DISK_LOW`: its disk is full, and the reserve is
 * in use.
 */
export interface StoreTrouble {
  readonly since: EpochMs;
  readonly code: Extract<ErrorCode, "DISK_FULL" | "DISK_LOW" | "STORE_WRITE_FAILED">;
  readonly text: string;
}

/** The secrets file cannot be used: planned recordings continue, and what needs a sign-in or a password waits. */
export interface SecretsTrouble {
  readonly since: EpochMs;
  readonly code: ErrorCode;
  readonly text: string;
  /** The file's earlier content stays in force until the daemon restarts. */
  readonly usesEarlier: boolean;
}

/** The present activity of one tuner. */
export interface TunerStatus {
  readonly id: TunerId;
  readonly kind: string;
  /** `tuning`: nothing from it is on disk yet. `lent`: used by a lease only. */
  readonly state: "free" | "tuning" | "receiving" | "lent";
  /** The multiplex it holds now. */
  readonly multiplex?: MultiplexKey;
  /** The services in use. */
  readonly services: readonly TripletKey[];
  readonly recordings: readonly string[];
  /** Its other uses. */
  readonly leases: readonly Lease[];
  /** The end of the last window of its recordings, or of the last lease. */
  readonly heldUntil?: EpochMs;
  /** The reception that its device or server reports. Absent while it is free, and if none is reported. */
  readonly reception?: ReceptionNow;
  /** The latest failed attempt on it, if none has succeeded since. */
  readonly trouble?: { readonly code: ErrorCode; readonly at: EpochMs };
  /** It does not work, and the plan does not count on it. */
  readonly quarantine?: { readonly since: EpochMs; readonly code: ErrorCode; readonly triedAgainAt: EpochMs };
  /** Only drained nodes of the fleet have it: it gets nothing new. */
  readonly isDrained?: true;
  /** Its experience with multiplexes, the latest first. */
  readonly health: readonly MultiplexHealth[];
}

/** The reported reception of a tuner in use, and when. */
export interface ReceptionNow extends Reception {
  readonly at: EpochMs;
}

/** The results of attempts with one multiplex on one tuner. */
export interface MultiplexHealth extends Omit<PairHealth, "tunerId"> {
  /** From 0 (good) to 3. */
  readonly weakness: number;
}

/** The machine's sleep and wake-up. */
export interface PowerFacts {
  /** The required wake alarm of the machine; absent if nothing is planned. */
  readonly wakeAlarmAt?: EpochMs;
  /** Whether it is set, as read back. Absent if the configuration does not enable it. */
  readonly alarm?: "set" | "not-set";
  /** The machine should have been awake at `wantedAt`, but woke at `cameAt`. */
  readonly failed?: { readonly wantedAt: EpochMs; readonly cameAt: EpochMs };
  /** Whether sleep is prevented now. Absent if the configuration does not enable it. */
  readonly awake?: boolean;
}

/** A node of the fleet, as its leader sees it. */
export interface NodeStatus {
  readonly name: string;
  readonly version: string;
  /** `away`: it does not run, or does not reach the database. */
  readonly state: "leader" | "standby" | "away";
  readonly isDrained: boolean;
}

/** The source of everything that people see. */
export interface Snapshot {
  readonly at: EpochMs;
  readonly version: string;
  readonly startedAt: EpochMs;
  readonly clock: ClockStatus;
  readonly guide: {
    readonly lastGoodAt?: EpochMs;
    /** The next poll, unless something causes an earlier one. */
    readonly nextAt?: EpochMs;
    readonly failure?: { readonly since: EpochMs; readonly code: ErrorCode; readonly text: string };
    readonly signInNeeded: boolean;
    /** A short list: the latest timer list has too few of the upcoming timers, so nothing is withdrawn because of it. The name is older. */
    readonly quarantine?: { readonly since: EpochMs; readonly listed: number; readonly held: number };
    /** Reports that the service does not have yet. */
    readonly reportsWaiting: number;
    /** Since when the oldest of them waits; absent if none does. */
    readonly reportsSince?: EpochMs;
  };
  /** While the data folder is not writable. */
  readonly store?: StoreTrouble;
  /** While the secrets file cannot be used. */
  readonly secrets?: SecretsTrouble;
  /** The path of the secrets file that systemd or a container hands over. Absent if it is in the data folder. */
  readonly handedOverSecrets?: string;
  readonly tuners: readonly TunerStatus[];
  readonly recordings: readonly Recording[];
  readonly plan: PlanFacts;
  /** Segments of captures that belonged to no recording. Absent if there are none. */
  readonly strays?: readonly Stray[];
  /** The machine must be awake then, so that the next recording begins in time; absent if nothing is planned. */
  readonly nextWakeAt?: EpochMs;
  readonly power?: PowerFacts;
  /** The state of EIT gathering; absent if the configuration does not enable it. */
  readonly broadcastGuide?: GatherStatus;
  /** Recordings whose files have changed since they were written. Absent if there are none. */
  readonly damagedFiles?: readonly DamagedFile[];
  /** All nodes of the fleet, by name. Absent: the recorder is on its own, or its fleet has no secret. */
  readonly nodes?: readonly NodeStatus[];
  /** Work that starved the event loop, and is set aside now. Absent if there is none. */
  readonly setAside?: readonly SetAside[];
  /** Present if the configuration names a content site. */
  readonly site?: SiteStatus;
  /** Absent until the disk of recordings was measured. */
  readonly space?: SpaceFacts;
}
