import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MINUTE } from "../../model/time.ts";
import type { Clock } from "../time/clock.ts";

/** What a start leaves behind is garbage by then, its first lists are read, and what it compiles is compiled. */
const SETTLED_MS = MINUTE / 2;
/** A larger heap has been collected while it grew, and would keep the loop for too long. */
const HEAP_BYTES_MAX = 40 * 1024 * 1024;
/** The first finds what is garbage and gives most of it back, the second what only the first let go. */
const COLLECTIONS = 2;

/**
 * Gives what a start needed back to the system, once. V8 collects all of its memory when much is asked for, which a process with
 * nothing to do never does: it would keep a third of its heap for garbage.
 */
export async function giveBackAfterStart(clock: Clock, signal: AbortSignal): Promise<void> {
  for (let nth = 0; nth < COLLECTIONS; nth += 1) {
    // Others have their turn in between.
    await clock.sleep(nth === 0 ? SETTLED_MS : 0, signal).catch(() => {});
    if (signal.aborted || process.memoryUsage().heapTotal > HEAP_BYTES_MAX) return;
    collectGarbage();
  }
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect();
}
