// Reads one list of timers in a process that has done nothing else, and prints what that took.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { decodeDocument } from "../src/guide-wire/codec.ts";
import { collectGarbage, elapsedMs, quantile } from "./harness.ts";
import { memoryOf, resetPeak } from "./memory.ts";

export interface TimerListFigures {
  readonly bodyBytes: number;
  readonly firstMs: number;
  readonly laterMs: number;
  /** The most that the process held at once, beyond what it held before. */
  readonly peakBytes: number;
  /** Memory of the values. */
  readonly keptBytes: number;
}

const [, , file = ""] = process.argv;
const body = readFileSync(file);
const held: unknown[] = [];
const read = () => void held.push(decodeDocument("timers", body).value);

collectGarbage();
const heapBefore = process.memoryUsage().heapUsed;
resetPeak();
const before = memoryOf("self").now;
const firstMs = await elapsedMs(read);
const peakBytes = memoryOf("self").peak - before;
collectGarbage();
const keptBytes = process.memoryUsage().heapUsed - heapBefore;
assert.equal(held.length, 1);

const later: number[] = [];
for (let reads = 0; reads < 10; reads += 1) {
  held.length = 0;
  later.push(await elapsedMs(read));
}
const bodyBytes = body.length;
const figures: TimerListFigures = { bodyBytes, firstMs, laterMs: quantile(later, 0.5), peakBytes, keptBytes };
process.stdout.write(JSON.stringify(figures));
