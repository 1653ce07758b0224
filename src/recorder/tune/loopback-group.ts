import { readFile } from "node:fs/promises";
import { endianness } from "node:os";

/**
 * Where a tuner process hands its services out: multicast groups on the loopback interface, one for each service. Nothing
 * of it leaves the machine; whoever comes to read one finds the address by reckoning, several may read the same, and a service
 * that nobody reads costs nothing. (A unicast port would have one reader, and complain without end while it has none.)
 */
export interface LoopbackGroups {
  /** `239.4.32.0:20000` */
  address(sid: number): string;
  /** What a capture reads. */
  url(sid: number): string;
  /** Matches the line of /proc/net/udp for every socket that reads one of these: a basic regular expression. */
  readonly pattern: string;
  /** Services that somebody reads now, whoever it is. */
  readers(): Promise<ReadonlySet<number>>;
}

/** An address of the loopback interface: what is sent from it stays there. */
export const LOOPBACK = "127.0.0.1";

/**
 * @param octet the last one of the groups, from 0 to 255; with the port it names one tuner of this machine
 */
export function loopbackGroups({
  octet,
  port,
}: {
  readonly octet: number;
  readonly port: number;
}): LoopbackGroups {
  const address = (sid: number) => `239.${sid >> 8}.${sid & 0xff}.${octet}:${port}`;
  const [last, hexPort] = [hex(octet, 2), hex(port, 4)];
  // The kernel prints the address as the machine holds it in memory.
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
