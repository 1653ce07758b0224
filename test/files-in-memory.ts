import { readFileSync } from "node:fs";
import { RUN_MARK } from "./leftovers.ts";
import { memoryDisk } from "./memory-disk.ts";

const GIB = 1024 ** 3;
/** Two runs at once need less than 1 GiB each. */
const BYTES_MIN = 2 * GIB;
/** The part of the free memory that a run may take: `npm test` has two runs, and the tests need some, too. */
const SHARE = 1 / 4;

/**
 * Keeps the files of a run in memory, where we may mount and there is enough: databases wait for the disk after each change, and no
 * test loses its power. `test/leftovers.ts` has made the folder, and unmounts it.
 */
export function setup(): void {
  const folder = process.env[RUN_MARK] ?? "";
  const bytes = Math.floor(availableBytes() * SHARE);
  // Each project of a run asks.
  const isMounted = readFileSync("/proc/self/mountinfo", "utf8").includes(` ${folder} `);
  if (!isMounted && bytes >= BYTES_MIN) memoryDisk(folder, String(bytes));
}

function availableBytes(): number {
  const [, kib] = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync("/proc/meminfo", "latin1")) ?? [];
  return Number(kib) * 1024;
}
