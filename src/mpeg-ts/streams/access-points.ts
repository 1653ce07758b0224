import { firstOf, type StreamFacts } from "../../model/inspection.ts";
import type { DurationMs } from "../../model/time.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import { allowsRandomAccess, PACKET_BYTES, payloadAt } from "../packets.ts";
import { crc32 } from "../tables/sections.ts";
import { ptsOf, STAMP_WRAP, STAMPS_PER_MS, stampStep, stampStepMs } from "./pes.ts";
import { ACCESS, H264, H265, MPEG_VIDEO, NO_ACCESS, OPEN, type Syntax, UnitScan } from "./unit-scan.ts";

/** Radio can begin in any PES packet: one each second is enough. */
const AUDIO_STAMPS_MIN = 1000 * STAMPS_PER_MS;
/** Pictures that are all coded for themselves must not make a large index. */
const VIDEO_STAMPS_MIN = 100 * STAMPS_PER_MS;
/** PTS and PCR differ by the time in the decoder's buffer, which varies. */
export const BUFFER_MS_MAX: DurationMs = 2000;

/** A place in a file at which a decoder can begin. @see AccessPoint */
export interface FoundPoint {
  readonly offset: number;
  readonly pts: number;
  readonly streamMs: DurationMs;
  /** CRC-32 of the transport packet at `offset`: shows whether a file is the one described. */
  readonly check: number;
}

/** A picture before which a first segment may end: all pictures after it are shown later than those before. */
export type FoundCut = Pick<FoundPoint, "offset" | "pts" | "streamMs">;

/** Looks for one picture that begins so long after the first access point. */
export interface CutSearch {
  readonly afterMs: DurationMs;
  readonly found: (cut: FoundCut) => void;
}

interface AccessParts {
  /** Offset in the file of the packet at this place in the buffer. */
  readonly offsetOf: (at: number) => number;
  /** Position on the service's timeline; `undefined` before its clock is known. */
  readonly positionMs: () => DurationMs | undefined;
  readonly found: (point: FoundPoint) => void;
  readonly firstCut?: CutSearch | undefined;
}

/** Finds the access points of one stream: the picture of a service, or its sound if it has no picture. */
export class AccessPoints {
  readonly #parts: AccessParts;
  readonly #scan = new UnitScan();
  #pid: number | undefined;
  #isAudio = false;
  /** Absent: only `random_access_indicator` shows where a decoder can begin. */
  #syntax: Syntax | undefined;
  #isOpen = false;
  /** Packets of the PES packet so far. */
  #packets = 0;
  /** The place of its first packet, and the packet, once further ones must decide. */
  #offset = 0;
  #positionMs: DurationMs | undefined;
  readonly #first = new Uint8Array(PACKET_BYTES);
  #last: FoundPoint | undefined;
  /** Absent: no cut is wanted, or it was found. */
  #cut: CutSearch | undefined;
  /** The point from which the search for the cut counts, and the latest PTS since. */
  #cutFrom: FoundPoint | undefined;
  #latestPts = 0;

  constructor(parts: AccessParts) {
    this.#parts = parts;
    this.#cut = parts.firstCut;
  }

  /** Follows the first video stream of a service, or its first audio stream. */
  follow(streams: readonly StreamFacts[]): void {
    const stream = firstOf(streams, "video") ?? firstOf(streams, "audio");
    if (stream?.pid !== this.#pid) this.#isOpen = false;
    this.#pid = stream?.pid;
    this.#isAudio = stream?.kind === "audio";
    this.#syntax = SYNTAXES[stream?.codec ?? ""];
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  /** Whether more packets must decide. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** A packet with clear payload begins a PES packet of `pid`. */
  begin(bytes: Uint8Array, at: number): void {
    if (this.#cut !== undefined && this.#cutFrom !== undefined) this.#lookForCut(this.#cutFrom, bytes, at);
    const isMarked = this.#isAudio || allowsRandomAccess(bytes, at);
    this.#isOpen = false;
    if (!isMarked && this.#syntax === undefined) return;
    this.#scan.begin(isMarked ? undefined : this.#syntax);
    const verdict = this.#scan.take(bytes, payloadAt(bytes, at), at + PACKET_BYTES);
    if (verdict === NO_ACCESS) return;
    this.#offset = this.#parts.offsetOf(at);
    this.#positionMs = this.#parts.positionMs();
    this.#isOpen = verdict === OPEN;
    this.#packets = 1;
    const packet = bytes.subarray(at, at + PACKET_BYTES);
    if (this.#isOpen) this.#first.set(packet);
    else this.#found(packet);
  }

  /** A further packet of it, while `isOpen`. */
  goOn(bytes: Uint8Array, at: number): void {
    this.#packets += 1;
    const verdict = this.#scan.take(bytes, payloadAt(bytes, at), at + PACKET_BYTES);
    this.#isOpen = verdict === OPEN && this.#packets < MPEG_TS_LIMITS.accessPackets;
    if (verdict === ACCESS) this.#found(this.#first);
  }

  /** Packets of `pid` were lost. */
  lost(): void {
    this.#isOpen = false;
  }

  #lookForCut(from: FoundPoint, bytes: Uint8Array, at: number): void {
    const pts = ptsOf(bytes.subarray(payloadAt(bytes, at), at + PACKET_BYTES));
    // A picture may be sent after one that is shown later, on which it depends: both belong to the same side of a cut.
    if (pts === undefined || stampStep(this.#latestPts, pts) <= 0) return;
    this.#latestPts = pts;
    const streamMs = Math.round(this.#parts.positionMs() ?? from.streamMs + stampStepMs(from.pts, pts));
    const cut = { offset: this.#parts.offsetOf(at), pts, streamMs };
    if (!continuesPts(from, cut)) this.#cutFrom = undefined;
    else if (streamMs - from.streamMs >= (this.#cut?.afterMs ?? 0)) this.#endCut(cut);
  }

  #endCut(cut: FoundCut): void {
    const search = this.#cut;
    this.#cut = undefined;
    search?.found(cut);
  }

  #found(packet: Uint8Array): void {
    const { pts } = this.#scan;
    const last = this.#last;
    const least = this.#isAudio ? AUDIO_STAMPS_MIN : VIDEO_STAMPS_MIN;
    const since = last === undefined ? STAMP_WRAP : (pts - last.pts + STAMP_WRAP) % STAMP_WRAP;
    if (since < least) return;
    const lastMs = last?.streamMs ?? 0;
    const positionMs = this.#positionMs ?? lastMs + (last === undefined ? 0 : stampStepMs(last.pts, pts));
    const streamMs = Math.max(lastMs, Math.round(positionMs));
    this.#last = { offset: this.#offset, pts, streamMs, check: crc32(packet) };
    if (last === undefined) [this.#cutFrom, this.#latestPts] = [this.#last, pts];
    this.#parts.found(this.#last);
  }
}

const SYNTAXES: Readonly<Record<string, Syntax>> = {
  "MPEG-1 video": MPEG_VIDEO,
  "MPEG-2 video": MPEG_VIDEO,
  "H.264": H264,
  "H.265": H265,
};

/** Whether the PTS of a point continues that of the one before, or jumps with the clock or over missing data. */
export function continuesPts(
  before: Pick<FoundPoint, "pts" | "streamMs">,
  after: Pick<FoundPoint, "pts" | "streamMs">,
): boolean {
  const apartMs = after.streamMs - before.streamMs;
  return Math.abs(stampStepMs(before.pts, after.pts) - apartMs) <= BUFFER_MS_MAX;
}
