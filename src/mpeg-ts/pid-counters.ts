import type { PidFacts } from "../model/inspection.ts";
import { u8 } from "./bytes.ts";
import {
  hasPcr,
  isReadable,
  NULL_PID,
  PACKET_BYTES,
  PID_COUNT,
  pidAt,
  signalsDiscontinuity,
} from "./packets.ts";

/** The verdict on a packet: ignored (damaged, null, duplicate), the next of its PID, or the first after a loss. */
export const IGNORED = 0;
const NEXT = 1;
export const AFTER_LOSS = 2;
type Verdict = typeof IGNORED | typeof NEXT | typeof AFTER_LOSS;

/** A counter of 4 bits cannot distinguish more steps. */
const STEPS_MAX = 15;

/** The fields of a PID's row. */
const PACKETS = 0;
const CONTINUITY_ERRORS = 1;
const TRANSPORT_ERRORS = 2;
const SCRAMBLED = 3;
const DUPLICATES = 4;
/** The `PLAIN_BITS` of a header that continues the last one; 0, which no header has, before the first. */
const NEXT_PLAIN = 5;
/** Packets with a transport error since the last good one, at most STEPS_MAX. */
const DAMAGED = 6;
/** Offset of the last packet with payload in the reader's buffer, plus one; 0 if it is gone. */
const LAST_AT = 7;
/** Packets of the PID up to the last one of a run of scrambled packets; 0: there was none. */
const SCRAMBLED_TO = 8;
const FIGURES = 9;
const FIRST_ROWS = 64;

/**
 * Mask for a header as one number: sync byte, transport_error_indicator, payload_unit_start_indicator, and the byte with scrambling,
 * adaptation_field_control and counter.
 */
const PLAIN_BITS = 0x47c0_00ff;
/** The masked value of nearly every packet, without the counter: undamaged, clear, payload alone, no unit begins. */
const PLAIN = 0x4700_0010;

export interface PlacedPacket {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/**
 * Counts per PID and checks continuity by ISO/IEC 13818-1 §2.4.3.3.
 *
 * A packet with transport_error_indicator proves nothing, since its header may be wrong too. It may have been any packet of its
 * PID, so it explains one missing counter step, which is not counted twice.
 */
export class PidCounters {
  /** Streams use some tens of the 8192 PIDs: each gets its row of figures on first sight. 0: no row. */
  readonly #rows = new Uint16Array(PID_COUNT);
  #figures = new Uint32Array(FIRST_ROWS * FIGURES);
  /** Offset in `#figures` of the next new row; the first row is unused. */
  #end = FIGURES;
  /** The PID of each row, in row order; the first row is unused. */
  readonly #pids: number[] = [NULL_PID];
  /** The PIDs in ascending order, without the unused row; out of date if shorter. */
  #ascending: readonly number[] = [];
  #flaws = 0;
  /** The last packet with payload by PID, once the reader's buffer has dropped it; a duplicate must equal it. */
  readonly #lastPackets = new Map<number, Uint8Array>();

