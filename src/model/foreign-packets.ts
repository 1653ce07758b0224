import type { ForeignPacketBytes } from "./inspection.ts";

const NAMES: Readonly<Record<ForeignPacketBytes, string>> = {
  192: "M2TS: 192-byte packets, each a transport stream packet behind a timestamp of 4 bytes",
  204: "204-byte packets: each a transport stream packet and 16 bytes of Reed-Solomon parity",
};

/** Names a stream with packets of another size, and what to do about it. */
export function foreignPacketText(packetBytes: ForeignPacketBytes): string {
  return `${NAMES[packetBytes]}; convert with ffmpeg -i INPUT -map 0 -c copy -f mpegts OUTPUT.ts`;
}
