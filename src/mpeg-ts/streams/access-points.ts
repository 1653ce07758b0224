import type { StreamFacts } from "../../model/inspection.ts";
import type { DurationMs } from "../../model/time.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import { allowsRandomAccess, PACKET_BYTES, payloadAt } from "../packets.ts";
import { crc32 } from "../tables/sections.ts";
import { ACCESS, H264, H265, MPEG_VIDEO, OPEN, type Syntax, UnitScan } from "./unit-scan.ts";

const STAMPS_PER_MS = 90;
const STAMP_WRAP = 2 ** 33;
/** Radio can begin in any PES packet: one each second is enough. */
const AUDIO_STAMPS_MIN = 1000 * STAMPS_PER_MS;
/** Pictures that are all coded for themselves must not make a large index. */
const VIDEO_STAMPS_MIN = 100 * STAMPS_PER_MS;
/** PTS and PCR differ by the time in the decoder's buffer, which varies. */
const BUFFER_MS_MAX: DurationMs = 2000;

/** A place in a file at which a decoder can begin. @see AccessPoint */
export interface FoundPoint {
  readonly offset: number;
  readonly pts: number;
  readonly streamMs: DurationMs;
  /** CRC-32 of the transport packet at `offset`: shows whether a file is the one described. */
  readonly check: number;
}

interface AccessParts {
  /** Offset in the file of the packet at this place in the buffer. */
  readonly offsetOf: (at: number) => number;
  /** Position on the service's timeline; `undefined` before its clock is known. */
  readonly positionMs: () => DurationMs | undefined;
  readonly found: (point: FoundPoint) => void;
}

/** Finds the access points of one stream: the picture of a service, or its sound if it has no picture. */
export class AccessPoints {
  readonly #parts: AccessParts;
  readonly #scan = new UnitScan();
  /** The packet that begins the PES packet. */
  readonly #first = new Uint8Array(PACKET_BYTES);
  #stream: StreamFacts | undefined;
  #isOpen = false;
  #packets = 0;
  #offset = 0;
  #positionMs: DurationMs | undefined;
  #last: FoundPoint | undefined;

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /** Follows the first video stream of a service, or its first audio stream. */
  follow(streams: readonly StreamFacts[]): void {
    const of = (wanted: StreamFacts["kind"]) => streams.find(({ kind }) => kind === wanted);
    const next = of("video") ?? of("audio");
    if (next?.pid !== this.pid) this.#isOpen = false;
    this.#stream = next;
  }

  get pid(): number | undefined {
    return this.#stream?.pid;
  }

  /** Whether more packets must decide. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** A packet with clear payload begins a PES packet of `pid`. */
  begin(bytes: Uint8Array, at: number): void {
    const { kind, codec = "" } = this.#stream ?? {};
    const syntax = SYNTAXES[codec];
    const isMarked = kind === "audio" || allowsRandomAccess(bytes, at);
    this.#isOpen = isMarked || syntax !== undefined;
    if (!this.#isOpen) return;
    this.#packets = 0;
    this.#offset = this.#parts.offsetOf(at);
    this.#positionMs = this.#parts.positionMs();
    this.#scan.begin(isMarked ? undefined : syntax);
    this.#take(bytes, at);
    if (this.#isOpen) this.#first.set(bytes.subarray(at, at + PACKET_BYTES));
  }

  /** A further packet of it, while `isOpen`. */
  goOn(bytes: Uint8Array, at: number): void {
    this.#take(bytes, at);
  }

  /** Packets of `pid` were lost. */
  lost(): void {
    this.#isOpen = false;
  }

  #take(bytes: Uint8Array, at: number): void {
    this.#packets += 1;
    const verdict = this.#scan.take(bytes, payloadAt(bytes, at), at + PACKET_BYTES);
    this.#isOpen = verdict === OPEN && this.#packets < MPEG_TS_LIMITS.accessPackets;
    if (verdict === ACCESS) {
      this.#found(this.#packets === 1 ? bytes.subarray(at, at + PACKET_BYTES) : this.#first);
    }
  }

  #found(packet: Uint8Array): void {
    const { pts } = this.#scan;
    const last = this.#last;
    const least = this.#stream?.kind === "audio" ? AUDIO_STAMPS_MIN : VIDEO_STAMPS_MIN;
    const since = last === undefined ? STAMP_WRAP : (pts - last.pts + STAMP_WRAP) % STAMP_WRAP;
    if (since < least) return;
    const lastMs = last?.streamMs ?? 0;
    const positionMs = this.#positionMs ?? lastMs + (last === undefined ? 0 : stampsMs(last.pts, pts));
    const streamMs = Math.max(lastMs, Math.round(positionMs));
    this.#last = { offset: this.#offset, pts, streamMs, check: crc32(packet) };
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
  return Math.abs(stampsMs(before.pts, after.pts) - apartMs) <= BUFFER_MS_MAX;
}

/** Time between two PTS in either order, across the wrap. */
function stampsMs(from: number, to: number): DurationMs {
  const step = (to - from + STAMP_WRAP) % STAMP_WRAP;
  return (step > STAMP_WRAP / 2 ? step - STAMP_WRAP : step) / STAMPS_PER_MS;
}
