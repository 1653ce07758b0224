import { readFileSync, writeFileSync } from "node:fs";

/** Bytes of a process that are in memory, and the most that ever were (proc(5): VmRSS, VmHWM). */
export function memoryOf(pid: number | "self"): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]);
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
}

/** From now on the peak of this process counts anew (proc(5): clear_refs). */
export function resetPeak(): void {
  writeFileSync("/proc/self/clear_refs", "5");
}
