import { createSocket } from "node:dgram";
import type { Triplet } from "../../../../src/model/service.ts";
import {
  type AiredService,
  patSection,
  pmtSection,
  SDT_PID,
  sdtSection,
} from "../../../../src/simulator/broadcaster/tables.ts";
import { freeUdpPort } from "../../../free-port.ts";
import { PidWriter, payload, TICKS_PER_MS, unit } from "../../../kit/ts-builder.ts";

const TICK_MS = 20;
/** Tables every 100 ms. */
const TICKS_PER_ROUND = 5;
const PACKETS_PER_DATAGRAM = 7;
/** So slow that the smallest receive buffer of a kernel holds seconds of it: a busy machine loses nothing. */
const PICTURES_PER_TICK = 2;

export interface MultiplexAir extends AsyncDisposable {
  /** The address that the multiplex is sent to: `udp://127.0.0.1:PORT`. */
  readonly url: string;
  /** Every packet of one PID so far, in order. */
  sent(pid: number): Buffer;
  pictureOf(service: Triplet): number;
  /** Nothing is sent any more. */
  fallSilent(): void;
}

/** A whole multiplex over UDP, as a gateway of a head end sends it: PAT, PMTs, SDT and a picture of each service. */
export async function multiplexAir(triplets: readonly Triplet[]): Promise<MultiplexAir> {
  const services = triplets.map((triplet, index): AiredService => {
    const first = 0x100 + 0x10 * index;
    return {
      triplet,
      name: `Service ${triplet.sid}`,
      pids: { pmt: first, picture: first + 1, sound: first + 2 },
    };
  });
  const writers = new Map<number, PidWriter>();
  const writer = (pid: number) => {
    const made = writers.get(pid) ?? new PidWriter(pid);
    writers.set(pid, made);
    return made;
  };
  const tsid = triplets[0]?.tsid ?? 0;
  const sections = [
    [0, patSection({ tsid, version: 0 }, services)] as const,
    ...services.map((service) => [service.pids.pmt, pmtSection(service, 0)] as const),
    ...services.map((_, index) => [SDT_PID, sdtSection(services, { index, version: 0 })] as const),
  ];
  const sent = new Map<number, Uint8Array[]>();
  let ticks = 0;
  function portion(): readonly Uint8Array[] {
    const tables = ticks % TICKS_PER_ROUND === 0 ? sections : [];
    const packets = [
      ...tables.flatMap(([pid, section]) => [...writer(pid).sections(section)]),
      ...services.flatMap(({ pids: { picture } }) => [
        writer(picture).next({
          pcr: ticks * TICK_MS * TICKS_PER_MS,
          starts: true,
          payload: unit(ticks).subarray(0, 176),
        }),
        ...Array.from({ length: PICTURES_PER_TICK - 1 }, (_, index) =>
          writer(picture).next({ payload: payload(ticks + index) }),
        ),
      ]),
    ];
    ticks += 1;
    for (const packet of packets) {
      const pid = (((packet[1] ?? 0) & 0x1f) << 8) | (packet[2] ?? 0);
      const known = sent.get(pid);
      if (known === undefined) sent.set(pid, [packet]);
      else known.push(packet);
    }
    return packets;
  }

  const port = await freeUdpPort();
  const socket = createSocket("udp4");
  // Nobody listens until it is tuned to.
  socket.on("error", () => {});
  const timer = setInterval(() => {
    const packets = portion();
    for (let at = 0; at < packets.length; at += PACKETS_PER_DATAGRAM) {
      socket.send(Buffer.concat(packets.slice(at, at + PACKETS_PER_DATAGRAM)), port, "127.0.0.1");
    }
  }, TICK_MS);
  let closed: Promise<unknown> | undefined;
  return {
    url: `udp://127.0.0.1:${port}`,
    sent: (pid) => Buffer.concat(sent.get(pid) ?? []),
    pictureOf: ({ sid }) => services.find(({ triplet }) => triplet.sid === sid)?.pids.picture ?? -1,
    fallSilent: () => clearInterval(timer),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closed ??= new Promise((resolve) => socket.close(() => resolve(undefined)));
      await closed;
    },
  };
}
