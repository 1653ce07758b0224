import { readFile } from "node:fs/promises";
import { PACKET_BYTES, pidAt } from "../../../src/mpeg-ts/packets.ts";
import { ServiceFilter } from "../../../src/recorder/capture/host/service-filter.ts";

/** A real multiplex, and some of its services. */
export const RAI = await readFile("test/fixtures/ts/rai-dvbt-mux.ts");
export const RAI_SIDS = [3401, 3402, 3403, 3411] as const;

/** The packets that the capture host takes out of a multiplex for one service. */
export function filtered(stream: Uint8Array, sid: number, soleTsid?: number): Buffer {
  const parts: Buffer[] = [];
  const filter = new ServiceFilter(
    { sid, ...(soleTsid === undefined ? {} : { soleTsid }) },
    (bytes, from, to) => parts.push(Buffer.from(bytes.subarray(from, to))),
  );
  for (let at = 0; at + PACKET_BYTES <= stream.length; at += PACKET_BYTES) {
    filter.packet(stream, at);
    // The bytes come in portions of some packets.
    if (at % (PACKET_BYTES * 100) === 0) filter.flush(stream);
  }
  filter.flush(stream);
  return Buffer.concat(parts);
}

export function packetsOf(stream: Uint8Array, isMeant: (pid: number) => boolean): Buffer {
  const found: Uint8Array[] = [];
  for (let at = 0; at + PACKET_BYTES <= stream.length; at += PACKET_BYTES) {
    if (isMeant(pidAt(stream, at))) found.push(stream.subarray(at, at + PACKET_BYTES));
  }
  return Buffer.concat(found);
}

export const withoutPat = (stream: Uint8Array): Buffer => packetsOf(stream, (pid) => pid !== 0);
