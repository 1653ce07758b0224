import { crc32 } from "node:zlib";
import { parseControl } from "../../../src/recorder/subsystems/hdhomerun/core/control.ts";
import { asksFor } from "../../../src/recorder/subsystems/hdhomerun/core/discovery.ts";
import {
  type Field,
  formatPacket,
  numberField,
  PACKET,
  parsePacket,
  TAG,
  textField,
  WILDCARD,
} from "../../../src/recorder/subsystems/hdhomerun/core/packet.ts";
import { HDHOMERUN_DISCOVERY } from "../../../src/recorder/tune/hdhomerun-discovery.ts";
import { BUDGET, same, type Target } from "../target.ts";

/** The type of a packet in one byte, and its fields: the frame with its CRC is made here, or no change would pass it. */
export const hdhomerun: Target = {
  name: "hdhomerun",
  bytesMax: 1500,
  budget: BUDGET,
  seeds: () => [
    seed(PACKET.discoverRequest, [numberField(TAG.deviceType, 1), numberField(TAG.deviceId, WILDCARD)]),
    seed(PACKET.discoverReply, [
      numberField(TAG.deviceId, 0x10ab_cde1),
      textField(TAG.baseUrl, `http://192.0.2.5/${"x".repeat(130)}`),
    ]),
    seed(PACKET.getSetRequest, [textField(TAG.name, "/tuner0/vchannel\0"), textField(TAG.value, "5\0")]),
  ],
  run(input) {
    const packet = framed(input[0] ?? 0, input.subarray(1));
    const read = parsePacket(packet);
    if (read !== undefined) same("a packet is read as it is written", parsePacket(formatPacket(read)), read);
    const answer = HDHOMERUN_DISCOVERY.read(packet);
    return [read, parsePacket(input), parseControl(packet), asksFor("10ABCDE1", packet), answer];
  },
};

function seed(type: number, fields: readonly Field[]): Uint8Array {
  return Buffer.concat([Buffer.from([type]), formatPacket({ type, fields }).subarray(4, -4)]);
}

function framed(type: number, payload: Uint8Array): Buffer {
  const packet = Buffer.alloc(payload.length + 8);
  packet.writeUInt16BE(type, 0);
  packet.writeUInt16BE(payload.length, 2);
  packet.set(payload, 4);
  packet.writeUInt32LE(crc32(packet.subarray(0, -4)), payload.length + 4);
  return packet;
}
