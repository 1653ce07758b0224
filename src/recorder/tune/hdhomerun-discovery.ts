import { crc32 } from "node:zlib";
import type { Discovery, ServerAnswer } from "./kind.ts";

/** HDHomeRuns answer a broadcast with their address. */
export const HDHOMERUN_DISCOVERY: Discovery = {
  target: { address: "255.255.255.255", port: 65_001 },
  servers: "HDHomeRuns",
  question,
  read,
  fieldText: ({ address }) => address,
};

const DISCOVER_REQUEST = 2;
const DISCOVER_REPLY = 3;
const TAG = { deviceType: 0x01, deviceId: 0x02, tunerCount: 0x10, baseUrl: 0x2a } as const;
const TUNER_DEVICE = 1;

/** A request to any device with tuners: type and length (big-endian), tags with lengths and values, CRC-32 (little-endian). */
function question(): Buffer {
  const packet = Buffer.alloc(20);
  packet.writeUInt16BE(DISCOVER_REQUEST, 0);
  packet.writeUInt16BE(12, 2);
  packet.set([TAG.deviceType, 4], 4);
  packet.writeUInt32BE(TUNER_DEVICE, 6);
  packet.set([TAG.deviceId, 4], 10);
  packet.writeUInt32BE(0xffffffff, 12);
  packet.writeUInt32LE(crc32(packet.subarray(0, 16)), 16);
  return packet;
}

function read(message: Buffer): ServerAnswer | undefined {
  if (message.length < 8 || message.readUInt16BE(0) !== DISCOVER_REPLY) return undefined;
  const end = 4 + message.readUInt16BE(2);
  if (message.length !== end + 4 || message.readUInt32LE(end) !== crc32(message.subarray(0, end)))
    return undefined;
  const values = new Map<number, Buffer>();
  for (let at = 4; at + 2 <= end; ) {
    const tag = message.readUInt8(at);
    let length = message.readUInt8(at + 1);
    at += 2;
    // Lengths above 127: seven bits, then the higher bits in another byte.
    if (length >= 0x80 && at < end) {
      length = (length & 0x7f) + (message.readUInt8(at) << 7);
      at += 1;
    }
    if (at + length > end) return undefined;
    values.set(tag, message.subarray(at, at + length));
    at += length;
  }
  const address = values.get(TAG.baseUrl)?.toString("latin1") ?? "";
  if (!/^http:\/\/\S{1,200}$/.test(address)) return undefined;
  const tuners = values.get(TAG.tunerCount)?.[0];
  return {
    address,
    name: values.get(TAG.deviceId)?.toString("hex").toUpperCase() ?? "",
    ...(tuners === undefined ? {} : { tuners }),
  };
}
