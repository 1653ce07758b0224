import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MINUTE } from "../../model/time.ts";
import type { Clock } from "../time/clock.ts";

/** By then the start's garbage is complete: first lists are read, code is compiled. */
const SETTLED_MS = MINUTE / 2;
/** A larger heap was already collected while it grew; collecting it here would block the loop too long. */
const HEAP_BYTES_MAX = 40 * 1024 * 1024;
/** The first collection frees most garbage, the second what only the first released. */
const COLLECTIONS = 2;

/**
 * Releases the memory that the start needed, once. V8 collects everything only under pressure, which an idle process never
 * creates: a third of its heap would stay garbage.
 */
export async function releaseMemoryAfterStart(clock: Clock, signal: AbortSignal): Promise<void> {
  for (let nth = 0; nth < COLLECTIONS; nth += 1) {
    // Lets other work run in between.
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

/** The memory of this process that is not swapped out, in bytes. */
export function residentBytes(): number {
  return process.memoryUsage.rss();
}
