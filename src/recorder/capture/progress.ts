import { foreignPacketText } from "../../model/foreign-packets.ts";
import { type Inspection, type Lack, tableErrorsIn } from "../../model/inspection.ts";
import { outrunsLive, playedMs } from "../../model/live-pace.ts";
import type { CaptureEnd } from "../../model/ports.ts";
import { type Triplet, tripletKey } from "../../model/service.ts";
import { type DurationMs, type EpochMs, formatDuration, SECOND } from "../../model/time.ts";
import { lengthMs } from "../../model/window.ts";
import { HOST_LIMITS } from "./host/limits.ts";
import { mayBeAnother, namesAnother } from "./identity.ts";

/** The same tolerance as in the capture host, which slows such sources down. ffmpeg reads at any rate. */
const EXCESS_BYTES_MAX = (HOST_LIMITS.sourceBytesPerSecond * HOST_LIMITS.floodMs) / SECOND;
/** ISO/IEC 13818-1 §2.4.3.2. */
const PACKET_BYTES = 188;

export interface ProgressLimits {
  readonly firstPayloadMs: DurationMs;
  readonly stallMs: DurationMs;
  readonly doubtMs: DurationMs;
  readonly steadyMs: DurationMs;
  readonly doubtFlawsPercent: number;
  readonly wrongServiceMs: DurationMs;
}

/** The state of a watched file. Times are readings of the monotonic clock. */
export interface Progress {
  readonly watchedSinceMs: number;
  /** Time of the last reading; absent before the first one. */
  readonly lookedAtMs?: number;
  /** The latest inspection; absent while there is no file. */
  readonly inspection?: Inspection;
  /** Valid clear payload of the service is on disk. */
  readonly flowing: boolean;
  readonly payloadGrewAtMs: number;
  /** The inspection at the last growth of payload; shows what came since. */
  readonly atLastPayload?: Inspection;
  readonly flowingSinceMs?: number;
  /** The longest time between two looks that saw payload grow: some sources send in bursts. */
  readonly longestPauseMs: DurationMs;
  /**
   * Picture and sound that had come ahead of their time at the last growth of payload, at most as long as a stall: relays of HLS send
   * a segment at once, then nothing until the next one.
   */
  readonly aheadMs: DurationMs;
  /** Start of the present, unbroken period with much damage. */
  readonly flawedSinceMs?: number;
  /**
   * Since when the PAT names another transport stream while no SDT names the service: it may be another service with the same sid.
   */
  readonly elsewhereSinceMs?: number;
  /** Since when, without a break, the tables name another service. */
  readonly wrongSinceMs?: number;
  /** Picture or sound missing while the rest of the service arrives. */
  readonly lacking?: Lacking;
  /** Bytes beyond the allowed rate since the source last kept to it. */
  readonly excessBytes: number;
  /** From here the pace is measured; absent before the first look at an adopted capture, which sees hours of data. */
  readonly paceFrom?: PaceMark;
}

interface PaceMark {
  readonly atMs: number;
  readonly playedMs: DurationMs;
}

export interface Lacking {
  readonly kind: Lack["kind"];
  readonly sinceMs: number;
  /** This capture had it before, so another one may have it again. */
  readonly hadIt: boolean;
  /** Scrambled packets of the service before the loss. */
  readonly scrambledBefore: number;
}

/** @param isAdopted another run of the daemon started the capture */
export function initialProgress(nowMs: number, isAdopted = false): Progress {
  return {
    watchedSinceMs: nowMs,
    flowing: false,
    payloadGrewAtMs: nowMs,
    longestPauseMs: 0,
    aheadMs: 0,
    excessBytes: 0,
    ...(isAdopted ? {} : { paceFrom: { atMs: nowMs, playedMs: 0 } }),
  };
}

