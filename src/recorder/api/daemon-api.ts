import type { Readable } from "node:stream";
import type { LogLine } from "../../kit/log.ts";
import type { AccessIndex } from "../../model/access-index.ts";
import type { ImportOrder, ImportResult } from "../../model/imported.ts";
import type { JobView } from "../../model/job.ts";
import type { LedgerFact } from "../../model/ledger.ts";
import type { LibraryEntry } from "../../model/library.ts";
import type { ProbeOrder, ProbeReport } from "../../model/probe.ts";
import type { Progress, ProgressReport, RecordingProgress } from "../../model/progress.ts";
import type { Reach } from "../../model/reach.ts";
import type { Recording } from "../../model/recording.ts";
import type { Repeat } from "../../model/repeat.ts";
import type { Triplet } from "../../model/service.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import type { TimerId } from "../../model/timer.ts";
import type { OverrideChange } from "../../model/timer-override.ts";
import type { Difference, Unknown, WhatIf } from "../../model/what-if.ts";
import type { GuideApi } from "../../web/guide-api.ts";
import type { Language } from "../../words/language.ts";
import type { Events } from "./events.ts";

/** The daemon's state and operations for people; refusals are RecorderdErrors. */
export interface DaemonApi {
  snapshot(): Snapshot;
  /** Polls the guide service for its timers at once. */
  syncNow(): void;
  /** Plans again. */
  replan(): Promise<void>;
  /**
   * Overrides rules and account for a timer that is still to be recorded; durable when this resolves. Requests that
   * change something throw DAEMON_NOT_READY while the recorder stops, and when it takes too long to start.
   *
   * @returns the recording with this change, before any later one
   * @throws RecorderdError RECORDING_UNKNOWN, DAEMON_NOT_READY, STORE_WRITE_FAILED
   */
  setTimerOverride(timerId: TimerId, change: OverrideChange): Promise<Recording>;
  /**
   * Books the repeat that the plan offers for a timer in conflict, and cancels the timer; the service has done both
   * when this resolves.
   *
   * @throws RecorderdError RECORDING_UNKNOWN if none is offered, DAEMON_NOT_READY, GUIDE_…
   */
  repeat(timerId: TimerId): Promise<Repeat>;
  /** The difference that a change would make to the plan. */
  whatIf(change: WhatIf): Promise<Difference | Unknown>;
  /** Probes whether a service is received. @throws RecorderdError why it cannot be probed now */
  probe(order: ProbeOrder): Promise<ProbeReport>;
  /** The history of a timer; without facts if the ledger has none. */
  history(timerId: string): Promise<History>;
  /** The latest lines of the log, the oldest first. */
  logLines(): readonly LogLine[];
  readonly library: LibraryApi;
  readonly progress: ProgressApi;
  readonly push: PushApi;
  readonly guide: GuideApi;
  readonly playing: PlaybackApi;
  readonly logos: LogoApi;
  /** The guide's channels as the recorder knows them, and which of its tuners receive them. */
  reach(): readonly Reach[];
  /**
   * Assigns a service to a channel of the guide; `undefined`: match it automatically again. Recordings follow at
   * once.
   *
   * @throws RecorderdError GUIDE_NOT_FOUND if there is no such channel, DISK_FULL or WRITE_FAILED
   */
  assign(channelId: string, service: Triplet | undefined): Promise<void>;
  readonly events: Pick<Events, "listen">;
  /** In the Prometheus text format. */
  metrics(): Promise<{ readonly contentType: string; readonly text: string }>;
  /**
   * The address of a new one-time link to the dashboard. @throws RecorderdError CONFIG_INVALID if there is none,
   * ADDRESS_IN_USE while it does not listen
   */
  webLink(): string;
  /** Why the daemon cannot work now; absent if it can. */
  unready(): string | undefined;
  /** Parts that are unusable for now, though the daemon can record; `secrets`: the secrets file. */
  lacks(): readonly "secrets"[];
}

export interface History {
  readonly title?: string;
  readonly verdict?: string;
  /** The zone of times in sentences. */
  readonly timeZone: string;
  /** Each with the facts that it was made of: readers in other zones and languages word these. */
  readonly lines: readonly (Pick<LedgerFact, "at" | "fact" | "facts"> & { readonly text: string })[];
  readonly facts: readonly LedgerFact[];
}

/** The library's state and operations for people. */
export interface LibraryApi {
  /** Includes deleted ones while they are remembered; their files were checked a moment ago. */
  entries(): Promise<readonly LibraryEntry[]>;
  /**
   * Reads a file and compares it with what was written; the entry then has the result. @throws RecorderdError
   * RECORDING_UNKNOWN
   */
  verify(id: string): Promise<JobView>;
  jobs(): readonly JobView[];
  mark(id: string, flags: Flags): Promise<LibraryEntry>;
  /** Adds entries for files of another recorder; one that is there already stays as it is. */
  import(orders: readonly ImportOrder[]): Promise<readonly ImportResult[]>;
  remove(id: string): Promise<LibraryEntry>;
}

