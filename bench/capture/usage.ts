import { readdirSync, readFileSync } from "node:fs";

/** USER_HZ, the same on every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100;

/** A process and everything that it started and that is still its child. */
export function familyOf(pid: number): readonly number[] {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), statOf(Number(name))?.parent] as const),
  );
  const family = [pid];
  for (const member of family) {
    for (const [child, parent] of parents) if (parent === member) family.push(child);
  }
  return family;
}

/** CPU time that a process has taken, with that of its children that have ended. */
export function cpuSecondsOf(pid: number): number {
  return statOf(pid)?.cpuSeconds ?? 0;
}

/** Proportional memory in bytes: what is shared counts in parts (proc(5): smaps_rollup). */
export function proportionalBytesOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return 1024 * Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Bytes that a process has read from files and pipes, in or out of the system's cache (proc(5): rchar). */
export function readBytesOf(pid: number): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? 0);
}

/** How often any thread of a process has begun to wait for something: each time something woke it. */
export function wakeUpsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const text = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(text)?.[1] ?? 0);
  }, 0);
}

function statOf(pid: number): { readonly parent: number; readonly cpuSeconds: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything; what follows it does not (proc(5): stat, fields 3 and on).
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return { parent: Number(fields[1]), cpuSeconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}