export function progressAfter(
  before: Progress,
  {
    found,
    service,
    limits,
    nowMs,
  }: {
    readonly found: Inspection;
    readonly service: Triplet;
    readonly limits: Pick<ProgressLimits, "doubtFlawsPercent" | "wrongServiceMs" | "stallMs">;
    readonly nowMs: number;
  },
): Progress {
  const wrong = namesAnother(found, service);
  const grew = found.payloadPackets > (before.inspection?.payloadPackets ?? 0);
  // A capture that writes once a second may show no growth between looks; that says nothing about the source.
  const isNews = found.bytes !== before.inspection?.bytes;
  const flawed = isNews ? isFlawed(found, before.inspection, limits) : before.flawedSinceMs !== undefined;
  const {
    wrongSinceMs = nowMs,
    elsewhereSinceMs = nowMs,
    flawedSinceMs = nowMs,
    flowingSinceMs = nowMs,
    lacking: lackedBefore,
    ...rest
  } = before;
  const lacking = isNews
    ? lackOf(found, { before: lackedBefore, scrambledLast: before.inspection?.scrambledPackets ?? 0, nowMs })
    : lackedBefore;
  const elsewhere = mayBeAnother(found, service);
  // An SDT comes at least every two seconds: a stream without one lost it on its way.
  const unsure = wrong || (elsewhere && nowMs - elsewhereSinceMs < limits.wrongServiceMs);
  const flowing = before.flowing || (found.payloadPackets > 0 && !unsure);
  const pauseMs = before.flowing ? nowMs - before.payloadGrewAtMs : 0;
  return {
    ...rest,
    inspection: found,
    lookedAtMs: nowMs,
    excessBytes: excessAfter(before, found, nowMs),
    paceFrom: before.paceFrom ?? { atMs: nowMs, playedMs: playedMs(found) },
    flowing,
    ...(flowing ? { flowingSinceMs } : {}),
    ...(grew
      ? {
          payloadGrewAtMs: nowMs,
          atLastPayload: found,
          aheadMs: aheadAfter(before, found, { stallMs: limits.stallMs, nowMs }),
          longestPauseMs: Math.max(before.longestPauseMs, pauseMs),
        }
      : {}),
    ...(elsewhere ? { elsewhereSinceMs } : {}),
    ...(wrong ? { wrongSinceMs } : {}),
    ...(flawed ? { flawedSinceMs } : {}),
    ...(lacking === undefined ? {} : { lacking }),
  };
}

/** The first look at an adopted capture sees hours of data, of which nobody knows when they came. */
function aheadAfter(
  { aheadMs, atLastPayload, payloadGrewAtMs, paceFrom }: Progress,
  found: Inspection,
  { stallMs, nowMs }: { readonly stallMs: DurationMs; readonly nowMs: number },
): DurationMs {
  if (paceFrom === undefined) return 0;
  const came = playedMs(found) - (atLastPayload === undefined ? 0 : playedMs(atLastPayload));
  return Math.min(stallMs, Math.max(0, aheadMs + came - (nowMs - payloadGrewAtMs)));
}

/** Computes the excess. The first look at an adopted capture sees hours of data, which say nothing about its rate. */
function excessAfter(
  { inspection: last, lookedAtMs, excessBytes }: Progress,
  found: Inspection,
  nowMs: number,
): number {
  if (last === undefined || lookedAtMs === undefined) return 0;
  const allowed = (HOST_LIMITS.sourceBytesPerSecond * (nowMs - lookedAtMs)) / SECOND;
  return Math.max(0, excessBytes + found.bytes - last.bytes - allowed);
}

/** A lack that lasts to the end of the file; the older one of two. */
function lackOf(
  { lacks, streamMs }: Inspection,
  {
    before,
    scrambledLast,
    nowMs,
  }: {
    readonly before: Lacking | undefined;
    /** At the previous look. */
    readonly scrambledLast: number;
    readonly nowMs: number;
  },
): Lacking | undefined {
  const lack = lacks.find(({ stop }) => stop >= streamMs);
  if (lack === undefined) return undefined;
  const { kind } = lack;
  // An adopted capture may lack it for longer than this daemon has watched.
  const sinceMs = before?.kind === kind ? before.sinceMs : nowMs - lengthMs(lack);
  const scrambledBefore = before?.scrambledBefore ?? scrambledLast;
  return { kind, sinceMs, hadIt: lack.start > 0, scrambledBefore };
}

