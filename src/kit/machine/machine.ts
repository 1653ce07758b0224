import { randomUUID } from "node:crypto";
import { totalmem, uptime } from "node:os";
import { constrainedMemory, execPath, versions } from "node:process";
import { type DurationMs, SECOND } from "../../model/time.ts";
import { readFile } from "../files/steady-fs.ts";

/** Time since boot, including sleep (CLOCK_BOOTTIME; to 10 ms). */
export function uptimeMs(): DurationMs {
  return uptime() * SECOND;
}

/** Identifies this boot of the machine; a unique value if the kernel does not provide one. */
export async function bootId(): Promise<string> {
  try {
    return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim().slice(0, 13);
  } catch {
    return randomUUID();
  }
}

/** The machine's memory in bytes, or the part of it that this process may use. */
export function usableMemoryBytes(): number {
  return Math.min(totalmem(), constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** The Node.js binary that runs us, for child processes of our own. */
export const NODE_PATH = execPath;

/** For example `20.19.2`. */
export const NODE_VERSION = versions.node;

/** IANA name of the machine's time zone. */
export function systemZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** BCP 47 tag of the language and country that the user's environment asks for (`LANG`). */
export function systemLocale(): string {
  return Intl.DateTimeFormat().resolvedOptions().locale;
}
