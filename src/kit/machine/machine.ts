import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { uptime } from "node:os";
import { execPath, versions } from "node:process";
import { type DurationMs, SECOND } from "../../model/time.ts";

/** How long the machine has run, the time it was asleep included (CLOCK_BOOTTIME; to 10 ms). */
export function uptimeMs(): DurationMs {
  return uptime() * SECOND;
}

/** Names this start of the machine; where that cannot be known, no other name is the same. */
export async function bootName(): Promise<string> {
  try {
    return (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim().slice(0, 13);
  } catch {
    return randomUUID();
  }
}

/** The Node.js that runs us, for programs of ours in a process of their own. */
export const NODE_PATH = execPath;

/** As `20.19.2`. */
export const NODE_VERSION = versions.node;

/** IANA name of the zone in which this machine tells its time. */
export function systemZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
