import { isIP } from "node:net";

/** Unwraps an IPv4-mapped address such as `::ffff:127.0.0.1`. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

export function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}

/** Whether this host name or address is reached only from this machine. */
export function isLocal(host: string): boolean {
  return host === "localhost" || isLoopback(host);
}
