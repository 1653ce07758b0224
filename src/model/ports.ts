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
  /**
   * The full list of current timers: the service knows no delta.
   *
   * @param how `isWhole`: the service must send the list, even where it is the known one
   */
  timers(signal: AbortSignal, how?: { readonly isWhole: boolean }): Promise<TimerList>;
  /**
   * Announces changes of the list until the stream ends. Absent: nothing does. A service may lack it: GUIDE_NOT_FOUND.
   * It has no deadline of its own.
   */
  readonly changes?: (listener: ChangeListener, signal: AbortSignal) => Promise<void>;
  channels(signal: AbortSignal): Promise<readonly Channel[]>;
  /** The guide's programme data for shows. A service may lack it: GUIDE_NOT_FOUND. */
  programmes(order: ProgrammeOrder, signal: AbortSignal): Promise<ProgrammeAnswer>;
  /** The broadcasts of channels that match the order. A service may lack them: GUIDE_NOT_FOUND. */
  airings(order: AiringOrder, signal: AbortSignal): Promise<readonly Airing[]>;
  /** PUT of one timer's state and message; a state that is left out keeps its value. */
  tell(timerId: TimerId, told: ReportContent, signal: AbortSignal): Promise<void>;
  /** DELETE of one timer. */
  remove(timerId: TimerId, signal: AbortSignal): Promise<void>;
}

/** Hears a stream of changes. */
export interface ChangeListener {
  /** Called for everything that comes, also for signs of life. */
  readonly onAlive: () => void;
  /** Another version means that the list may be another. */
  readonly onVersion: (version: string) => void;
}

/** Knows what is worked on, for the case that the event loop never comes back from it (docs/dev/decisions/0034). */
export interface WorkRegister {
  /** Called before each piece of work on what others wrote: named where the loop is starved before it goes round again. */
  begin(work: Work): void;
  /** Whether the work starved the loop, and is to be left alone for now. */
  isSetAside(work: Work): boolean;
}

/** Orders that the recorder gives by itself. Every failure is a RecorderdError with a GUIDE_… code, or STORE_WRITE_FAILED. */
export interface Orders {
  /**
   * Orders a show, once however often it is asked, also where answers are lost.
   *
   * @returns the timer's id, where the service told it
   */
  book(
    order: { readonly showId: string; readonly padding: Padding },
    signal: AbortSignal,
  ): Promise<TimerId | undefined>;
  /** Cancels a timer; one that is gone already is cancelled. */
  cancel(timerId: TimerId, signal: AbortSignal): Promise<void>;
}

/** The receiver of the gathered EIT. Every failure is a RecorderdError with a GUIDE_… code. */
export interface BroadcastDesk {
  /** Whether the service says that it takes it. */
  takes(signal: AbortSignal): Promise<boolean>;
  bring(services: readonly GuideService[], signal: AbortSignal): Promise<void>;
}

/** The input of a capture. */
export interface Source {
  /** An address with one of the SOURCE_SCHEMES. May hold user and password: not for logs, answers or process lists. */
  readonly url: string;
  /** Said with the request for an http address. No secrets: they stand in the process list. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * `single`: only the service in question is on it. `multi`: it must be taken out of a multiplex. `sole`: one service is on it, whose
   * ids nobody knows; the capture gives it those of the service in question.
   */
  readonly programme: "single" | "multi" | "sole";
}

/** One tuned multiplex, delivering one service. Disposing ends the use of the tuner; twice is harmless. */
export interface TunerSession extends AsyncDisposable {
  readonly source: Source;
  /**
   * Why the source gives nothing, as its server says when it is asked for the stream once more. Only for a capture that ended
   * without payload: ffmpeg's log does not hold what a server says beside its status.
   *
   * @returns `undefined` where the server would give it now
   */
  explain?(signal: AbortSignal): Promise<RecorderdError | undefined>;
}

