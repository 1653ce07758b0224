import type { DurationMs } from "../../../model/time.ts";

const HEADER_BYTES = 12;
const SOURCE_AT = 8;
const SEQUENCES = 0x10000;
/** A larger jump means that the sender restarted. */
const LEAP = 0x1000;
/** Two successive packets further behind mean that too: MAX_MISORDER of RFC 3550 appendix A.1. */
const LATE_MAX = 100;
/** Packets buffered while one is missing; on most networks two are enough. */
const BUFFERED_MAX = 64;
const PATIENCE_MS: DurationMs = 100;

/**
 * Sorts RTP packets by sequence number and passes on their payload (RFC 3550 §5.1, RFC 2250 §2). It waits for missing packets, and
 * drops late and duplicate ones.
 */
export class RtpOrder {
  readonly #take: (bytes: Buffer, from: number, to: number) => void;
  readonly #buffered = new Map<number, Buffer>();
  #next: number | undefined;
  #bufferedSinceMs = 0;
  #source: number | undefined;
  /** The number after a packet that came far too late, if no packet in order came since. */
  #nextBehind: number | undefined;
  /** The first payload under the number of the packet before it. */
  #repeat: Buffer | undefined;
  #isUncounted = false;
  /** Counts packets that never arrived, arrived early, and arrived late or twice. */
  lost = 0;
  early = 0;
  late = 0;
  /** Counts datagrams that are not RTP. */
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
    this.#follow(rtpSourceOf(datagram));
    const number = datagram.readUInt16BE(2);
    const ahead = (number - (this.#next ?? number) + SEQUENCES) % SEQUENCES;
    if (ahead === 0) {
      this.#pass(payload, number);
      this.#passHeld();
    } else if (ahead < LEAP) {
      if (this.#buffered.size === 0) this.#bufferedSinceMs = nowMs;
      if (this.#buffered.has(number)) {
        this.late += 1;
        return;
      }
      this.early += 1;
      this.#buffered.set(number, Buffer.from(payload));
      if (this.#buffered.size > BUFFERED_MAX) this.#giveUp();
    } else if (ahead === SEQUENCES - 1 && this.#standsStill(payload)) {
      this.#take(payload, 0, payload.length);
    } else if (ahead > SEQUENCES - LEAP && !this.#isRestart(number, SEQUENCES - ahead)) {
      this.late += 1;
    } else {
      this.end();
      this.#pass(payload, number);
    }
  }

  /** Another synchronisation source has numbers of its own. */
  #follow(source: number): void {
    if (this.#source !== undefined && this.#source !== source) {
      this.end();
      this.#next = undefined;
    }
    this.#source = source;
  }

  #isRestart(number: number, behind: number): boolean {
    if (behind <= LATE_MAX) return false;
    if (number === this.#nextBehind) return true;
    this.#nextBehind = (number + 1) % SEQUENCES;
    return false;
  }

  /** Some senders never count: several packets in a row have one number, and each another content than its duplicate would have. */
  #standsStill(payload: Buffer): boolean {
    if (this.#isUncounted) return true;
    const before = this.#repeat;
    this.#repeat ??= Buffer.from(payload);
    if (before === undefined || before.equals(payload)) return false;
    this.#isUncounted = true;
    this.late -= 1;
    this.#take(before, 0, before.length);
    return true;
  }

  /** Called many times a second. */
  look(nowMs: number): void {
    if (this.#buffered.size === 0 || nowMs - this.#bufferedSinceMs < PATIENCE_MS) return;
    this.#giveUp();
    this.#bufferedSinceMs = nowMs;
  }

  /** The stream has ended: missing packets will not arrive. */
  end(): void {
    while (this.#buffered.size > 0) this.#giveUp();
  }

  /** Skips to the next buffered packet. Thousands may be missing, so it searches the few that are buffered. */
  #giveUp(): void {
    const next = this.#next;
    if (next === undefined || this.#buffered.size === 0) return;
    const aheads = Array.from(this.#buffered.keys(), (number) => (number - next + SEQUENCES) % SEQUENCES);
    const missing = Math.min(...aheads);
    this.lost += missing;
    this.#next = (next + missing) % SEQUENCES;
    this.#passHeld();
  }

  #passHeld(): void {
    for (;;) {
      const number = this.#next;
      const payload = number === undefined ? undefined : this.#buffered.get(number);
      if (number === undefined || payload === undefined) return;
      this.#buffered.delete(number);
      this.#pass(payload, number);
    }
  }

  #pass(payload: Buffer, number: number): void {
    this.#next = (number + 1) % SEQUENCES;
    this.#nextBehind = undefined;
    this.#repeat = undefined;
    this.#isUncounted = false;
    if (payload.length > 0) this.#take(payload, 0, payload.length);
  }
}

const TS_PACKET_BYTES = 188;
const TS_SYNC = 0x47;
/** Packet types of RTCP, which some senders mix in; RTP does not use these values (RFC 5761 §4). */
const RTCP_TYPES = { first: 200, last: 204 };

/**
 * How a datagram carries a transport stream; `undefined` if it shows neither way. People write `udp:` and `rtp:` for each other, and
 * senders number the payload type as they like.
 */
export function framingOf(datagram: Buffer): "packets" | "rtp" | undefined {
  if (isPackets(datagram)) return "packets";
  const payload = payloadOf(datagram);
  return payload !== undefined && isPackets(payload) ? "rtp" : undefined;
}

/** The synchronisation source of an RTP packet (RFC 3550 §5.1). */
export function rtpSourceOf(datagram: Buffer): number {
  return datagram.readUInt32BE(SOURCE_AT);
}

export function isRtcp(datagram: Buffer): boolean {
  if (datagram.length < 4 || datagram.readUInt8(0) >> 6 !== 2) return false;
  const type = datagram.readUInt8(1);
  return type >= RTCP_TYPES.first && type <= RTCP_TYPES.last;
}

function isPackets(bytes: Buffer): boolean {
  return bytes.length > 0 && bytes.length % TS_PACKET_BYTES === 0 && bytes.readUInt8(0) === TS_SYNC;
}

/** `undefined` if it is no RTP packet. */
function payloadOf(datagram: Buffer): Buffer | undefined {
  if (datagram.length < HEADER_BYTES || isRtcp(datagram)) return undefined;
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
