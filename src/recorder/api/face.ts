import type { Readable } from "node:stream";
import type { LogLine } from "../../kit/log.ts";
import type { JobView } from "../../model/job.ts";
import type { LedgerFact } from "../../model/ledger.ts";
import type { LibraryEntry } from "../../model/library.ts";
import type { ProbeOrder, ProbeReport } from "../../model/probe.ts";
import type { Programme } from "../../model/programme.ts";
import type { Reach } from "../../model/reach.ts";
import type { OwnChange, Recording } from "../../model/recording.ts";
import type { Repeat } from "../../model/repeat.ts";
import type { Channel, Triplet } from "../../model/service.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { EpochMs } from "../../model/time.ts";
import type { TimerId } from "../../model/timer.ts";
import type { Difference, Unknown, WhatIf } from "../../model/what-if.ts";
import type { Events } from "./events.ts";

/** What people may see of the daemon and ask of it; refusals are RecorderdErrors. */
export interface DaemonFace {
  snapshot(): Snapshot;
  /** Asks the guide service for its timers at once. */
  syncNow(): void;
  /** Has the plan looked at anew. */
  replan(): Promise<void>;
  /**
   * What somebody here wants of a timer that is still to be recorded wins over rules and account; durable when this resolves.
   *
   * @throws RecorderdError RECORDING_UNKNOWN, TUNER_BUSY while the recorder starts or ends
   */
  wish(timerId: TimerId, change: OwnChange): Promise<Recording>;
  /**
   * Books the repeat that the plan offers for a timer in conflict, and cancels the timer; when this resolves, the service has both.
   *
   * @throws RecorderdError RECORDING_UNKNOWN where none is offered, GUIDE_…
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
  readonly library: LibraryFace;
  readonly guide: GuideFace;
  readonly playing: PlayingFace;
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
export interface LibraryFace {
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

/** The programme of an account's region. */
export interface ProgrammeFace {
  channels(): Promise<readonly Channel[]>;
  shows(wanted: ShowsWanted): Promise<readonly ShowView[]>;
}

/** The guide service, as the recorder's account sees it. */
export interface GuideFace extends ProgrammeFace {
  /** @returns the timer's id, where the service told it; a warning where no tuner receives its channel */
  book(order: PaddingWanted & { readonly showId: number }): Promise<{
    readonly timerId?: string;
    readonly warning?: string;
  }>;
  change(timerId: string, padding: PaddingWanted): Promise<void>;
  cancel(timerId: string): Promise<void>;
  /** Gets a new token and keeps it. @throws RecorderdError GUIDE_SIGN_IN_NEEDED where address or password is wrong, and others */
  signIn(order: GuideSignIn): Promise<{ readonly until?: EpochMs }>;
  readonly series: SeriesFace;
}

/** What the service makes timers of by itself, where it has that. */
export interface SeriesFace {
  all(): Promise<{
    readonly recordings: readonly SeriesRecordingView[];
    readonly keywords: readonly KeywordView[];
    readonly favourites: readonly FavouriteView[];
  }>;
  /** With a warning where no tuner receives a channel of its episodes. */
  addRecording(
    order: AiringsWanted & { readonly seriesId: string },
  ): Promise<SeriesRecordingView & { readonly warning?: string }>;
  setRecording(id: number, change: AiringsWanted): Promise<void>;
  deleteRecording(id: number): Promise<void>;
  addKeyword(order: AiringsWanted & { readonly keyword: string }): Promise<KeywordView>;
  setKeyword(id: number, change: AiringsWanted & { readonly keyword?: string }): Promise<void>;
  deleteKeyword(id: number): Promise<void>;
  addFavourite(seriesId: string): Promise<void>;
  deleteFavourite(seriesId: string): Promise<void>;
}

/** `null`: any; left out: as it is. */
export interface AiringsWanted {
  /** Which device of the account records. */
  readonly deviceId?: number;
  readonly channelId?: number | null;
  readonly startMinutes?: number | null;
  readonly quality?: string;
}

/** What is absent is any. */
interface AiringsView {
  readonly id: number;
  readonly deviceId: number;
  readonly channelId?: number;
  readonly startMinutes?: number;
  readonly quality?: string;
}

export interface SeriesRecordingView extends AiringsView {
  readonly seriesId: string;
  readonly title: string;
  /** Only the episode of this show. */
  readonly showId?: number;
}

export interface KeywordView extends AiringsView {
  readonly keyword: string;
}

export interface FavouriteView {
  readonly seriesId: string;
  readonly title: string;
}

interface GuideSignIn {
  readonly email: string;
  readonly password: string;
}

export interface ShowsWanted {
  readonly channelIds?: readonly number[];
  readonly from?: EpochMs;
  readonly to?: EpochMs;
  readonly search?: string;
}

interface PaddingWanted {
  readonly beforeMinutes?: number;
  readonly afterMinutes?: number;
}

/** One broadcast of the guide. */
export interface ShowView {
  readonly id: number;
  readonly channelId: number;
  readonly title: string;
  readonly start: EpochMs;
  readonly stop: EpochMs;
  readonly programme: Programme;
}

/** What is to be seen. Everything throws RecorderdErrors: RECORDING_UNKNOWN, FILE_UNREADABLE. */
export interface PlayingFace {
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