/** Whether much of the data since the last look is damaged. */
function isFlawed(
  found: Inspection,
  before: Inspection | undefined,
  { doubtFlawsPercent }: Pick<ProgressLimits, "doubtFlawsPercent">,
): boolean {
  const packets = found.packets - (before?.packets ?? 0);
  const flaws = flawsIn(found) - (before === undefined ? 0 : flawsIn(before));
  return flaws > 0 && 100 * flaws >= doubtFlawsPercent * packets;
}

function flawsIn(found: Inspection): number {
  const { continuityErrors, transportErrors, damagedPackets, junkBytes } = found;
  const ofTables = tableErrorsIn(found);
  const inTables = ofTables.continuityErrors + ofTables.transportErrors;
  return continuityErrors + transportErrors - inTables + damagedPackets + junkBytes / PACKET_BYTES;
}

/** A TDT comes at least every 30 s (TR 101 211 §4.4): more stream time since the last one means that the stream's clock jumped. */
const TIME_AGE_MS_MAX = 60 * SECOND;

/** The broadcast's time at the end of the file, if this look found a new TDT or TOT. */
export function newTime(before: Progress, { inspection }: Progress): EpochMs | undefined {
  if (inspection?.lastTime === undefined || inspection.lastTime.utc === before.inspection?.lastTime?.utc)
    return undefined;
  const sinceMs = inspection.streamMs - inspection.lastTime.streamMs;
  return sinceMs > TIME_AGE_MS_MAX ? undefined : inspection.lastTime.utc + sinceMs;
}

/** The reason to end the capture now, if there is one. */
export function troubleOf(
  progress: Progress,
  {
    service,
    limits,
    nowMs,
  }: { readonly service: Triplet; readonly limits: ProgressLimits; readonly nowMs: number },
): CaptureEnd | undefined {
  const { wrongSinceMs = nowMs, flowing } = progress;
  if (progress.excessBytes > EXCESS_BYTES_MAX) return excessive();
  const fast = endForPace(progress, nowMs);
  if (fast !== undefined) return fast;
  if (nowMs - wrongSinceMs >= limits.wrongServiceMs) return wrongService(progress, service);
  if (!flowing && nowMs - progress.watchedSinceMs >= limits.firstPayloadMs) {
    return endWithoutPayload(progress, service);
  }
  const stallMs = limits.stallMs + progress.aheadMs;
  if (flowing && nowMs - progress.payloadGrewAtMs >= stallMs) return stalled(progress, nowMs);
  return endForLack(progress, { stallMs: limits.stallMs, nowMs });
}

function excessive(): CaptureEnd {
  const rate = (8 * HOST_LIMITS.sourceBytesPerSecond) / 1e6;
  return {
    cause: "STREAM_EXCESSIVE",
    text: `The source sent more than ${rate} Mbit/s, which would fill the disk.`,
  };
}

/** A source that is not live: what it sends is no proof of an event, and it may fill the disk. */
export function endForPace({ inspection, paceFrom }: Progress, nowMs: number): CaptureEnd | undefined {
  if (inspection === undefined || paceFrom === undefined) return undefined;
  const played = playedMs(inspection) - paceFrom.playedMs;
  const elapsedMs = nowMs - paceFrom.atMs;
  if (!outrunsLive(played, elapsedMs)) return undefined;
  const [content, time] = [formatDuration(played), formatDuration(elapsedMs)];
  return {
    cause: "STREAM_EXCESSIVE",
    text: `The source is not live: it sent ${content} of picture and sound within ${time}.`,
  };
}

/**
 * Picture or sound that this capture had is gone. Another attempt may bring it back; if not, the source lacks it, and the rest is
 * recorded to the end.
 */
function endForLack(
  { flowing, inspection, lacking }: Progress,
  { stallMs, nowMs }: { readonly stallMs: DurationMs; readonly nowMs: number },
): CaptureEnd | undefined {
  if (!flowing || lacking?.hadIt !== true || nowMs - lacking.sinceMs < stallMs) return undefined;
  const cause = isScrambled(lacking, inspection) ? "STREAM_SCRAMBLED" : "STREAM_STALLED";
  const text = lackText(lacking, { found: inspection, nowMs });
  return { cause, text, details: { silentMs: nowMs - lacking.sinceMs } };
}

