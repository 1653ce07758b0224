import {
  formatPacket,
  numberField,
  numberIn,
  numbersIn,
  PACKET,
  type Packet,
  parsePacket,
  TAG,
  TUNER_DEVICE,
  textField,
  WILDCARD,
} from "./packet.ts";

export interface Device {
  /** Eight hexadecimal digits. */
  readonly deviceId: string;
  readonly tunerCount: number;
  /** The address of the HTTP listener for the client, without a slash at its end. */
  readonly baseUrl: string;
}

/** Whether a datagram asks for this device. Anything else gets no answer. */
export function asksFor(deviceId: string, datagram: Uint8Array): boolean {
  const packet = parsePacket(datagram);
  if (packet?.type !== PACKET.discoverRequest) return false;
  const id = numberIn(packet, TAG.deviceId) ?? WILDCARD;
  return asksForTuners(packet) && (id === WILDCARD || id === Number.parseInt(deviceId, 16));
}

function asksForTuners(packet: Packet): boolean {
  const types = [...numbersIn(packet, TAG.deviceType), ...numbersIn(packet, TAG.deviceTypes)];
  return types.includes(TUNER_DEVICE) || types.includes(WILDCARD);
}

export function discoveryReply({ deviceId, tunerCount, baseUrl }: Device): Uint8Array {
  return formatPacket({
    type: PACKET.discoverReply,
    fields: [
      numberField(TAG.deviceType, TUNER_DEVICE),
      numberField(TAG.deviceId, Number.parseInt(deviceId, 16)),
      { tag: TAG.tunerCount, value: Uint8Array.of(tunerCount) },
      textField(TAG.baseUrl, baseUrl),
      textField(TAG.lineupUrl, `${baseUrl}/lineup.json`),
    ],
  });
}
