import { foreignPacketText } from "../../model/foreign-packets.ts";
import type { Inspection, Lack } from "../../model/inspection.ts";
import { LIMITS } from "../../model/limits.ts";
import type { CaptureEnd } from "../../model/ports.ts";
import { sameTriplet, type Triplet, tripletKey } from "../../model/service.ts";
import { type DurationMs, type EpochMs, formatDuration, SECOND } from "../../model/time.ts";
import { lengthMs } from "../../model/window.ts";

/** As much as the capture host bears with, which holds such sources back. ffmpeg takes whatever comes. */
const EXCESS_BYTES_MAX = (LIMITS.hostSourceBytesPerSecond * LIMITS.hostFloodMs) / SECOND;
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

/** What is known of a watched file. All times are readings of the monotonic clock. */
export interface Progress {
  readonly watchedSinceMs: number;
  /** When the file was last read; absent before the first time. */
  readonly lookedAtMs?: number;
  /** The latest reading of the file; absent while there is no file. */
  readonly found?: Inspection;
  /** Valid clear payload of the service is on disk. */
  readonly flowing: boolean;
  readonly payloadGrewAtMs: number;
  /** The reading when payload grew last: tells what came since. */
  readonly atLastPayload?: Inspection;
  /** When payload was seen for the first time. */
  readonly flowingSinceMs?: number;
  /** The longest time between two looks that saw payload grow: some sources come in portions. */
  readonly longestPauseMs: DurationMs;
  /** Since when much of what came is damaged, without a break. */
  readonly flawedSinceMs?: number;
  /** Since when the PAT names another transport stream, and no table the service: it may be another one with the same number. */
  readonly elsewhereSinceMs?: number;
  /** Since when the tables name another service, without a break. */
  readonly wrongSinceMs?: number;
  /** Picture or sound that is missing while the rest of the service comes. */
  readonly lacking?: Lacking;
  /** What came beyond the rate that a source may bring, since it last kept to that. */
  readonly excessBytes: number;
}

export interface Lacking {
  readonly kind: Lack["kind"];
  readonly sinceMs: number;
  /** This capture had it before: another one may have it again. */
  readonly hadIt: boolean;
  /** Packets of the service that were scrambled before it was missing. */
  readonly scrambledBefore: number;
}

export function unseen(nowMs: number): Progress {
  return { watchedSinceMs: nowMs, flowing: false, payloadGrewAtMs: nowMs, longestPauseMs: 0, excessBytes: 0 };
}

export function seen(
  before: Progress,
  {
    found,
    service,
    limits,
    nowMs,
  }: {
    readonly found: Inspection;
    readonly service: Triplet;
    readonly limits: Pick<ProgressLimits, "doubtFlawsPercent" | "wrongServiceMs">;
    readonly nowMs: number;
  },
): Progress {
  const wrong = namesAnother(found, service);
  const grew = found.payloadPackets > (before.found?.payloadPackets ?? 0);
  // A capture that writes once a second shows nothing new at times: that says nothing of the source.
  const isNews = found.bytes !== before.found?.bytes;
  const flawed = isNews ? isFlawed(found, before.found, limits) : before.flawedSinceMs !== undefined;
  const {
    wrongSinceMs = nowMs,
    elsewhereSinceMs = nowMs,
    flawedSinceMs = nowMs,
    flowingSinceMs = nowMs,
    lacking: lackedBefore,
    ...rest
  } = before;
  const lacking = isNews
    ? lackOf(found, { before: lackedBefore, scrambledLast: before.found?.scrambledPackets ?? 0, nowMs })
    : lackedBefore;
  const elsewhere = mayBeAnother(found, service);
  // An SDT comes every two seconds at the latest: what has none by then lost it on its way here.
  const unsure = wrong || (elsewhere && nowMs - elsewhereSinceMs < limits.wrongServiceMs);
  const flowing = before.flowing || (found.payloadPackets > 0 && !unsure);
  const pauseMs = before.flowing ? nowMs - before.payloadGrewAtMs : 0;
  return {
    ...rest,
    found,
    lookedAtMs: nowMs,
    excessBytes: excessAfter(before, found, nowMs),
    flowing,
    ...(flowing ? { flowingSinceMs } : {}),
    ...(grew
      ? {
          payloadGrewAtMs: nowMs,
          atLastPayload: found,
          longestPauseMs: Math.max(before.longestPauseMs, pauseMs),
        }
      : {}),
    ...(elsewhere ? { elsewhereSinceMs } : {}),
    ...(wrong ? { wrongSinceMs } : {}),
    ...(flawed ? { flawedSinceMs } : {}),
    ...(lacking === undefined ? {} : { lacking }),
  };
}