/** Resume positions. All throw RecorderdError RECORDING_UNKNOWN. */
export interface ProgressApi {
  /** All positions of a viewer, the latest report last. */
  of(viewer: string): readonly RecordingProgress[];
  find(viewing: Viewing): Progress | undefined;
  /** Stores a position. A viewer who reaches the end marks the recording as watched. */
  note(viewing: Viewing, report: ProgressReport): Promise<Progress>;
  /** Stores that a viewer has finished a recording, or has not begun it. */
  mark(viewing: Viewing, isFinished: boolean): void;
}

/** Notifications to browsers. */
export interface PushApi {
  /** The recorder's key at push services, in base64url: a browser allows only its owner to send. */
  publicKey(): Promise<string>;
  /**
   * Sends a test, and on success all news from now on.
   *
   * @throws RecorderdError NOTIFY_REFUSED, NOTIFY_UNREACHABLE, DISK_FULL or WRITE_FAILED
   */
  add(order: PushOrder): Promise<void>;
  remove(endpoint: string): Promise<void>;
}

/** A browser's subscription (Push API), and its reader. */
export interface PushOrder {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
  readonly language: Language;
  /** IANA name. */
  readonly timeZone: string;
}

interface Viewing {
  readonly viewer: string;
  readonly recordingId: string;
}

export interface Flags {
  readonly protected?: boolean;
  readonly watched?: boolean;
}

/** A recording or service that a player plays. */
export type Watched = { readonly recordingId: string } | { readonly service: Triplet };

/** A segment for a player. */
export interface SegmentAnswer {
  /** Absent if it is not known before the segment is read. */
  readonly bytes?: number;
  readonly read: () => Readable;
}

/**
 * HTTP Live Streaming. All throw RecorderdError INDEX_UNUSABLE and RECORDING_UNKNOWN; of a live service TUNER_BUSY and others: a
 * viewer takes no tuner from a recording.
 */
export interface HlsApi {
  /**
   * The media playlist; its segments are `0.ts`, `1.ts` and so on.
   *
   * @param audio PID of the only sound track; absent: all of them
   * @param until waits a while until this segment is listed
   */
  playlist(
    watched: Watched,
    options?: { readonly audio?: number | undefined; readonly until?: number | undefined },
  ): Promise<string>;
  segment(watched: Watched, number: number, audio?: number): Promise<SegmentAnswer>;
}

export const VIDEO_CODECS = ["h264", "hevc", "mpeg2", "other"] as const;
export type VideoCodec = (typeof VIDEO_CODECS)[number];
/** `mp2` is MPEG audio of layer I or II, `mp3` of layer III. */
export const AUDIO_CODECS = ["aac", "mp2", "mp3", "ac3", "eac3", "aac-latm", "other"] as const;
export type AudioCodec = (typeof AUDIO_CODECS)[number];

/** The device of a viewer, as it describes itself. */
export interface PlayerClient {
  /** The codecs that it decodes. */
  readonly video: readonly VideoCodec[];
  readonly audio: readonly AudioCodec[];
  /** Chosen by the device, one for each player; absent: a new one. */
  readonly viewer?: string | undefined;
}

/** The streams of a recording or service, for a page. */
export interface TracksView {
  readonly video?: { readonly pid: number; readonly codec: VideoCodec };
  readonly audio: readonly {
    readonly pid: number;
    readonly codec: AudioCodec;
    /** RFC 5646, such as `de`. */
    readonly language?: string;
    readonly name: string;
    readonly isDefault: boolean;
    readonly isDescription: boolean;
  }[];
  /** Subtitles that a viewer can choose: pages of teletext as WebVTT, bitmaps as pictures (`SubtitlesApi`). */
  readonly subtitles: readonly {
    readonly id: string;
    readonly kind: "teletext" | "bitmap";
    /** RFC 5646, such as `de`. */
    readonly language?: string;
    readonly name: string;
    readonly isForHardOfHearing: boolean;
  }[];
  /** Missing data: its place in the time of the playlist, which has no room for it, and its length. */
  readonly gaps: readonly { readonly startSeconds: number; readonly lengthSeconds: number }[];
  readonly isGrowing: boolean;
  readonly isLive: boolean;
  readonly startedAt?: EpochMs;
}

/** A choice of a player: the picture with its sound, or the sound track of this PID. */
export type Rendition = "main" | number;

