import type { KernelClock } from "../../model/clock-trust.ts";
import { outputOf } from "../process/program-output.ts";
import { MACHINE_LIMITS } from "./limits.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/** Asks systemd, then chrony, whether NTP synchronises the kernel's clock. `silent` if neither answers. */
export async function askKernelClock(signal: AbortSignal, path: string = PATH): Promise<KernelClock> {
  const ask = (command: string, args: readonly string[]) =>
    outputOf({ command, args, path, deadlineMs: MACHINE_LIMITS.kernelClockMs }, signal);
  const systemd = readTimedatectl((await ask("timedatectl", ["show"])) ?? "");
  if (systemd === "synchronised") return systemd;
  const chrony = readChronyc((await ask("chronyc", ["-c", "-n", "tracking"])) ?? "");
  return chrony === "silent" ? systemd : chrony;
}

/**
 * `NTPSynchronized` is the kernel's own flag (adjtimex, STA_UNSYNC), whichever program sets the clock. A cleared flag counts
 * only if NTP is enabled: other programs may keep the clock without it.
 */
export function readTimedatectl(output: string): KernelClock {
  if (/^NTPSynchronized=yes$/m.test(output)) return "synchronised";
  return /^NTPSynchronized=no$/m.test(output) && /^NTP=yes$/m.test(output) ? "unsynchronised" : "silent";
}

/** Chrony may slew a clock for days without stepping it; until then it counts as unsynchronised. */
const CORRECTION_SECONDS_MAX = 1;

/** One line of 14 fields; the fifth is the pending correction in seconds, the last the leap status. */
export function readChronyc(output: string): KernelClock {
  const fields = output.trim().split(",");
  const correction = Number(fields[4]);
  const status = fields[13];
  if (fields.length !== 14 || status === undefined || !Number.isFinite(correction)) return "silent";
  const isKept = status !== "Not synchronised" && Math.abs(correction) <= CORRECTION_SECONDS_MAX;
  return isKept ? "synchronised" : "unsynchronised";
}
