import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Inspection } from "../../src/model/inspection.ts";
import { hasPcr, pcrAt } from "../../src/mpeg-ts/packets.ts";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { join, PidWriter, packet, payload } from "../kit/ts-builder.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";

const RAI = readFileSync("test/fixtures/ts/rai-dvbt-mux.ts").subarray(0, 188 * 3000);

function inspect(bytes: Uint8Array, chunks: readonly Uint8Array[] = [bytes]): Inspection {
  const inspector = new Inspector(undefined);
  for (const chunk of chunks) inspector.push(chunk);
  inspector.settle();
  return inspector.inspection();
}

/** `count` packets of one PID, each its own. */
function packets(count: number): readonly Uint8Array[] {
  const writer = new PidWriter(0x100);
  return Array.from({ length: count }, (_, index) => writer.next({ payload: payload(index) }));
}

function changed(bytes: Uint8Array, changes: Readonly<Record<number, number>>): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (const [at, value] of Object.entries(changes)) copy[Number(at)] = value;
  return copy;
}

describe("packets in a file", () => {
  it("are found in a file that begins in the middle of one", () => {
    expect(inspect(join(packets(20)).subarray(100))).toMatchObject({
      packets: 19,
      headBytes: 88,
      junkBytes: 0,
      damagedPackets: 0,
      continuityErrors: 0,
    });
  });

  it("are found behind leading junk, which is not counted if it can be the rest of a packet", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), (length) => {
        const found = inspect(join([new Uint8Array(length).fill(0x11), ...packets(20)]));
        const isRest = length < 188;
        return (
          found.packets === 20 &&
          found.headBytes === (isRest ? length : 0) &&
          found.junkBytes === (isRest ? 0 : length) &&
          found.damagedPackets === 0
        );
      }),
      { seed: 6, examples: [[187], [188], [376]] },
    );
  });

  it("are found again behind junk, which is counted in bytes", () => {
    const all = packets(20);
    const junk = new Uint8Array(333).fill(0x11);
    expect(inspect(join([...all.slice(0, 10), junk, ...all.slice(10)]))).toMatchObject({
      packets: 20,
      junkBytes: 333,
      damagedPackets: 0,
      continuityErrors: 0,
    });
  });

  it("are found despite junk that resembles a packet", () => {
    const all = packets(20);
    const junk = new Uint8Array(100).fill(0x47);
    const found = inspect(join([...all.slice(0, 10), junk, ...all.slice(10)]));
    expect(found).toMatchObject({ packets: 20, damagedPackets: 1, junkBytes: 0, continuityErrors: 0 });
    expect(found.pids).toHaveLength(1);
  });

  it("are lost only individually by a damaged sync byte", () => {
    for (const index of [5, 16, 17, 18]) {
      const bytes = changed(join(packets(20)), { [188 * index]: 0x00 });
      const expected = { packets: 19, damagedPackets: 1, junkBytes: 0, continuityErrors: 1 };
      expect(inspect(bytes)).toMatchObject(expected);
    }
  });

  it("are lost only individually by missing bytes", () => {
    const all = packets(20);
    const torn = [...all.slice(0, 9), all[9]?.subarray(0, 120) ?? new Uint8Array(), ...all.slice(10)];
    expect(inspect(join(torn))).toMatchObject({
      packets: 19,
      damagedPackets: 1,
      junkBytes: 0,
      continuityErrors: 1,
    });
  });

  it("are kept if every second sync byte is wrong", () => {
    const wrong = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [188 * (10 + 2 * index), 0x00]),
    );
    const bytes = changed(join(packets(40)), wrong);
    expect(inspect(bytes)).toMatchObject({ packets: 30, damagedPackets: 10, junkBytes: 0 });
  });

  it("are kept if a burst damages up to four sync bytes in a row, or all bytes of many packets", () => {
    for (const length of [1, 2, 3, 4, 5, 30]) {
      const bytes = Uint8Array.from(join(packets(50)));
      bytes.fill(0x22, 188 * 10, 188 * (10 + length));
      expect(inspect(bytes)).toMatchObject({ packets: 50 - length, damagedPackets: length, junkBytes: 0 });
    }
  });

  it("are all found, and no others, among random bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 5000 }),
        fc.integer({ min: 5, max: 15 }),
        (junk, before) => {
          const all = packets(20);
          const found = inspect(join([...all.slice(0, before), junk, ...all.slice(before)]));
          // Junk that begins with a sync byte, or fills whole packets, looks like damaged packets.
          const isJunk = junk[0] !== 0x47 && junk.length % 188 !== 0;
          return (
            found.packets === 20 &&
            (!isJunk || (found.junkBytes === junk.length && found.damagedPackets === 0))
          );
        },
      ),
      { seed: 8, numRuns: casesOf({ sample: 60, all: 400 }) },
    );
  });

  it("are found in a file with fewer than five sync bytes", () => {
    for (let count = 1; count <= 6; count += 1) {
      const all = join(packets(count));
      const expected = { packets: count, headBytes: 0, damagedPackets: 0, junkBytes: 0, tailBytes: 0 };
      expect(inspect(all)).toMatchObject(expected);
      expect(inspect(join([all, all.subarray(0, 100)]))).toMatchObject({ ...expected, tailBytes: 100 });
      const cut = { ...expected, packets: count - 1, headBytes: 88 };
      if (count > 3) expect(inspect(all.subarray(100))).toMatchObject(cut);
    }
  });

  it("are absent in a short file with another byte in the place of a sync byte", () => {
    const text = new TextEncoder().encode("G".padEnd(700, "."));
    expect(inspect(text)).toMatchObject({ packets: 0, junkBytes: 700, headBytes: 0 });
  });

  it("are found to the end if the last ones follow junk or a damaged one", () => {
    const all = packets(30);
    const junk = new Uint8Array(300).fill(0x11);
    for (const last of [3, 4, 5]) {
      const bytes = join([...all.slice(0, 30 - last), junk, ...all.slice(30 - last)]);
      expect(inspect(bytes)).toMatchObject({ packets: 30, junkBytes: 300, tailBytes: 0 });
    }
    for (const last of [1, 2, 3]) {
      const bytes = changed(join(all), { [188 * (29 - last)]: 0 });
      expect(inspect(bytes)).toMatchObject({ packets: 29, damagedPackets: 1, junkBytes: 0 });
    }
  });

  it("are not counted before they are complete", () => {
    const all = join(packets(20));
    const inspector = new Inspector(undefined);
    inspector.push(all.subarray(0, all.length - 100));
    inspector.settle();
    const before = { packets: 19, junkBytes: 0, tailBytes: 88, continuityErrors: 0 };
    expect(inspector.inspection()).toMatchObject(before);
    inspector.push(all.subarray(all.length - 100));
    inspector.settle();
    const after = { packets: 20, junkBytes: 0, tailBytes: 0, continuityErrors: 0 };
    expect(inspector.inspection()).toMatchObject(after);
  });

  it("are the same in a growing file and in the finished one", () => {
    const all = packets(40);
    const inspector = new Inspector(undefined);
    for (const each of all) {
      inspector.push(each);
      inspector.settle();
    }
    expect(inspector.inspection()).toEqual(inspect(join(all)));
  });

  it("are absent in a file of another type", () => {
    const text = new TextEncoder().encode("GGG no transport stream ".repeat(1000));
    expect(inspect(text)).toMatchObject({ packets: 0, junkBytes: text.length, pids: [] });
  });

  it("give the same inspection in portions of any size", () => {
    // Damage of every sort, so that each decision that needs to look ahead is met at each border.
    const damage = fc.array(fc.tuple(fc.nat(RAI.length - 1), fc.nat(255), fc.nat(400)), { maxLength: 8 });
    const portions = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 200_000 })),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(damage, portions, (places, sizes) => {
        const bytes = places.reduce(
          (before, [at, value, cut]) =>
            join([before.subarray(0, at), new Uint8Array([value, 0x47]), before.subarray(at + cut)]),
          RAI as Uint8Array,
        );
        const chunks: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        return JSON.stringify(inspect(bytes, chunks)) === JSON.stringify(inspect(bytes));
      }),
      { numRuns: casesOf({ sample: 20, all: 60 }) },
    );
  });

  it("have a clock of 42 bits", () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 33 * 300 - 1 }), (pcr) => {
        const bytes = packet({ pid: 0x100, pcr });
        return hasPcr(bytes, 0) && pcrAt(bytes, 0) === pcr;
      }),
    );
  });

  it("account for every byte of any input, without an exception", () => {
    // Mostly sync bytes at packet distance, so that much of the noise is taken for packets and tables.
    const noise = fc
      .tuple(fc.array(fc.uint8Array({ minLength: 187, maxLength: 187 }), { maxLength: 30 }), fc.nat(8))
      .map(([bodies, skew]) =>
        join(
          bodies.map((body, index) =>
            Uint8Array.from([
              index % 9 === skew ? 0 : 0x47,
              0x40,
              index % 3 === 0 ? 0x11 : (body[0] ?? 0) % 0x15,
              ...body.subarray(2),
            ]),
          ),
        ),
      );
    fc.assert(
      fc.property(fc.oneof(noise, fc.uint8Array({ maxLength: 5000 })), (bytes) => {
        const found = inspect(bytes);
        const { headBytes, junkBytes, tailBytes, damagedPackets } = found;
        const damaged = found.bytes - 188 * found.packets - headBytes - junkBytes - tailBytes;
        const isPart = headBytes < 188 && tailBytes < 188 && junkBytes >= 0;
        return isPart && damaged >= damagedPackets && damaged <= 188 * damagedPackets;
      }),
      { numRuns: casesOf({ sample: 50, all: 300 }) },
    );
  });
});
