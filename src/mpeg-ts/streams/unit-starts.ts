import { u8 } from "../bytes.ts";
import { PACKET_BYTES, PID_COUNT, payloadAt } from "../packets.ts";

/** So many units in a row that do not begin as such: a damaged one may come now and then, several in a row are no units. */
const UNREADABLE_FROM = 3;
/** Start code, stream_id, length, and the byte with PES_scrambling_control. ISO/IEC 13818-1 §2.4.3.6. */
const HEADER_BYTES = 7;

interface Stream {
  state: "undecided" | "clear" | "unreadable";
  /** Units in a row that did not begin as such. */
  falseStarts: number;
  /** Packets of which it is not known yet what they are. */
  undecided: number;
  unreadable: number;
}

/**
 * Tells audio and video that can be read from such as is scrambled and does not say so (transport_scrambling_control 0): the
 * packet that begins a unit says so in its header, which is never scrambled, and then has a start code.
 *
 * What is unreadable is so from the first false start to the next true one, and what comes before the very first start of all
 * shares its fate.
 */
export class UnitStarts {
  readonly #streams = new Map<number, Stream>();
  /** 1 for a PID whose stream is clear: nearly every packet asks, and needs to know no more. */
  readonly #isClear = new Uint8Array(PID_COUNT);
  #clear = 0;

  /** @param at of a packet with payload that does not say that it is scrambled */
  packet(pid: number, bytes: Uint8Array, at: number): void {
    const starts = ((bytes[at + 1] ?? 0) & 0x40) !== 0;
    if (!starts && this.#isClear[pid] === 1) {
      this.#clear += 1;
      return;
    }
    const stream = this.#streamOf(pid);
    if (starts) this.#start(stream, isTrueStart(bytes, at));
    this.#isClear[pid] = stream.state === "clear" ? 1 : 0;
    if (stream.state === "clear") this.#clear += 1;
    else if (stream.state === "unreadable") stream.unreadable += 1;
    else stream.undecided += 1;
  }

  /** Packets that can be read. */
  get clear(): number {
    return this.#clear;
  }

  unreadable(pid: number): number {
    return this.#streams.get(pid)?.unreadable ?? 0;
  }

  get undecided(): number {
    return [...this.#streams.values()].reduce((sum, { undecided }) => sum + undecided, 0);
  }

  #start(stream: Stream, isTrue: boolean): void {
    if (isTrue) {
      this.#clear += stream.undecided;
      stream.undecided = 0;
      stream.state = "clear";
      stream.falseStarts = 0;
      return;
    }
    stream.falseStarts += 1;
    if (stream.state === "clear") stream.state = "undecided";
    if (stream.falseStarts < UNREADABLE_FROM) return;
    stream.state = "unreadable";
    stream.unreadable += stream.undecided;
    stream.undecided = 0;
  }

  #streamOf(pid: number): Stream {
    const known = this.#streams.get(pid);
    if (known !== undefined) return known;
    const made: Stream = { state: "undecided", falseStarts: 0, undecided: 0, unreadable: 0 };
    this.#streams.set(pid, made);
    return made;
  }
}

/** A header that is cut off by the end of its packet is given the benefit of the doubt. */
function isTrueStart(bytes: Uint8Array, at: number): boolean {
  const from = payloadAt(bytes, at);
  if (from + HEADER_BYTES > at + PACKET_BYTES) return true;
  const hasStartCode = u8(bytes, from) === 0 && u8(bytes, from + 1) === 0 && u8(bytes, from + 2) === 1;
  // "10", and then PES_scrambling_control: units may be scrambled one level up as well.
  const flags = u8(bytes, from + 6);
  return hasStartCode && ((flags & 0xc0) !== 0x80 || (flags & 0x30) === 0);
}
