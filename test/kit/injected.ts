import { join } from "./ts-builder.ts";

/** A packet of a stream without faults. */
export interface Sent {
  readonly bytes: Uint8Array;
  readonly pid: number;
  readonly hasPayload: boolean;
  /** Its continuity counter, had that more than 4 bits: the number of packets with payload of its PID that came before. */
  readonly ordinal: number;
  /** discontinuity_indicator. */
  readonly signals: boolean;
  readonly startsUnit: boolean;
}

/** A piece of a file that was made of such a stream. */
export type Piece =
  | {
      readonly kind: "packet";
      readonly sent: Sent;
      readonly bytes: Uint8Array;
      readonly transportError?: true;
      readonly scrambled?: true;
    }
  | { readonly kind: "head" | "damaged" | "junk" | "tail"; readonly bytes: Uint8Array };

/** The facts that a reader can find in a file. */
export interface Truth {
  readonly packets: number;
  readonly headBytes: number;
  readonly damagedPackets: number;
  readonly junkBytes: number;
  readonly tailBytes: number;
  readonly transportErrors: number;
  readonly scrambledPackets: number;
  readonly duplicates: number;
  /** By PID, of those with any. */
  readonly continuityErrors: Readonly<Record<number, number>>;
}

const NULL_PID = 0x1fff;

/** @throws Error when the stream is not without faults */
export function sentIn(stream: Uint8Array): readonly Sent[] {
  const ordinals = new Map<number, number>();
  const all: Sent[] = [];
  for (let at = 0; at < stream.length; at += 188) {
    const bytes = stream.subarray(at, at + 188);
    const [sync = 0, high = 0, low = 0, control = 0, fieldLength = 0, flags = 0] = bytes;
    if (sync !== 0x47 || (high & 0x80) !== 0) throw new Error(`no whole packet at ${at}`);
    const pid = (high % 32) * 256 + low;
    const hasPayload = (control & 0x10) !== 0;
    const signals = (control & 0x20) !== 0 && fieldLength > 0 && (flags & 0x80) !== 0;
    const counter = control % 16;
    const before = ordinals.get(pid);
    let ordinal = before === undefined ? counter : before + (hasPayload ? 1 : 0);
    if (signals) while (ordinal % 16 !== counter) ordinal += 1;
    if (pid !== NULL_PID && ordinal % 16 !== counter) throw new Error(`a packet is missing at ${at}`);
    ordinals.set(pid, ordinal);
    all.push({ bytes, pid, hasPayload, ordinal, signals, startsUnit: (high & 0x40) !== 0 });
  }
  return all;
}

export function asPackets(sent: readonly Sent[]): readonly Piece[] {
  return sent.map((each) => ({ kind: "packet", sent: each, bytes: each.bytes }));
}

export function fileOf(pieces: readonly Piece[]): Uint8Array {
  return join(pieces.map(({ bytes }) => bytes));
}

/** Counted by what was sent and injected; the headers in the file are not read. */
export function truthOf(pieces: readonly Piece[]): Truth {
  const bytesOf = (kind: Piece["kind"]) =>
    pieces.reduce((sum, piece) => sum + (piece.kind === kind ? piece.bytes.length : 0), 0);
  const packets = pieces.filter((piece) => piece.kind === "packet");
  const pids = new Map<number, Line>();
  for (const { sent, transportError } of packets) {
    const line = pids.get(sent.pid) ?? new Line();
    pids.set(sent.pid, line);
    if (transportError) line.damaged();
    else if (sent.pid !== NULL_PID) line.arrives(sent);
  }
  const lines = [...pids].sort(([a], [b]) => a - b);
  return {
    packets: packets.length,
    headBytes: bytesOf("head"),
    damagedPackets: pieces.filter(({ kind }) => kind === "damaged").length,
    junkBytes: bytesOf("junk"),
    tailBytes: bytesOf("tail"),
    transportErrors: packets.filter(({ transportError }) => transportError).length,
    scrambledPackets: packets.filter(({ scrambled }) => scrambled).length,
    duplicates: lines.reduce((sum, [, { duplicates }]) => sum + duplicates, 0),
    continuityErrors: Object.fromEntries(
      lines.filter(([, { errors }]) => errors > 0).map(([pid, { errors }]) => [pid, errors]),
    ),
  };
}

/** The packets of one PID. */
class Line {
  errors = 0;
  duplicates = 0;
  #last: Sent | undefined;
  /** Each may have been the one that is missing. */
  #damaged = 0;

  damaged(): void {
    this.#damaged += 1;
  }

  arrives(sent: Sent): void {
    const last = this.#last;
    if (last !== undefined && isSame(sent, last)) {
      this.duplicates += 1;
      return;
    }
    if (last !== undefined && !sent.signals) {
      const missing = sent.ordinal - last.ordinal - (sent.hasPayload ? 1 : 0);
      // A counter of 4 bits hides each 16 that are missing.
      const seen = ((missing % 16) + 16) % 16;
      if (seen > this.#damaged) this.errors += 1;
    }
    this.#last = sent;
    this.#damaged = 0;
  }
}

/** Some tables are sent again with the same counter after 16 packets: such a packet looks like a copy. */
function isSame(sent: Sent, last: Sent): boolean {
  return sent.hasPayload && (sent === last || Buffer.compare(sent.bytes, last.bytes) === 0);
}

/** Numbers from 0 to 2^32 − 1 that are the same in each run (Numerical Recipes' linear congruential generator). */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits of such a generator repeat soon.
    return (state >>> 8) * 256 + (Math.imul(state, 69_069) >>> 24);
  };
}