/** An adopted capture may have hours on disk at the first look, which say nothing of its rate. */
function excessAfter(
  { found: last, lookedAtMs, excessBytes }: Progress,
  found: Inspection,
  nowMs: number,
): number {
  if (last === undefined || lookedAtMs === undefined) return 0;
  const allowed = (LIMITS.hostSourceBytesPerSecond * (nowMs - lookedAtMs)) / SECOND;
  return Math.max(0, excessBytes + found.bytes - last.bytes - allowed);
}

/** The lack that lasts to the end of what is on disk, if one does; of two the older. */
function lackOf(
  { lacks, streamMs }: Inspection,
  {
    before,
    scrambledLast,
    nowMs,
  }: {
    readonly before: Lacking | undefined;
    /** At the look before this one. */
    readonly scrambledLast: number;
    readonly nowMs: number;
  },
): Lacking | undefined {
  const lack = lacks.find(({ stop }) => stop >= streamMs);
  if (lack === undefined) return undefined;
  const { kind } = lack;
  // An adopted capture has lacked it for longer than this daemon has watched.
  const sinceMs = before?.kind === kind ? before.sinceMs : nowMs - lengthMs(lack);
  const scrambledBefore = before?.scrambledBefore ?? scrambledLast;
  return { kind, sinceMs, hadIt: lack.start > 0, scrambledBefore };
}

/** Whether much of what came since the last look is damaged. */
function isFlawed(
  found: Inspection,
  before: Inspection | undefined,
  { doubtFlawsPercent }: Pick<ProgressLimits, "doubtFlawsPercent">,
): boolean {
  const packets = found.packets - (before?.packets ?? 0);
  const flaws = flawsIn(found) - (before === undefined ? 0 : flawsIn(before));
  return flaws > 0 && 100 * flaws >= doubtFlawsPercent * packets;
}

function flawsIn({ continuityErrors, transportErrors, damagedPackets, junkBytes }: Inspection): number {
  return continuityErrors + transportErrors + damagedPackets + junkBytes / PACKET_BYTES;
}

/** More of a stream than this behind its last TDT (at most 30 s apart, TR 101 211 §4.4) is a jump of its clock. */
const TIME_AGE_MS_MAX = 60 * SECOND;

/** The broadcast's time at the end of what is on disk, where this look found it told anew. */
export function newTime(before: Progress, { found }: Progress): EpochMs | undefined {
  if (found?.lastTime === undefined || found.lastTime.utc === before.found?.lastTime?.utc) return undefined;
  const sinceMs = found.streamMs - found.lastTime.streamMs;
  return sinceMs > TIME_AGE_MS_MAX ? undefined : found.lastTime.utc + sinceMs;
}

/**
 * The PAT does not list the service, or the tables name all three ids and they are others. A stream that lost some of them in a
 * remultiplexer is given the benefit of the doubt.
 */
function namesAnother({ services }: Inspection, service: Triplet): boolean {
  const triplet = services.find(({ sid }) => sid === service.sid)?.triplet;
  if (triplet !== undefined && !sameTriplet(triplet, service)) return true;
  const listed = services.filter(({ pmtPid }) => pmtPid !== undefined);
  return listed.length > 0 && listed.every(({ sid }) => sid !== service.sid);
}

/** The PAT is of another transport stream, and no SDT has said yet which service it is that has this number there. */
function mayBeAnother({ transportStreamId, services }: Inspection, { tsid, sid }: Triplet): boolean {
  const isNamed = services.some((service) => service.sid === sid && service.triplet !== undefined);
  return !isNamed && transportStreamId !== undefined && transportStreamId !== tsid;
}

/** Why the capture must be ended now, if it must. */
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
  if (nowMs - wrongSinceMs >= limits.wrongServiceMs) return wrongService(progress, service);
  if (!flowing && nowMs - progress.watchedSinceMs >= limits.firstPayloadMs) {
    return nothingValid(progress, service);
  }
  if (flowing && nowMs - progress.payloadGrewAtMs >= limits.stallMs) return stalled(progress, nowMs);
  return lost(progress, { stallMs: limits.stallMs, nowMs });
}

