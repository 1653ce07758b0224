import type { DurationMs } from "../../model/time.ts";
import { u8, u16 } from "../bytes.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import { NULL_PID, PACKET_BYTES, payloadAt, pidAt, SYNC } from "../packets.ts";
import { ptsOf, stampStep, stampStepMs } from "./pes.ts";

/** PIDs below it are those of PAT, CAT, TSDT and of the tables of DVB. EN 300 468 §5.1.3. */
const TABLE_PIDS = 0x20;
const COUNTER = 0x0f;
/** A PES packet up to PES_packet_length, which counts what follows. */
const HEADER_BYTES = 6;
/** Pictures are sent in another order than they are shown, but their times differ by less. */
const JUMP_MS = 1000;

interface DecodableOptions {
  /** Byte offsets at which a decoder can begin, the first of them 0: that is where the packets begin. */
  readonly accessPoints: ReadonlySet<number>;
  /** The decoder has the pictures from before the first packet. */
  readonly continues: boolean;
  /** The last packets may be the beginning of a unit whose end is missing. */
  readonly isCut: boolean;
  /** The part ends before missing data, and its last packets may come from behind it: the PTS of its beginning, and its length. */
  readonly breaksOff?: { readonly pts: number; readonly durationMs: DurationMs } | undefined;
}

/** A picture that is the last one before missing data, if the next one comes from behind it. */
interface Doubt {
  readonly position: number;
  /** Units of other streams that were not complete when it began. */
  readonly open: readonly Unit[];
  /** Packets from here on wait. */
  readonly heldFrom: number;
}

interface Packet {
  readonly bytes: Uint8Array;
  readonly at: number;
  /** Bytes of the part before it. */
  readonly position: number;
}

type Waiting = Omit<Packet, "at">;

/** A PES packet that is being read. */
interface Unit {
  readonly pid: number;
  /** Its transport packets so far; none if it is left out. */
  readonly packets: Packet[];
  /** Bytes of payload that are still to come; Infinity: it lasts until the next one begins. */
  left: number;
  /** Its packets are left out. */
  isLeftOut: boolean;
}

interface Stream {
  /** Those of its last packet with payload, which begins at `from` and ends with the packet. */
  counter: number;
  bytes: Uint8Array;
  from: number;
  to: number;
  unit?: Unit | undefined;
}

/**
 * Leaves out what makes a decoder fail, from a part of a recording that begins at an access point: units (PES packets) with missing
 * or damaged packets, pictures that need a missing one, and tables (a player has those of `playerTables`). Browsers stop playing at
 * the first unit that they cannot decode. They become null packets, in place: the size does not change.
 */
export class Decodable {
  readonly #options: DecodableOptions;
  readonly #streams = new Map<number, Stream>();
  /** The stream of the access points: the picture, or the sound of a radio service. */
  #main = NULL_PID;
  /** A picture is missing: the next ones cannot be decoded until the next access point. */
  #isMissing: boolean;
  /** PTS of the last access point, if pictures from before it are missing and those that lead to it are not yet over. */
  #leadsTo: number | undefined;
  /** The last unit of the main stream led to the access point. */
  #isLeading = false;
  /** The latest PTS of a picture. */
  #latest: number | undefined;
  #doubt: Doubt | undefined;
  /** The next packets come from behind missing data. */
  #isOver = false;
  /** Bytes seen so far. */
  #position = 0;
  #waiting: Waiting[] = [];

  constructor(options: DecodableOptions) {
    this.#options = options;
    this.#isMissing = !options.continues;
  }

  /**
   * @param bytes whole packets, which follow those before; they are changed
   * @returns the packets about which all is known, in order
   */
  push(bytes: Uint8Array): readonly Uint8Array[] {
    const from = this.#position;
    if (from === 0 && bytes.length > 0) this.#main = pidAt(bytes, 0);
    this.#waiting.push({ bytes, position: from });
    for (let at = 0; at < bytes.length; at += PACKET_BYTES) this.#take(bytes, at, from + at);
    this.#position = from + bytes.length;
    this.#limit();
    return this.#release(this.#decidedTo());
  }

