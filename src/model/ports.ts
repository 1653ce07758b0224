import type { SegmentState } from "./attempt.ts";
import type { GuideService } from "./broadcast-guide.ts";
import type { KnownService } from "./channel-match.ts";
import type { ErrorCode, RecorderdError } from "./errors.ts";
import type { BroadcastEvent, Inspection } from "./inspection.ts";
import type { ProgrammeAnswer, ProgrammeOrder } from "./programme.ts";
import type { Airing, AiringOrder } from "./repeat.ts";
import type { Channel, Triplet } from "./service.ts";
import type { Work } from "./set-aside.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { ReportContent, TimerId, TimerList } from "./timer.ts";
import type { TroubleDetails } from "./trouble-details.ts";
import type { Reception, TunerFacts } from "./tuner.ts";
import type { Padding } from "./window.ts";

/** The account at the guide service, in the model's words. Every failure is a RecorderdError with a GUIDE_… code. */
export interface GuideAccount {
  /** The full list of current timers. @param how `isWhole`: the service must send the list even if it is unchanged */
  timers(signal: AbortSignal, how?: { readonly isWhole: boolean }): Promise<TimerList>;
  /**
   * Announces changes of the list until the stream ends. Absent: there are no announcements. A service may lack it:
   * GUIDE_NOT_FOUND. It has no deadline of its own.
   */
  readonly changes?: (listener: ChangeListener, signal: AbortSignal) => Promise<void>;
  channels(signal: AbortSignal): Promise<readonly Channel[]>;
  /** The guide's programme data for shows. A service may lack it: GUIDE_NOT_FOUND. */
  programmes(order: ProgrammeOrder, signal: AbortSignal): Promise<ProgrammeAnswer>;
  /** The broadcasts of channels that match the order. A service may lack them: GUIDE_NOT_FOUND. */
  airings(order: AiringOrder, signal: AbortSignal): Promise<readonly Airing[]>;
  /** PUT of one timer's state and message; without a state, the service keeps its state. */
  tell(timerId: TimerId, told: ReportContent, signal: AbortSignal): Promise<void>;
  /** DELETE of one timer. */
  remove(timerId: TimerId, signal: AbortSignal): Promise<void>;
}

/** Receives a stream of changes. */
export interface ChangeListener {
  /** Called for everything that arrives, also for signs of life. */
  readonly onAlive: () => void;
  /** Called with the version of the list: another one means that the list may have changed. */
  readonly onVersion: (version: string) => void;
}

/** Notes the present work, in case it starves the event loop (docs/dev/decisions/0034). */
export interface WorkRegister {
  /** Called before each piece of work on foreign data. The work is named if the loop is starved before its next turn. */
  begin(work: Work): void;
  /** Whether the work has starved the loop and must not be done now. */
  isSetAside(work: Work): boolean;
}

/** Orders of the recorder to the guide service. Every failure is a RecorderdError with a GUIDE_… code, or STORE_WRITE_FAILED. */
export interface Orders {
  /**
   * Books a show once, however often it is called, and even if answers are lost.
   *
   * @returns the timer's id, if the service gave it
   */
  book(
    order: { readonly showId: string; readonly padding: Padding },
    signal: AbortSignal,
  ): Promise<TimerId | undefined>;
  /** Cancels a timer. A missing timer counts as cancelled. */
  cancel(timerId: TimerId, signal: AbortSignal): Promise<void>;
}

/** The receiver of the gathered EIT. Every failure is a RecorderdError with a GUIDE_… code. */
export interface BroadcastDesk {
  /** Whether the service accepts EIT data. */
  takes(signal: AbortSignal): Promise<boolean>;
  bring(services: readonly GuideService[], signal: AbortSignal): Promise<void>;
}

/** The input of a capture. */
export interface Source {
  /** An address with one of the SOURCE_SCHEMES. May hold user and password: not for logs, answers or process lists. */
  readonly url: string;
  /** Headers of the request to an http address. No secrets: they are visible in the process list. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * `single`: the stream has only this service. `multi`: the service must be extracted from a multiplex. `sole`: the stream has
   * one service with unknown ids; the capture gives it those of this service.
   */
  readonly programme: "single" | "multi" | "sole";
}

/** One tuned multiplex, delivering one service. Disposing ends the use of the tuner; twice is harmless. */
export interface TunerSession extends AsyncDisposable {
  readonly source: Source;
  /**
   * The server's reason for refusing the stream: requests the stream once more. Only for a capture that ended without payload,
   * because ffmpeg's log has only the status.
   *
   * @returns `undefined` if the server would send the stream now
   */
  explain?(signal: AbortSignal): Promise<RecorderdError | undefined>;
}