function excessive(): CaptureEnd {
  const rate = (8 * LIMITS.hostSourceBytesPerSecond) / 1e6;
  return {
    cause: "STREAM_EXCESSIVE",
    text: `The source sent more than ${rate} Mbit/s, which would fill the disk.`,
  };
}

/**
 * Picture or sound that this capture had is gone. Another try may bring it back; where that one never has it, the source is without, and
 * what it sends is recorded to the end.
 */
function lost(
  { flowing, found, lacking }: Progress,
  { stallMs, nowMs }: { readonly stallMs: DurationMs; readonly nowMs: number },
): CaptureEnd | undefined {
  if (!flowing || lacking?.hadIt !== true || nowMs - lacking.sinceMs < stallMs) return undefined;
  const cause = isScrambled(lacking, found) ? "STREAM_SCRAMBLED" : "STREAM_STALLED";
  return { cause, text: lackText(lacking, { found, nowMs }) };
}

function isScrambled({ scrambledBefore }: Lacking, found: Inspection | undefined): boolean {
  return (found?.scrambledPackets ?? 0) > scrambledBefore;
}

function lackText(
  lacking: Lacking,
  { found, nowMs }: { readonly found: Inspection | undefined; readonly nowMs: number },
): string {
  const { kind, sinceMs } = lacking;
  const what = isScrambled(lacking, found) ? `clear ${kind}: it is scrambled` : kind;
  return `For ${formatDuration(nowMs - sinceMs)} the source has sent the service without ${what}.`;
}

/**
 * Why it seems to fail, if it does: what had flowed for a while brings nothing clear for longer than it ever did, or much that is
 * damaged. Sooner than `troubleOf`, since nothing is lost where this is wrong.
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
    return lackText(lacking, { found: progress.found, nowMs });
  if (payloadGrewAtMs - flowingSinceMs < steadyMs) return undefined;
  if (nowMs - payloadGrewAtMs >= Math.max(doubtMs, 2 * longestPauseMs)) return stalled(progress, nowMs).text;
  if (nowMs - flawedSinceMs < doubtMs) return undefined;
  return `For ${formatDuration(nowMs - flawedSinceMs)} much of what the source has sent is damaged.`;
}

/** What a file means in which no valid payload was found. */
export function nothingValid(progress: Progress, service: Triplet): CaptureEnd {
  const { found } = progress;
  if (found === undefined || found.bytes === 0) {
    return { cause: "STREAM_NO_DATA", text: "The source sent nothing." };
  }
  if (progress.wrongSinceMs !== undefined) return wrongService(progress, service);
  if (found.scrambledPackets > 0) {
    return {
      cause: "STREAM_SCRAMBLED",
      text: "The source sent the service scrambled.",
    };
  }
  return { cause: "STREAM_NO_DATA", text: `The source sent ${uselessText(found, service)}.` };
}

function uselessText({ packets, bytes, foreignPacketBytes }: Inspection, service: Triplet): string {
  if (foreignPacketBytes !== undefined) return foreignPacketText(foreignPacketBytes);
  return packets === 0
    ? `${bytes} bytes that are no transport stream`
    : `${packets} packets, none of them audio or video of service ${tripletKey(service)}`;
}

function wrongService({ found }: Progress, service: Triplet): CaptureEnd {
  const names = (found?.services ?? []).map(({ sid, triplet, name }) =>
    [triplet === undefined ? String(sid) : tripletKey(triplet), name ?? ""].join(" ").trim(),
  );
  const listed = names.slice(0, 5).join(", ");
  const text = `The source sends ${listed} where service ${tripletKey(service)} was expected.`;
  return { cause: "STREAM_WRONG_SERVICE", text };
}

function stalled({ found, atLastPayload, payloadGrewAtMs }: Progress, nowMs: number): CaptureEnd {
  const silence = formatDuration(nowMs - payloadGrewAtMs);
  const more = (key: "bytes" | "scrambledPackets") => (found?.[key] ?? 0) - (atLastPayload?.[key] ?? 0);
  if (more("scrambledPackets") > 0) {
    return { cause: "STREAM_SCRAMBLED", text: `For ${silence} the source has sent the service scrambled.` };
  }
  const what = more("bytes") > 0 ? "data without audio or video of the service" : "nothing";
  return { cause: "STREAM_STALLED", text: `For ${silence} the source has sent ${what}.` };
}