  /**
   * Counts a packet of the common kind: payload alone, clear, undamaged, the next of its PID, and within a unit.
   *
   * @param header its first four bytes as one number
   * @returns false if `count` must decide
   */
  countPlain(header: number, at: number): boolean {
    const figures = this.#figures;
    // Inlined: the helpers below also see other arrays, which makes them slow.
    const row = FIGURES * (this.#rows[(header >> 8) & NULL_PID] ?? 0);
    if ((header & PLAIN_BITS) !== figures[row + NEXT_PLAIN]) return false;
    figures[row + PACKETS] = (figures[row + PACKETS] ?? 0) + 1;
    figures[row + NEXT_PLAIN] = PLAIN | ((header + 1) & 0x0f);
    figures[row + DAMAGED] = 0;
    figures[row + LAST_AT] = at + 1;
    return true;
  }

  count(bytes: Uint8Array, at: number): Verdict {
    const pid = pidAt(bytes, at);
    const row = this.#rowOf(pid);
    const figures = this.#figures;
    bump(figures, row + PACKETS);
    if ((u8(bytes, at + 1) & 0x80) !== 0) {
      bump(figures, row + TRANSPORT_ERRORS);
      this.#flaws += 1;
      figures[row + DAMAGED] = Math.min(STEPS_MAX, of(figures, row + DAMAGED) + 1);
      return IGNORED;
    }
    if (pid === NULL_PID || !isReadable(bytes, at)) return IGNORED;
    const control = u8(bytes, at + 3);
    const hasPayload = (control & 0x10) !== 0;
    this.#countScrambled(row, { isScrambled: (control & 0xc0) !== 0, hasPayload });
    const counter = control & 0x0f;
    const isFirst = of(figures, row + NEXT_PLAIN) === 0;
    const before = this.#counterOf(row);
    const steps = (counter - before) & STEPS_MAX;
    const expected = hasPayload ? 1 : 0;
    if (!isFirst && hasPayload && steps === 0 && this.#isDuplicate(bytes, at, row)) {
      bump(figures, row + DUPLICATES);
      return IGNORED;
    }
    const continues = isFirst || steps === expected;
    if (!continues && !this.#isExplained(bytes, at, row)) {
      bump(figures, row + CONTINUITY_ERRORS);
      this.#flaws += 1;
    }
    figures[row + NEXT_PLAIN] = PLAIN | ((counter + 1) & 0x0f);
    figures[row + DAMAGED] = 0;
    if (hasPayload) figures[row + LAST_AT] = at + 1;
    return continues ? NEXT : AFTER_LOSS;
  }

  /** Losses, transport errors, and runs of scrambled packets so far: as with losses, a run counts once. */
  get flaws(): number {
    return this.#flaws;
  }

  /** The next packet of a PID may have any counter: until now, nobody asked for its packets. */
  restart(pid: number): void {
    const row = FIGURES * (this.#rows[pid] ?? 0);
    if (row > 0) this.#figures[row + NEXT_PLAIN] = 0;
  }

  wasScrambled(pid: number): boolean {
    return of(this.#figures, FIGURES * (this.#rows[pid] ?? 0) + SCRAMBLED) > 0;
  }

  /** Packets of a PID so far. */
  packetsOf(pid: number): number {
    return of(this.#figures, FIGURES * (this.#rows[pid] ?? 0) + PACKETS);
  }

  /** The last packet of a PID with payload, in the reader's buffer or a copy. */
  lastOf(pid: number, bytes: Uint8Array): PlacedPacket | undefined {
    const lastAt = of(this.#figures, FIGURES * (this.#rows[pid] ?? 0) + LAST_AT) - 1;
    if (lastAt >= 0) return { bytes, at: lastAt };
    const kept = this.#lastPackets.get(pid);
    return kept === undefined ? undefined : { bytes: kept, at: 0 };
  }

  /** The last continuity_counter. */
  #counterOf(row: number): number {
    return (of(this.#figures, row + NEXT_PLAIN) - 1) & 0x0f;
  }

  /** Must be called before the buffer of the counted packets changes. */
  release(bytes: Uint8Array): void {
    const figures = this.#figures;
    for (let row = FIGURES; row < this.#end; row += FIGURES) {
      const at = of(figures, row + LAST_AT) - 1;
      if (at < 0) continue;
      figures[row + LAST_AT] = 0;
      const pid = this.#pids[row / FIGURES] ?? NULL_PID;
      const kept = this.#lastPackets.get(pid) ?? new Uint8Array(PACKET_BYTES);
      kept.set(bytes.subarray(at, at + PACKET_BYTES));
      this.#lastPackets.set(pid, kept);
    }
  }

  /**
   * The facts of every PID seen, ascending.
   *
   * @param unreadable scrambled packets of a PID that are not flagged as such
   */
  facts(unreadable: (pid: number) => number): readonly PidFacts[] {
    // Sorted here, not on first sight: a stream may use every PID.
    if (this.#ascending.length < this.#pids.length - 1) {
      this.#ascending = this.#pids.slice(1).sort((a, b) => a - b);
    }
    return this.#ascending.map((pid) => {
      const row = FIGURES * (this.#rows[pid] ?? 0);
      return {
        pid,
        packets: of(this.#figures, row + PACKETS),
        continuityErrors: of(this.#figures, row + CONTINUITY_ERRORS),
        transportErrors: of(this.#figures, row + TRANSPORT_ERRORS),
        scrambledPackets: of(this.#figures, row + SCRAMBLED) + unreadable(pid),
        duplicates: of(this.#figures, row + DUPLICATES),
      };
    });
  }

  /** Packets without payload are never scrambled, so they end no run. */
  #countScrambled(
    row: number,
    { isScrambled, hasPayload }: { readonly isScrambled: boolean; readonly hasPayload: boolean },
  ): void {
    if (!isScrambled && hasPayload) return;
    const figures = this.#figures;
    const packets = of(figures, row + PACKETS);
    const before = of(figures, row + SCRAMBLED_TO);
    const goesOn = before > 0 && before === packets - 1;
    if (isScrambled) {
      bump(figures, row + SCRAMBLED);
      if (!goesOn) this.#flaws += 1;
    }
    if (isScrambled || goesOn) figures[row + SCRAMBLED_TO] = packets;
  }

  #rowOf(pid: number): number {
    const number = this.#rows[pid] ?? 0;
    if (number > 0) return number * FIGURES;
    if (this.#end === this.#figures.length) {
      const more = new Uint32Array(2 * this.#figures.length);
      more.set(this.#figures);
      this.#figures = more;
    }
    const row = this.#end;
    this.#end += FIGURES;
    this.#rows[pid] = row / FIGURES;
    this.#pids.push(pid);
    return row;
  }

  /**
   * Equal byte for byte except the PCR, which is that of its own time (ISO/IEC 13818-1 §2.4.3.3). The standard allows one duplicate;
   * senders that send a packet more often lose nothing by it.
   */
  #isDuplicate(bytes: Uint8Array, at: number, row: number): boolean {
    const lastAt = of(this.#figures, row + LAST_AT) - 1;
    const last = lastAt < 0 ? this.#lastPackets.get(pidAt(bytes, at)) : bytes;
    if (last === undefined) return false;
    const from = Math.max(0, lastAt);
    const pcrFrom = hasPcr(bytes, at) ? 6 : PACKET_BYTES;
    for (let i = 1; i < PACKET_BYTES; i += 1) {
      const inPcr = i >= pcrFrom && i < pcrFrom + 6;
      if (!inPcr && bytes[at + i] !== last[from + i]) return false;
    }
    return true;
  }

  #isExplained(bytes: Uint8Array, at: number, row: number): boolean {
    if (signalsDiscontinuity(bytes, at)) return true;
    const control = u8(bytes, at + 3);
    const next = this.#counterOf(row) + ((control & 0x10) !== 0 ? 1 : 0);
    return ((control - next) & STEPS_MAX) <= of(this.#figures, row + DAMAGED);
  }
}

function of(figures: Uint32Array, at: number): number {
  return figures[at] ?? 0;
}

function bump(figures: Uint32Array, at: number): void {
  figures[at] = of(figures, at) + 1;
}