/**
 * Renditions for devices that cannot play a broadcast as it is. All throw RecorderdError INDEX_UNUSABLE and RECORDING_UNKNOWN;
 * what may need a conversion throws CONVERSION_BUSY, CONVERSION_OFF, FFMPEG_FAILED and FFMPEG_MISSING too.
 */
export interface RenditionApi {
  /** The multivariant playlist. */
  master(watched: Watched, client: PlayerClient): Promise<string>;
  tracks(watched: Watched): Promise<TracksView>;
  /** The media playlist of one sound track; its segments are `audio-PID-0.ts` and so on. */
  audioPlaylist(watched: Watched, pid: number): Promise<string>;
  audioSegment(
    watched: Watched,
    part: { readonly pid: number; readonly number: number },
  ): Promise<SegmentAnswer>;
  /** Its segments have the numbers and times of `HlsApi.playlist`. */
  convertedPlaylist(watched: Watched, rendition: Rendition, client: PlayerClient): Promise<string>;
  convertedSegment(
    watched: Watched,
    part: { readonly rendition: Rendition; readonly number: number },
    client: PlayerClient,
  ): Promise<SegmentAnswer>;
}

/**
 * Subtitles as tracks of HLS, with the segment numbers of its media playlist. All throw RecorderdError INDEX_UNUSABLE, and
 * RECORDING_UNKNOWN if there are no such subtitles.
 */
export interface SubtitlesApi {
  /** The media playlist of a page of teletext; its segments are `subtitles-ID-0.vtt` and so on. */
  playlist(watched: Watched, trackId: string): Promise<string>;
  /** A segment of it in WebVTT. */
  webVtt(watched: Watched, part: SubtitlePart): Promise<string>;
  /** Bitmaps that are shown during a segment. */
  bitmaps(watched: Watched, part: SubtitlePart): Promise<BitmapCues>;
}

export interface SubtitlePart {
  readonly trackId: string;
  /** Number of the segment. */
  readonly number: number;
}

/** Bitmaps for a screen of this size, in pixels. */
export interface BitmapCues {
  readonly width: number;
  readonly height: number;
  readonly cues: readonly BitmapCue[];
}

export interface BitmapCue {
  /** From the beginning of the segment. */
  readonly fromMs: DurationMs;
  readonly toMs: DurationMs;
  readonly images: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    /** In Base64. */
    readonly png: string;
  }[];
}

/**
 * Recordings and live services for players. Everything throws RecorderdErrors: RECORDING_UNKNOWN, FILE_UNREADABLE.
 */
export interface PlaybackApi {
  open(recordingId: string): Promise<Playable>;
  /** The same from an instant on: from the place before it at which a decoder can begin. */
  openAt(recordingId: string, at: EpochMs): Promise<Playable>;
  /**
   * Position of an instant on a player's timeline, in seconds; `undefined` if it is not known when the recording began.
   *
   * @throws RecorderdError INDEX_UNUSABLE and others
   */
  positionOf(recordingId: string, at: EpochMs): Promise<number | undefined>;
  /** The recording's `.json` sidecar. */
  sidecar(recordingId: string): Promise<Buffer>;
  /**
   * A picture of the recording, as JPEG: the one that a job made next to it, or else one that is made now.
   *
   * @throws RecorderdError FILE_UNREADABLE if it has no picture, CONVERSION_BUSY if too many wait, and others
   */
  thumbnail(recordingId: string): Promise<{ readonly bytes: Buffer; readonly isGrowing: boolean }>;
  /**
   * The places at which a player can begin in a recording. Offsets are those of `open`: a growing recording is its segments one after
   * the other, up to the first one that still grows.
   *
   * @throws RecorderdError INDEX_UNUSABLE if there is no index yet, or one of another file
   */
  accessPoints(recordingId: string): Promise<AccessIndex>;
  readonly hls: HlsApi;
  readonly renditions: RenditionApi;
  readonly subtitles: SubtitlesApi;
  /**
   * A live service, until the stream is destroyed. @throws RecorderdError TUNER_BUSY and others: a viewer takes no
   * tuner from a recording
   */
  live(service: Triplet): Promise<Readable>;
}

/** Logos of channels: pictures of the folder `logos`, or else those of the guide. */
export interface LogoApi {
  /** Ids of the channels that have a logo. */
  known(): Promise<ReadonlySet<string>>;
  /** @throws RecorderdError FILE_UNREADABLE if there is none */
  open(channelId: string): Promise<Picture>;
}

export interface Picture {
  /** Media type. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** A recording as a file with its size, or its size so far. */
export interface Playable {
  readonly size: number;
  readonly isGrowing: boolean;
  readonly type: string;
  readonly etag: string;
  /** The range includes `last`; absent: to the end, which is awaited while the file grows. */
  read(range: { readonly first: number; readonly last?: number }): Readable;
}
