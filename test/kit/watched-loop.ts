// Run as a process of its own by loop-watch.test.ts: the work of a loop while it is watched.
import { readFileSync, writeSync } from "node:fs";
import { watchLoop } from "../../src/kit/machine/loop-watch.ts";
import { systemClock } from "../../src/kit/time/clock.ts";

/** A quarter of the house's: a starved loop costs a core until its end. */
const LIMITS = { loopBeatMs: 500, loopLookMs: 1000, loopStarvedMs: 2000, loopWatcherMs: 15_000 };
/** Twice what is allowed to a loop that computes. */
const SPAN_MS = 2 * (LIMITS.loopLookMs + LIMITS.loopStarvedMs);
const [noteFile = "", business = ""] = process.argv.slice(2);
const clock = systemClock();
let warned = () => {};
const isWarned = new Promise<void>((resolve) => {
  warned = resolve;
});
const warn = (message: string) => {
  writeSync(1, `${message}\n`);
  warned();
};
const log = { debug() {}, info() {}, warn, error() {} };
const watch = await watchLoop({ noteFile, logPrefix: "<3>", clock, log, limits: LIMITS });
const nothing = new AbortController().signal;
// A program that fails at its start does the same.
if (business === "brief") {
  await watch[Symbol.asyncDispose]();
  writeSync(1, "over\n");
  process.exit();
}
await clock.sleep(500, nothing);

function compute(ms: number): void {
  const until = clock.monotonicMs() + ms;
  while (clock.monotonicMs() < until);
}

watch.begin("hook before");
await clock.sleep(1500, nothing);
if (business !== "unnamed") watch.begin(`hook ${business}`);
switch (business) {
  case "unnamed":
    for (;;);
  case "microtasks":
    for (;;) await undefined;
  case "expression":
    /^(a+)+$/.test(`${"a".repeat(60)}b`);
    break;
  case "busy":
    for (const until = clock.monotonicMs() + SPAN_MS; clock.monotonicMs() < until; ) {
      compute(200);
      await clock.sleep(0, nothing);
    }
    break;
  case "alone":
    process.kill(Number(readFileSync(`/proc/self/task/${process.pid}/children`, "utf8")), "SIGKILL");
    await isWarned;
    break;
  case "blocked":
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SPAN_MS);
}
await watch[Symbol.asyncDispose]();