/** The code for one kind of tuner. Never retries, never shares, logs no policy: leases and supervision are not its job. */
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
   * Only where its device or server says how well it receives: asks it, while the service is taken from this tuner. Takes nothing
   * and changes nothing there.
   *
   * @returns `undefined` where nothing is known of it
   * @throws RecorderdError TUNER_…
   */
  readonly reception?: (service: Triplet, signal: AbortSignal) => Promise<Reception | undefined>;
  /**
   * Only where its list may name less than what is on the air: `services` are on the multiplex that was received when it was
   * opened for `heard`. From then on `facts` include them, also after a restart.
   *
   * @returns whether that was news
   */
  readonly learn?: (heard: Triplet, services: readonly KnownService[]) => Promise<boolean>;
  /**
   * Only where its server did not say at the start what it has: asks it again. From then on `facts` say what it receives.
   *
   * @returns the tuners that it has beside this one; `undefined` while it does not answer
   */
  readonly askAgain?: (signal: AbortSignal) => Promise<readonly TunerDriver[] | undefined>;
  /**
   * Only where its server or its list may come to name other services: reads again what they name. Takes nothing there.
   *
   * @returns whether `facts` changed since they were looked at last
   * @throws RecorderdError TUNER_… of the server, FILE_UNREADABLE or CHANNEL_LIST_UNKNOWN of the list; `facts` stay then
   */
  readonly lookAgain?: (signal: AbortSignal) => Promise<boolean>;
  /** Only where it has a server: whether that accepts connections. Asks for nothing, takes nothing, and says so within a second. */
  readonly answers?: (signal: AbortSignal) => Promise<boolean>;
  /** Only where it has a server that names its services: one of them, to try it with. */
  readonly example?: () => Triplet | undefined;
}

export interface CaptureOrder {
  /** Names the attempt (`attemptId`): by it the process is found again after a restart of the daemon. */
  readonly id: string;
  readonly source: Source;
  readonly service: Triplet;
  /** The channel's name, for a service table that has to be written anew. */
  readonly serviceName?: string;
  /** The segment to write; must not exist yet. */
  readonly file: string;
  /** The process ends by itself then, daemon or no daemon. */
  readonly endsBy: EpochMs;
  /** It is of no use without the daemon: the capture host ends it with its connection. ffmpeg goes on until `endsBy`. */
  readonly endsWithDaemon?: boolean;
}

/** Why a capture ended: what the supervisor saw, never an exit code. */
export interface CaptureEnd {
  readonly cause: ErrorCode | "asked";
  readonly text: string;
  readonly details?: TroubleDetails;
  /** The segment when its writer was gone; absent where there is none, or where it cannot be looked at. */
  readonly segment?: SegmentState;
}

/** The facts that supervision needs about one capture, just started or found again. */
export interface WatchOrder {
  readonly id: string;
  readonly service: Triplet;
  readonly file: string;
  /** Called once, when the first valid payload of the service is on disk. */
  readonly onFlowing: () => void;
  /**
   * Called when it seems to fail while it may yet go on, in words why: nothing comes, nothing clear, or much of it damaged. Once,
   * until it has been well again.
   */
  readonly onDoubt: (text: string) => void;
  /** Called with the present and the following event of the service when one of them is another, or changed. */
  readonly onEvents: (events: readonly BroadcastEvent[]) => void;
  /** Called with the stream's own time (TDT or TOT), as it stands at the end of the bytes on disk. */
  readonly onTime?: (utc: EpochMs) => void;
  /** Absent: that of recordings. */
  readonly openInspection?: OpenInspection;
  /** How long to wait before the file is read again while payload flows. Absent: as a recording. */
  readonly lookMs?: () => DurationMs;
}

/** One attempt as a process of its own, which outlives the daemon. */
export interface Capture {
  /**
   * Starts the process and returns when it runs.
   *
   * @throws RecorderdError CAPTURE_NOT_STARTED, FFMPEG_MISSING, STORAGE_OFFLINE, DISK_FULL or WRITE_FAILED
   */
  start(order: CaptureOrder): Promise<void>;
  /**
   * Something begins soon: what its start would have to wait for is made ready, and stays so for `HOST_LIMITS.alertMs`. Absent where
   * nothing has to be made ready, ever.
   *
   * @throws RecorderdError as `start`
   */
  readonly makeReady?: () => Promise<void>;
  /** Ids of the captures of this daemon that run now, whoever started them. */
  running(): Promise<ReadonlySet<string>>;
  /** False only when nothing was ever started for this attempt, which has no process, no segment and no log then. */
  hasBegun(attempt: Pick<CaptureOrder, "id" | "file">): Promise<boolean>;
  /** Watches process and file until the capture has ended; ends it itself when no data comes, it stalls or is of the wrong service. */
  watch(order: WatchOrder, signal: AbortSignal): Promise<CaptureEnd>;
  /** Asks it to end, insists, returns when it is gone. Harmless when it is gone already. */
  stop(id: string): Promise<void>;
}

export interface Digest {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Reads a file, growing or done, from where it stopped reading last time. */
export interface FileInspection extends AsyncDisposable {
  /**
   * Reads what is new and returns everything known so far.
   *
   * @throws RecorderdError FILE_UNREADABLE; FILE_CHANGED where it is not as long as before, or its last packet another one
   */
  advance(signal: AbortSignal): Promise<Inspection>;
  /** Device and inode of the file that was opened last; `undefined` before that. */
  fileId(): string | undefined;
}

export type OpenInspection = (file: string, service: Triplet | undefined) => FileInspection;
