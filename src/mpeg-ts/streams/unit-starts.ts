import { u8 } from "../bytes.ts";
import { PACKET_BYTES, PID_COUNT, payloadAt } from "../packets.ts";

/** This many false unit starts in a row mean an unreadable stream: a single one may be damage. */
const UNREADABLE_FROM = 3;
/** Start code, stream_id, length, and the byte with PES_scrambling_control. ISO/IEC 13818-1 §2.4.3.6. */
const HEADER_BYTES = 7;

interface Stream {
  state: "undecided" | "clear" | "unreadable";
  /** Consecutive false unit starts. */
  falseStarts: number;
  /** Packets not yet classified. */
  undecided: number;
  unreadable: number;
}

/**
 * Detects audio and video that are scrambled but not flagged (transport_scrambling_control 0): the header of a unit is never
 * scrambled, so its packet must contain a start code.
 *
 * Packets are unreadable from the first false start to the next true one; those before the very first start share its verdict.
 */
export class UnitStarts {
  readonly #onUnreadable: (pid: number) => void;
  readonly #streams = new Map<number, Stream>();
  /** 1 for a PID whose stream is clear: nearly every packet needs only this lookup. */
  readonly #isClear = new Uint8Array(PID_COUNT);
  #clear = 0;

  /** @param onUnreadable a stream has become unreadable */
  constructor(onUnreadable: (pid: number) => void = () => {}) {
    this.#onUnreadable = onUnreadable;
  }

  /** @param at of a packet with payload that is not flagged as scrambled */
  packet(pid: number, bytes: Uint8Array, at: number): void {
    const starts = ((bytes[at + 1] ?? 0) & 0x40) !== 0;
    if (!starts && this.#isClear[pid] === 1) {
      this.#clear += 1;
      return;
    }
    const stream = this.#streamOf(pid);
    const before = stream.state;
    if (starts) this.#start(stream, isTrueStart(bytes, at));
    if (stream.state === "unreadable" && before !== "unreadable") this.#onUnreadable(pid);
    this.#isClear[pid] = stream.state === "clear" ? 1 : 0;
    if (stream.state === "clear") this.#clear += 1;
    else if (stream.state === "unreadable") stream.unreadable += 1;
    else stream.undecided += 1;
  }

  /** Number of readable packets. */
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

/** A header cut off by the end of its packet is accepted. */
function isTrueStart(bytes: Uint8Array, at: number): boolean {
  const from = payloadAt(bytes, at);
  if (from + HEADER_BYTES > at + PACKET_BYTES) return true;
  const hasStartCode = u8(bytes, from) === 0 && u8(bytes, from + 1) === 0 && u8(bytes, from + 2) === 1;
  // "10", then PES_scrambling_control: units may also be scrambled at PES level.
  const flags = u8(bytes, from + 6);
  return hasStartCode && ((flags & 0xc0) !== 0x80 || (flags & 0x30) === 0);
}
