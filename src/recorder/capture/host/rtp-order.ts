import type { DurationMs } from "../../../model/time.ts";

const HEADER_BYTES = 12;
const SEQUENCES = 0x10000;
/** A sender that leaps further has begun anew. */
const LEAP = 0x1000;
/** So many packets are held for one that is missing; on most networks two are enough. */
const HELD_MAX = 64;
const PATIENCE_MS: DurationMs = 100;

/**
 * Puts RTP packets in the order of their numbers and hands on what they carry (RFC 3550 §5.1, RFC 2250 §2). One that is missing is
 * waited for; one that comes too late, or twice, is dropped.
 */
export class RtpOrder {
  readonly #take: (bytes: Buffer, from: number, to: number) => void;
  readonly #held = new Map<number, Buffer>();
  #next: number | undefined;
  #heldSinceMs = 0;
  /** Packets that were never there, that came before their turn, and that came too late or twice. */
  lost = 0;
  early = 0;
  late = 0;
  /** Datagrams that are no RTP. */
  foreign = 0;

  constructor(take: (bytes: Buffer, from: number, to: number) => void) {
    this.#take = take;
  }

  packet(datagram: Buffer, nowMs: number): void {
    const payload = payloadOf(datagram);
    if (payload === undefined) {
      this.foreign += 1;
      return;
    }
    const number = datagram.readUInt16BE(2);
    const ahead = (number - (this.#next ?? number) + SEQUENCES) % SEQUENCES;
    if (ahead === 0) {
      this.#pass(payload, number);
      this.#passHeld();
    } else if (ahead < LEAP) {
      if (this.#held.size === 0) this.#heldSinceMs = nowMs;
      if (this.#held.has(number)) {
        this.late += 1;
        return;
      }
      this.early += 1;
      this.#held.set(number, Buffer.from(payload));
      if (this.#held.size > HELD_MAX) this.#giveUp();
    } else if (ahead > SEQUENCES - LEAP) {
      this.late += 1;
    } else {
      while (this.#held.size > 0) this.#giveUp();
      this.#pass(payload, number);
    }
  }

  /** Called many times a second. */
  look(nowMs: number): void {
    if (this.#held.size === 0 || nowMs - this.#heldSinceMs < PATIENCE_MS) return;
    this.#giveUp();
    this.#heldSinceMs = nowMs;
  }

  /** The stream has ended: nothing that is missing will come. */
  end(): void {
    while (this.#held.size > 0) this.#giveUp();
  }

  /** Goes on behind what is missing first. Few are held, while thousands may be missing: looks at those that are there. */
  #giveUp(): void {
    const next = this.#next;
    if (next === undefined || this.#held.size === 0) return;
    const aheads = Array.from(this.#held.keys(), (number) => (number - next + SEQUENCES) % SEQUENCES);
    const missing = Math.min(...aheads);
    this.lost += missing;
    this.#next = (next + missing) % SEQUENCES;
    this.#passHeld();
  }

  #passHeld(): void {
    for (;;) {
      const number = this.#next;
      const payload = number === undefined ? undefined : this.#held.get(number);
      if (number === undefined || payload === undefined) return;
      this.#held.delete(number);
      this.#pass(payload, number);
    }
  }

  #pass(payload: Buffer, number: number): void {
    this.#next = (number + 1) % SEQUENCES;
    if (payload.length > 0) this.#take(payload, 0, payload.length);
  }
}

/** `undefined` for what is no RTP packet. */
function payloadOf(datagram: Buffer): Buffer | undefined {
  if (datagram.length < HEADER_BYTES) return undefined;
  const first = datagram.readUInt8(0);
  if (first >> 6 !== 2) return undefined;
  let from = HEADER_BYTES + 4 * (first & 0x0f);
  if ((first & 0x10) !== 0) {
    if (datagram.length < from + 4) return undefined;
    from += 4 + 4 * datagram.readUInt16BE(from + 2);
  }
  const padding = (first & 0x20) !== 0 ? datagram.readUInt8(datagram.length - 1) : 0;
  return from + padding <= datagram.length ? datagram.subarray(from, datagram.length - padding) : undefined;
}
