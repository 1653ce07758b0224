import { PacketReader } from "../../../src/mpeg-ts/packet-reader.ts";
import { ServiceFilter } from "../../../src/recorder/capture/host/service-filter.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { join, PidWriter, pat, pmt, unit } from "../../kit/ts-builder.ts";
import { BUDGET, inTwo, law, same, type Target } from "../target.ts";

const SERVICE = { onid: 1, tsid: 1, sid: 1 };

/** Transport stream packets, in any portions, with damage. */
export const packets: Target = {
  name: "packets",
  bytesMax: 64 * 1024,
  budget: BUDGET,
  seeds: () => [stream(), Buffer.concat([stream().subarray(100), Buffer.alloc(300, 0x47), stream()])],
  run(input) {
    const whole = inspected([input]);
    same("portions change nothing", whole, inspected(inTwo(input)));
    const { packets, headBytes, damagedPackets, junkBytes, tailBytes } = whole;
    const accounted = packets * 188 + headBytes + junkBytes + tailBytes;
    // A packet that lost bytes is shorter than the others.
    law("no byte counts twice", accounted <= input.length || damagedPackets > 0);
    return [whole, filtered(input)];
  },
};

function inspected(portions: readonly Uint8Array[]) {
  const inspector = new Inspector(SERVICE);
  for (const portion of portions) inspector.push(portion);
  inspector.settle();
  return inspector.inspection();
}

function filtered(input: Uint8Array): readonly Uint8Array[] {
  const taken: Uint8Array[] = [];
  const filter = new ServiceFilter({ sid: SERVICE.sid }, (bytes, from, to) => {
    law("whole packets are handed on", to > from && (to - from) % 188 === 0);
    taken.push(bytes.slice(from, to));
  });
  const reader = new PacketReader({
    packet: (bytes, at) => filter.packet(bytes, at),
    release: (bytes) => filter.flush(bytes),
  });
  reader.push(input);
  reader.settle();
  return taken;
}

function stream(): Uint8Array {
  const [tables, maps, video] = [new PidWriter(0), new PidWriter(0x20), new PidWriter(0x100)];
  const streams = [{ type: 0x1b, pid: 0x100 }];
  return join([
    ...tables.sections(pat(1, { programmes: [[1, 0x20]] })),
    ...maps.sections(pmt({ sid: 1, pcrPid: 0x100, streams })),
    ...Array.from({ length: 8 }, (_, index) =>
      video.next(index % 2 === 0 ? { starts: true, payload: unit(index) } : { pcr: index * 1_000_000 }),
    ),
  ]);
}
