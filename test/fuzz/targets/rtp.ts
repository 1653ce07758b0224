import { RtpOrder } from "../../../src/recorder/capture/host/rtp-order.ts";
import { asRecords, BUDGET, law, records, type Target } from "../target.ts";

/** Datagrams: records of a byte that says how much later it comes, in milliseconds, and what comes. */
export const rtp: Target = {
  name: "rtp",
  bytesMax: 32 * 1024,
  budget: BUDGET,
  seeds: () => [asRecords([1, 2, 4, 3, 6].map(datagram)), asRecords([65535, 0, 1, 5000].map(datagram))],
  run(input) {
    let cameBytes = 0;
    let takenBytes = 0;
    const order = new RtpOrder((bytes, from, to) => {
      law("what is handed on is in the datagram", from >= 0 && from < to && to <= bytes.length);
      takenBytes += to - from;
    });
    let nowMs = 0;
    for (const record of records(input)) {
      nowMs += record[0] ?? 0;
      order.packet(Buffer.from(record.subarray(1)), nowMs);
      order.look(nowMs);
      cameBytes += record.length;
    }
    order.end();
    law("nothing comes twice", takenBytes <= cameBytes);
    return [order.lost, order.early, order.late, order.foreign];
  },
};

function datagram(number: number): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt8(10);
  head.writeUInt8(0x80, 1);
  head.writeUInt8(33, 2);
  head.writeUInt16BE(number, 3);
  return Buffer.concat([head, Buffer.alloc(188, 0x47)]);
}
