import { readFileSync } from "node:fs";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Processor time of a file's process and of the programs it ran to their end, with the imports. */
    cpuMs?: number;
  }
}

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;
/** Fields of /proc/self/stat behind the name: user, system, and both of children. */
const TIMES = [11, 15] as const;

// vitest runs this before the imports of each file.
const begin = spentMs();
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from this pattern what the hook needs
afterAll(({}, { file }) => {
  file.meta.cpuMs = spentMs() - begin;
});

function spentMs(): number {
  const stat = readFileSync("/proc/self/stat", "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(...TIMES).reduce((sum, field) => sum + Number(field) * TICK_MS, 0);
}