/** The code for one kind of tuner. It never retries and never shares: leases and supervision are not its job. */
export interface TunerDriver extends AsyncDisposable {
  readonly facts: TunerFacts;
  /**
   * Tunes and waits until the source can be read.
   *
   * @throws RecorderdError TUNER_BUSY, TUNER_IN_USE, TUNER_NO_LOCK, TUNER_UNREACHABLE, TUNER_FORBIDDEN, TUNER_CREDENTIALS_WRONG or
   *   TUNER_SERVICE_UNKNOWN, and no other
   */
  open(service: Triplet, signal: AbortSignal): Promise<TunerSession>;
  /**
   * Asks the device or server how well it receives, while the service is in use. Takes no tuner. Absent if the device or server
   * cannot tell.
   *
   * @returns `undefined` if nothing is known
   * @throws RecorderdError TUNER_…
   */
  readonly reception?: (service: Triplet, signal: AbortSignal) => Promise<Reception | undefined>;
  /**
   * Adds services that its list lacks: `services` are on the multiplex that was received when it was opened for `heard`. From
   * then on, `facts` include them, also after a restart. Absent if its list is complete.
   *
   * @returns whether that was news
   */
  readonly learn?: (heard: Triplet, services: readonly KnownService[]) => Promise<boolean>;
  /**
   * Asks again a server that did not list its services at the start. From then on, `facts` have them.
   *
   * @returns the server's other tuners; `undefined` while it does not answer
   */
  readonly askAgain?: (signal: AbortSignal) => Promise<readonly TunerDriver[] | undefined>;
  /**
   * Reads the services of its server or list again. Takes no tuner. Absent if they cannot change.
   *
   * @returns whether `facts` changed since the last time
   * @throws RecorderdError TUNER_… of the server, FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN of the list; `facts` stay then
   */
  readonly lookAgain?: (signal: AbortSignal) => Promise<boolean>;
  /** Whether its server accepts connections, within a second and without a request. Absent without a server. */
  readonly answers?: (signal: AbortSignal) => Promise<boolean>;
  /** A service for a test. Absent without a server that names its services. */
  readonly example?: () => Triplet | undefined;
}

export interface CaptureOrder {
  /** The id of the attempt (`attemptId`), by which the process is found after a restart of the daemon. */
  readonly id: string;
  readonly source: Source;
  readonly service: Triplet;
  /** The channel's name, for a service table that is made here. */
  readonly serviceName?: string;
  /** The segment to write; must not exist yet. */
  readonly file: string;
  /** The process ends by itself then, with or without a daemon. */
  readonly endsBy: EpochMs;
  /** It is useless without the daemon: the capture host ends it with its connection. ffmpeg continues until `endsBy`. */
  readonly endsWithDaemon?: boolean;
}

/** Why a capture ended, by the supervisor's findings, never by an exit code. */
export interface CaptureEnd {
  readonly cause: ErrorCode | "asked";
  readonly text: string;
  readonly details?: TroubleDetails;
  /** The segment when its writer had ended; absent if there is none, or if it cannot be examined. */
  readonly segment?: SegmentState;
}

/** The facts for supervising one capture, just started or adopted. */
export interface WatchOrder {
  readonly id: string;
  readonly service: Triplet;
  readonly file: string;
  /** Called once, when the first valid payload of the service is on disk. */
  readonly onFlowing: () => void;
  /**
   * Called with the reason when the capture seems to fail: nothing arrives, nothing clear, or much is damaged. Once, until it has
   * recovered.
   */
  readonly onDoubt: (text: string) => void;
  /** Called with the present and the following event of the service when one of them changes. */
  readonly onEvents: (events: readonly BroadcastEvent[]) => void;
  /** Called with the stream's time (TDT or TOT) at the end of the bytes on disk. */
  readonly onTime?: (utc: EpochMs) => void;
  /** Absent: as for recordings. */
  readonly openInspection?: OpenInspection;
  /** The pause between two looks while payload flows. Absent: as for recordings. */
  readonly lookMs?: () => DurationMs;
}

/** Captures: each attempt is carried out by a process that outlives the daemon. */
export interface Capture {
  /**
   * Starts the process and returns when it runs.
   *
   * @throws RecorderdError CAPTURE_NOT_STARTED, FFMPEG_MISSING, STORAGE_OFFLINE, DISK_FULL or WRITE_FAILED
   */
  start(order: CaptureOrder): Promise<void>;
  /**
   * Prepares for a start that follows soon, and stays prepared for `HOST_LIMITS.alertMs`. Absent if nothing needs preparation.
   *
   * @throws RecorderdError as `start`
   */
  readonly makeReady?: () => Promise<void>;
  /** Ids of this daemon's running captures, also of those from before a restart. */
  running(): Promise<ReadonlySet<string>>;
  /** False only if nothing was ever started for this attempt: it has no process, no segment and no log. */
  hasBegun(attempt: Pick<CaptureOrder, "id" | "file">): Promise<boolean>;
  /** Watches process and file until the capture has ended. Ends it if it stalls, gets no data or the wrong service. */
  watch(order: WatchOrder, signal: AbortSignal): Promise<CaptureEnd>;
  /** Ends a capture, by force if necessary, and returns when it has ended. Harmless if it has ended already. */
  stop(id: string): Promise<void>;
}

export interface Digest {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Reads a file, growing or finished, from the last position. */
export interface FileInspection extends AsyncDisposable {
  /**
   * Reads what is new and returns all findings so far.
   *
   * @throws RecorderdError FILE_UNREADABLE; FILE_CHANGED if the file is shorter than before, or its last packet has changed
   */
  advance(signal: AbortSignal): Promise<Inspection>;
  /** Device and inode of the file that was opened last; `undefined` before that. */
  fileId(): string | undefined;
}

export type OpenInspection = (file: string, service: Triplet | undefined) => FileInspection;