function isScrambled({ scrambledBefore }: Lacking, found: Inspection | undefined): boolean {
  return (found?.scrambledPackets ?? 0) > scrambledBefore;
}

function lackText(
  lacking: Lacking,
  { found, nowMs }: { readonly found: Inspection | undefined; readonly nowMs: number },
): string {
  const { kind, sinceMs } = lacking;
  const lasted = formatDuration(nowMs - sinceMs);
  return isScrambled(lacking, found)
    ? `The ${kind} of the service has been scrambled for ${lasted}.`
    : `The source has sent the service without ${kind} for ${lasted}.`;
}

/**
 * The reason to doubt the capture, if there is one: a steady source delivers no clear payload for longer than ever before, or much
 * damage. Earlier than `troubleOf`, because a wrong doubt costs nothing.
 */
export function doubtOf(
  progress: Progress,
  { doubtMs, steadyMs }: Pick<ProgressLimits, "doubtMs" | "steadyMs">,
  nowMs: number,
): string | undefined {
  const {
    flowingSinceMs = nowMs,
    payloadGrewAtMs,
    longestPauseMs,
    flawedSinceMs = nowMs,
    lacking,
  } = progress;
  if (lacking !== undefined && progress.flowing && nowMs - lacking.sinceMs >= doubtMs)
    return lackText(lacking, { found: progress.inspection, nowMs });
  if (payloadGrewAtMs - flowingSinceMs < steadyMs) return undefined;
  if (nowMs - payloadGrewAtMs >= Math.max(doubtMs, 2 * longestPauseMs)) return stalled(progress, nowMs).text;
  if (nowMs - flawedSinceMs < doubtMs) return undefined;
  return `Much of the data from the source has been damaged for ${formatDuration(nowMs - flawedSinceMs)}.`;
}

/** Explains a file without valid payload. */
export function endWithoutPayload(progress: Progress, service: Triplet): CaptureEnd {
  const { inspection } = progress;
  if (inspection === undefined || inspection.bytes === 0) {
    return { cause: "STREAM_NO_DATA", text: "The source sent nothing." };
  }
  if (progress.wrongSinceMs !== undefined) return wrongService(progress, service);
  if (inspection.scrambledPackets > 0) {
    return {
      cause: "STREAM_SCRAMBLED",
      text: "The service was scrambled.",
    };
  }
  return { cause: "STREAM_NO_DATA", text: `The source sent ${uselessText(inspection, service)}.` };
}

function uselessText(
  { packets, bytes, foreignPacketBytes, foreignContent }: Inspection,
  service: Triplet,
): string {
  if (foreignPacketBytes !== undefined) return foreignPacketText(foreignPacketBytes);
  if (packets === 0 && foreignContent !== undefined)
    return `${foreignContent} of ${bytes} bytes instead of a transport stream`;
  return packets === 0
    ? `${bytes} bytes that are not a transport stream`
    : `${packets} packets, none of them audio or video of service ${tripletKey(service)}`;
}

function wrongService({ inspection }: Progress, service: Triplet): CaptureEnd {
  const names = (inspection?.services ?? []).map(({ sid, triplet, name }) =>
    [triplet === undefined ? String(sid) : tripletKey(triplet), name ?? ""].join(" ").trim(),
  );
  const listed = names.slice(0, 5).join(", ");
  const text = `The source sends ${listed} where service ${tripletKey(service)} was expected.`;
  return { cause: "STREAM_WRONG_SERVICE", text };
}

function stalled({ inspection, atLastPayload, payloadGrewAtMs }: Progress, nowMs: number): CaptureEnd {
  const details = { silentMs: nowMs - payloadGrewAtMs };
  const silence = formatDuration(details.silentMs);
  const more = (key: "bytes" | "scrambledPackets") => (inspection?.[key] ?? 0) - (atLastPayload?.[key] ?? 0);
  if (more("scrambledPackets") > 0) {
    const text = `The service has been scrambled for ${silence}.`;
    return { cause: "STREAM_SCRAMBLED", text, details };
  }
  const what = more("bytes") > 0 ? "data without audio or video of the service" : "nothing";
  return { cause: "STREAM_STALLED", text: `The source has sent ${what} for ${silence}.`, details };
}
