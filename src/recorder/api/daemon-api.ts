import type { Readable } from "node:stream";
import type { LogLine } from "../../kit/log.ts";
import type { JobView } from "../../model/job.ts";
import type { LedgerFact } from "../../model/ledger.ts";
import type { LibraryEntry } from "../../model/library.ts";
import type { ProbeOrder, ProbeReport } from "../../model/probe.ts";
import type { Reach } from "../../model/reach.ts";
import type { Recording } from "../../model/recording.ts";
import type { Repeat } from "../../model/repeat.ts";
import type { Triplet } from "../../model/service.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { EpochMs } from "../../model/time.ts";
import type { TimerId } from "../../model/timer.ts";
import type { OverrideChange } from "../../model/timer-override.ts";
import type { Difference, Unknown, WhatIf } from "../../model/what-if.ts";
import type { GuideApi } from "../../web/guide-api.ts";
import type { Events } from "./events.ts";

/** What people may see of the daemon and ask of it; refusals are RecorderdErrors. */
export interface DaemonApi {
  snapshot(): Snapshot;
  /** Asks the guide service for its timers at once. */
  syncNow(): void;
  /** Has the plan looked at anew. */
  replan(): Promise<void>;
  /**
   * Overrides rules and account for a timer that is still to be recorded; durable when this resolves. Requests that change
   * something throw DAEMON_NOT_READY while the recorder stops, and when it takes too long to start.
   *
   * @returns the recording with this change, before any later one
   * @throws RecorderdError RECORDING_UNKNOWN, DAEMON_NOT_READY, STORE_WRITE_FAILED
   */
  setTimerOverride(timerId: TimerId, change: OverrideChange): Promise<Recording>;
  /**
   * Books the repeat that the plan offers for a timer in conflict, and cancels the timer; when this resolves, the service has both.
   *
   * @throws RecorderdError RECORDING_UNKNOWN where none is offered, DAEMON_NOT_READY, GUIDE_…
   */
  repeat(timerId: TimerId): Promise<Repeat>;
  /** What the plan would do otherwise. */
  whatIf(change: WhatIf): Promise<Difference | Unknown>;
  /** Tries whether a service is received. @throws RecorderdError why it is not tried now */
  probe(order: ProbeOrder): Promise<ProbeReport>;
  /** What happened to a timer; no facts where the ledger knows none. */
  history(timerId: string): Promise<History>;
  /** The latest lines of the log, the oldest first. */
  logLines(): readonly LogLine[];
  readonly library: LibraryApi;
  readonly guide: GuideApi;
  readonly playing: PlaybackApi;
  /** The guide's channels as the recorder knows them, and which of its tuners receive them. */
  reach(): readonly Reach[];
  /**
   * A person says which service a channel of the guide is; `undefined`: it is to be found again. Recordings follow at once.
   *
   * @throws RecorderdError GUIDE_NOT_FOUND where there is no such channel, DISK_FULL or WRITE_FAILED
   */
  assign(channelId: string, service: Triplet | undefined): Promise<void>;
  readonly events: Pick<Events, "listen">;
  /** In the text form of Prometheus. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** The address of a new one-time link to the dashboard. @throws RecorderdError CONFIG_INVALID where there is none, ADDRESS_IN_USE while it does not listen */
  webLink(): string;
  /** Why it cannot do its work now; absent where it can. */
  unready(): string | undefined;
  /** What it does without for now, though it can record; `secrets`: the secrets file cannot be used. */
  lacks(): readonly "secrets"[];
}

export interface History {
  readonly title?: string;
  readonly verdict?: string;
  readonly lines: readonly { readonly at: EpochMs; readonly text: string }[];
  readonly facts: readonly LedgerFact[];
}

/** What people may see of the library and ask of it. */
export interface LibraryApi {
  /** Deleted ones included, as long as they are remembered; their files were looked at a moment ago. */
  entries(): Promise<readonly LibraryEntry[]>;
  /** Has a file read and compared with what was written; what comes of it is told of the entry. @throws RecorderdError RECORDING_UNKNOWN */
  verify(id: string): Promise<JobView>;
  jobs(): readonly JobView[];
  mark(id: string, flags: Flags): Promise<LibraryEntry>;
  remove(id: string): Promise<LibraryEntry>;
}

export interface Flags {
  readonly protected?: boolean;
  readonly watched?: boolean;
}

/** What is to be seen. Everything throws RecorderdErrors: RECORDING_UNKNOWN, FILE_UNREADABLE. */
export interface PlaybackApi {
  open(recordingId: string): Promise<Playable>;
  /** The `.json` beside it. */
  sidecar(recordingId: string): Promise<Buffer>;
  thumbnail(recordingId: string): Promise<Buffer>;
  /** A service as it is broadcast, until the stream is destroyed. @throws RecorderdError TUNER_BUSY and others: a viewer takes no tuner from a recording */
  live(service: Triplet): Promise<Readable>;
}

/** A recording as a file of so many bytes, or of which there are so many by now. */
export interface Playable {
  readonly size: number;
  readonly isGrowing: boolean;
  readonly type: string;
  readonly etag: string;
  /** `last` belongs to it; absent: to the end, which is waited for while it grows. */
  read(range: { readonly first: number; readonly last?: number }): Readable;
}
