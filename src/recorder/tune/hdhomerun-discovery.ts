import {
  formatPacket,
  numberField,
  numberIn,
  PACKET,
  PROTOCOL_PORT,
  parsePacket,
  TAG,
  TUNER_DEVICE,
  textIn,
  valueIn,
  WILDCARD,
} from "../subsystems/hdhomerun/core/packet.ts";
import type { Discovery, ServerAnswer } from "./kind.ts";

/** HDHomeRuns answer a broadcast with their address. */
export const HDHOMERUN_DISCOVERY: Discovery = {
  target: { address: "255.255.255.255", port: PROTOCOL_PORT },
  servers: "HDHomeRuns",
  question,
  read,
  fieldText: ({ address }) => address,
};

/** A request to any device with tuners. */
function question(): Buffer {
  const fields = [numberField(TAG.deviceType, TUNER_DEVICE), numberField(TAG.deviceId, WILDCARD)];
  return Buffer.from(formatPacket({ type: PACKET.discoverRequest, fields }));
}

function read(message: Buffer): ServerAnswer | undefined {
  const packet = parsePacket(message);
  if (packet?.type !== PACKET.discoverReply) return undefined;
  const address = textIn(packet, TAG.baseUrl) ?? "";
  if (!/^http:\/\/\S{1,200}$/.test(address)) return undefined;
  const id = numberIn(packet, TAG.deviceId);
  const tuners = valueIn(packet, TAG.tunerCount)?.[0];
  return {
    address,
    name: id?.toString(16).toUpperCase().padStart(8, "0") ?? "",
    ...(tuners === undefined ? {} : { tuners }),
  };
}
