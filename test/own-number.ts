import { createHash } from "node:crypto";
import { readlinkSync } from "node:fs";

/**
 * 24 bits that tell this process from others that use the same network: two containers on one network have equal process ids,
 * but not one PID namespace.
 */
export const OWN_NUMBER = createHash("sha256")
  .update(`${readlinkSync("/proc/self/ns/pid")} ${process.pid}`)
  .digest()
  .readUIntBE(0, 3);

/** @param first the first number of the address, such as 127 for a loopback address and 239 for a multicast group */
export function ownAddress(first: number): string {
  return [first, 1 + ((OWN_NUMBER >> 16) & 0x7f), (OWN_NUMBER >> 8) & 0xff, OWN_NUMBER & 0xff].join(".");
}
