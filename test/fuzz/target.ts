import { RecorderdError } from "../../src/model/errors.ts";

/** One parser of untrusted bytes, and what must hold for every input. */
export interface Target {
  readonly name: string;
  /** Longest input that is tried, in bytes. */
  readonly bytesMax: number;
  /** The cost that one input may have. */
  readonly budget: Budget;
  /** Inputs that parsers accept, from which others are made. */
  readonly seeds: () => readonly Uint8Array[];
  /**
   * Reads one input.
   *
   * @returns all that was read: it counts against the memory budget
   * @throws when a law is broken; a refusal of the input is no throw
   */
  readonly run: (input: Uint8Array) => unknown;
}

export interface Budget {
  readonly cpuMs: number;
  /** Heap and buffers that stay in use while the result is held. */
  readonly heldBytes: number;
}

/** Enough for the largest input on a slow machine; far too short for a user to notice. */
export const BUDGET: Budget = { cpuMs: 250, heldBytes: 32 * 1024 * 1024 };

/** The result of `read`, or the code with which it refuses the input. */
export function unlessRefused<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof RecorderdError) return error.code;
    throw error;
  }
}

/** @throws Error unless `holds` */
export function law(text: string, holds: boolean): void {
  if (!holds) throw new Error(`broken law: ${text}`);
}

/** @throws Error unless both have the same JSON */
export function same(text: string, a: unknown, b: unknown): void {
  const [first, second] = [JSON.stringify(a), JSON.stringify(b)];
  if (first === second) return;
  const at = [...(first ?? "")].findIndex((char, index) => char !== second?.[index]);
  const around = (of: string | undefined) => of?.slice(Math.max(0, at - 40), at + 80);
  throw new Error(`broken law: ${text}: ${around(first)} and ${around(second)}`);
}

/** Two pieces, cut where the first byte says. */
export function inTwo(input: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const cut = Math.floor((input.length * (input[0] ?? 0)) / 256);
  return [input.subarray(0, cut), input.subarray(cut)];
}

/** Records of at most 65535 bytes, each behind its length in two bytes. */
export function* records(input: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at + 2 <= input.length; ) {
    const end = at + 2 + (input[at] ?? 0) * 0x100 + (input[at + 1] ?? 0);
    yield input.subarray(at + 2, end);
    at = end;
  }
}

export function asRecords(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length >> 8, part.length & 0xff]), part]));
}