  /** @returns the remaining packets */
  end(): readonly Uint8Array[] {
    if (this.#options.breaksOff !== undefined) this.#breakOff();
    for (const { unit } of this.#streams.values()) {
      if (unit === undefined) continue;
      // The rest of another stream's unit follows in the next part.
      const isWhole = unit.left === Number.POSITIVE_INFINITY || unit.pid !== this.#main;
      if (this.#options.isCut || !isWhole) leaveOut(unit);
    }
    return this.#release(this.#position);
  }

  #take(bytes: Uint8Array, at: number, position: number): void {
    const pid = pidAt(bytes, at);
    const control = u8(bytes, at + 3);
    if (pid === NULL_PID) return;
    if (this.#isOver) return blank(bytes, at);
    // With transport_error_indicator, even the PID may be wrong: the next packet of its PID shows what is missing.
    const isError = u8(bytes, at) !== SYNC || (u8(bytes, at + 1) & 0x80) !== 0;
    if (pid < TABLE_PIDS || isError) return blank(bytes, at);
    if ((control & 0x10) === 0) return;
    const stream = this.#streamOf(pid, control);
    // A view for each packet would cost as much as all the rest.
    const from = payloadAt(bytes, at);
    const to = at + PACKET_BYTES;
    const steps = (control - stream.counter) & COUNTER;
    // Players do not compare the counters, and would take a repeated packet for another one.
    if (steps === 0 && isSamePayload(stream, bytes.subarray(from, to))) return blank(bytes, at);
    stream.counter = control & COUNTER;
    stream.bytes = bytes;
    stream.from = from;
    stream.to = to;
    const isScrambled = (control & 0xc0) !== 0;
    if (steps !== 1 || isScrambled) this.#lose(pid, stream);
    if ((u8(bytes, at + 1) & 0x40) !== 0 && !isScrambled) this.#begin(pid, stream, position);
    this.#add(stream, { bytes, at, position });
  }

  #streamOf(pid: number, control: number): Stream {
    const known = this.#streams.get(pid);
    if (known !== undefined) return known;
    const stream = { counter: (control - 1) & COUNTER, bytes: new Uint8Array(), from: 0, to: 0 };
    this.#streams.set(pid, stream);
    return stream;
  }

  #lose(pid: number, stream: Stream): void {
    if (pid === this.#main) this.#isMissing = true;
    // The next packets belong to a unit whose beginning, or another part, is missing.
    stream.unit ??= { pid, packets: [], left: Number.POSITIVE_INFINITY, isLeftOut: false };
    leaveOut(stream.unit);
  }

  #begin(pid: number, stream: Stream, position: number): void {
    const { unit: before } = stream;
    const payload = stream.bytes.subarray(stream.from, stream.to);
    if (pid === this.#main && this.#options.breaksOff !== undefined) this.#follow(payload, position);
    if (this.#isOver) return blank(stream.bytes, stream.to - PACKET_BYTES);
    if (before !== undefined && before.left !== Number.POSITIVE_INFINITY) this.#lose(pid, stream);
    const isPes = payload.length >= HEADER_BYTES && u8(payload, 0) === 0 && u16(payload, 1) === 1;
    const length = isPes ? u16(payload, 4) : 0;
    const left = length === 0 ? Number.POSITIVE_INFINITY : HEADER_BYTES + length;
    const isLeftOut = pid === this.#main && !this.#isDecodable(payload, position);
    stream.unit = isPes ? { pid, packets: [], left, isLeftOut } : undefined;
  }

  /** Whether a decoder has all that this unit of the main stream needs. */
  #isDecodable(payload: Uint8Array, position: number): boolean {
    const pts = ptsOf(payload);
    if (this.#options.accessPoints.has(position)) {
      this.#leadsTo = this.#isMissing ? pts : undefined;
      this.#isLeading = false;
      this.#isMissing = false;
      return true;
    }
    if (this.#isMissing) return false;
    // A second field may have no PTS.
    if (this.#leadsTo === undefined || pts === undefined) return !this.#isLeading;
    // They are shown before the picture of the access point, follow it at once, and need pictures from before it.
    this.#isLeading = stampStep(this.#leadsTo, pts) < 0;
    if (!this.#isLeading) this.#leadsTo = undefined;
    return !this.#isLeading;
  }

  /** A picture begins in a part that breaks off: it may come from behind the missing data. */
  #follow(payload: Uint8Array, position: number): void {
    const pts = ptsOf(payload);
    if (pts === undefined) return;
    const latest = this.#latest ?? pts;
    const stepMs = stampStepMs(latest, pts);
    const { pts: begin, durationMs } = this.#options.breaksOff ?? { pts, durationMs: 0 };
    // Within the length of the part, pictures may be far apart: those of slides are.
    const isBeyond = stepMs > JUMP_MS && stampStepMs(begin, pts) > durationMs;
    if (isBeyond || stepMs < -JUMP_MS) return this.#breakOff();
    this.#latest = stepMs > 0 ? pts : latest;
    const open = [...this.#streams.values()].flatMap(({ unit }) =>
      unit === undefined || unit.pid === this.#main ? [] : [unit],
    );
    const heldFrom = Math.min(position, ...open.flatMap(({ packets }) => packets[0]?.position ?? []));
    this.#doubt = { position, open, heldFrom };
  }

  /** The data is missing somewhere after the last picture began. A counter that goes on by chance hides the place. */
  #breakOff(): void {
    this.#isOver = true;
    for (const { unit } of this.#streams.values()) if (unit !== undefined) leaveOut(unit);
    if (this.#doubt === undefined) return;
    const { position: from, open } = this.#doubt;
    this.#doubt = undefined;
    for (const unit of open) leaveOut(unit);
    for (const { bytes, position } of this.#waiting)
      for (let at = Math.max(0, from - position); at < bytes.length; at += PACKET_BYTES) blank(bytes, at);
  }

  #add(stream: Stream, packet: Packet): void {
    const { unit } = stream;
    if (unit === undefined) return;
    if (unit.isLeftOut) blank(packet.bytes, packet.at);
    else unit.packets.push(packet);
    unit.left -= stream.to - stream.from;
    if (unit.left <= 0) stream.unit = undefined;
  }

  /** The beginnings of all open units wait; a stream may hold a unit that never ends. */
  #limit(): void {
    if (this.#position - this.#decidedTo() <= MPEG_TS_LIMITS.waitingUnitBytes) return;
    for (const { unit } of this.#streams.values()) {
      if (unit === undefined) continue;
      if (unit.pid === this.#main) this.#isMissing = true;
      leaveOut(unit);
    }
    this.#doubt = undefined;
  }

  #decidedTo(): number {
    let to = Math.min(this.#position, this.#doubt?.heldFrom ?? this.#position);
    for (const { unit } of this.#streams.values()) {
      const first = unit?.packets[0];
      if (first !== undefined) to = Math.min(to, first.position);
    }
    return to;
  }

  #release(to: number): readonly Uint8Array[] {
    const ready: Uint8Array[] = [];
    const rest: Waiting[] = [];
    for (const { bytes, position } of this.#waiting) {
      const decided = Math.min(bytes.length, Math.max(0, to - position));
      if (decided > 0) ready.push(bytes.subarray(0, decided));
      if (decided < bytes.length) rest.push({ bytes: bytes.subarray(decided), position: position + decided });
    }
    this.#waiting = rest;
    return ready;
  }
}

function isSamePayload({ bytes, from, to }: Stream, payload: Uint8Array): boolean {
  return Buffer.compare(payload, bytes.subarray(from, to)) === 0;
}

function leaveOut(unit: Unit): void {
  unit.isLeftOut = true;
  for (const { bytes, at } of unit.packets.splice(0)) blank(bytes, at);
}

function blank(bytes: Uint8Array, at: number): void {
  bytes[at + 1] = NULL_PID >> 8;
  bytes[at + 2] = NULL_PID & 0xff;
}
