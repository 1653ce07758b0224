import { lengthMs, type Window } from "../../src/model/window.ts";

/** PCR counts 27 MHz in 33 bits of 300: it begins again every 26.5 hours. ISO/IEC 13818-1 §2.4.3.5. */
const WRAP_MS = (2 ** 33 / 90_000) * 1000;

export interface PcrInstants {
  readonly first: number;
  readonly last: number;
  /** From each PCR to the next, in ms. */
  readonly steps: readonly number[];
  /** The longest of these; where nothing is missing any of them. */
  readonly hole: Window;
  /** The one that ends with the first PCR from `instant` on. */
  readonly stepTo: (instant: number) => Window | undefined;
}

/** The PCRs of a file, for a broadcaster whose PCR is UTC; `near` tells which of the wraps is meant. */
export function pcrInstants(file: Buffer, near: number): PcrInstants {
  const found: number[] = [];
  for (let at = 0; at + 188 <= file.length; at += 188) {
    const hasAdaptation = ((file[at + 3] ?? 0) & 0x20) !== 0 && (file[at + 4] ?? 0) > 0;
    if (!hasAdaptation || ((file[at + 5] ?? 0) & 0x10) === 0) continue;
    const base = file.readUInt32BE(at + 6) * 2 + ((file[at + 10] ?? 0) >> 7);
    const extension = (((file[at + 10] ?? 0) & 1) << 8) | (file[at + 11] ?? 0);
    found.push((base + extension / 300) / 90);
  }
  const instants = found.map((ms) => ms + Math.round((near - ms) / WRAP_MS) * WRAP_MS);
  const [first = Number.NaN] = instants;
  const spans = instants.slice(1).map((stop, index) => ({ start: instants[index] ?? Number.NaN, stop }));
  const hole = spans.reduce((longest, one) => (lengthMs(one) > lengthMs(longest) ? one : longest), {
    start: 0,
    stop: 0,
  });
  const steps = spans.map(({ start, stop }) => stop - start);
  const stepTo = (instant: number) => spans.find(({ stop }) => stop >= instant);
  return { first, last: instants.at(-1) ?? Number.NaN, steps, hole, stepTo };
}
