import { endianness } from "node:os";
import { readFile } from "../../kit/files/steady-fs.ts";

/**
 * The output of a tuner process: one multicast group per service on the loopback interface. It never leaves the machine, readers
 * can compute the address, several may read the same group, and an unread service costs nothing. (A unicast port would allow one
 * reader, and log errors without one.)
 */
export interface LoopbackGroups {
  /** `239.4.32.0:20000` */
  address(sid: number): string;
  /** The address that a capture reads. */
  url(sid: number): string;
  /** A basic regular expression that matches the lines of /proc/net/udp for sockets that read one of these groups. */
  readonly pattern: string;
  /** Services that any process reads now. */
  readers(): Promise<ReadonlySet<number>>;
}

/** An address of the loopback interface: packets from it stay on the machine. */
export const LOOPBACK = "127.0.0.1";

/** @param octet last byte of the groups' addresses, 0 to 255; with the port it identifies one tuner of this machine */
export function loopbackGroups({
  octet,
  port,
}: {
  readonly octet: number;
  readonly port: number;
}): LoopbackGroups {
  const address = (sid: number) => `239.${sid >> 8}.${sid & 0xff}.${octet}:${port}`;
  const [last, hexPort] = [hex(octet, 2), hex(port, 4)];
  // The kernel prints the address in the machine's byte order.
  const isLittle = endianness() === "LE";
  const ip = (sid: string) => (isLittle ? `${last}${sid}EF` : `EF${sid}${last}`);
  const lines = new RegExp(`: ${ip("([0-9A-F]{2})([0-9A-F]{2})")}:${hexPort} `, "g");
  return {
    address,
    url: (sid) => `udp://${address(sid)}?localaddr=${LOOPBACK}`,
    pattern: `: ${ip("....")}:${hexPort} `,
    async readers() {
      const table = await readFile("/proc/net/udp", "utf8");
      return new Set(
        [...table.matchAll(lines)].map(([, first = "", second = ""]) =>
          Number.parseInt(isLittle ? second + first : first + second, 16),
        ),
      );
    },
  };
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}
