import { readdirSync, readFileSync } from "node:fs";
import { afterAll } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** Processor time of a file's process and of its children and theirs, with the imports. Those that left their parents are missing. */
    cpuMs?: number;
  }
}

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;
/** Fields of /proc/PID/stat behind the name. */
const PARENT = 1;
/** User, system, and both of children that have ended. */
const TIMES = [11, 15] as const;

/** Files of one worker share its globals. Looking at all processes takes milliseconds: the end of a file is the begin of the next one. */
const shared = globalThis as { spentBeforeMs?: number };

// vitest runs this before the imports of each file.
const begin = shared.spentBeforeMs ?? spentMs();
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from this pattern what the hook needs
afterAll(({}, { file }) => {
  shared.spentBeforeMs = spentMs();
  file.meta.cpuMs = shared.spentBeforeMs - begin;
});

/** The time of this process and of all below it: Chromium, and the daemons that a test starts, may outlive its file. */
function spentMs(): number {
  const all = readdirSync("/proc").map(Number).filter(Boolean).flatMap(statOf);
  const below = new Set([process.pid]);
  // A child has a higher process id than its parent, until the ids wrap around.
  for (const { pid, parent } of all.toSorted((a, b) => a.pid - b.pid)) if (below.has(parent)) below.add(pid);
  return all.filter(({ pid }) => below.has(pid)).reduce((sum, { ms }) => sum + ms, 0);
}

function statOf(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ms = fields.slice(...TIMES).reduce((sum, field) => sum + Number(field) * TICK_MS, 0);
    return [{ pid, parent: Number(fields[PARENT]), ms }];
  } catch {
    // It has just ended.
    return [];
  }
}
