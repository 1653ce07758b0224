import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Inspector } from "../../src/inspect/inspector.ts";
import { hasPcr, pcrAt } from "../../src/inspect/packets.ts";
import type { Inspection } from "../../src/model/inspection.ts";
import { join, PidWriter, packet, payload } from "../kit/ts-builder.ts";

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
      junkBytes: 88,
      continuityErrors: 0,
    });
  });

  it("are found again behind junk, which is counted in bytes", () => {
    const all = packets(20);
    const junk = new Uint8Array(333).fill(0x11);
    expect(inspect(join([...all.slice(0, 10), junk, ...all.slice(10)]))).toMatchObject({
      packets: 20,
      junkBytes: 333,
      continuityErrors: 0,
    });
  });

  it("are not misled by junk that begins like a packet", () => {
    const all = packets(20);
    const junk = new Uint8Array(100).fill(0x47);
    const found = inspect(join([...all.slice(0, 10), junk, ...all.slice(10)]));
    expect(found).toMatchObject({ packets: 20, junkBytes: 100, continuityErrors: 0 });
    expect(found.pids).toHaveLength(1);
  });

  it("lose only the one whose sync byte is damaged", () => {
    for (const index of [5, 16, 17, 18]) {
      const bytes = changed(join(packets(20)), { [188 * index]: 0x00 });
      expect(inspect(bytes)).toMatchObject({ packets: 19, junkBytes: 188, continuityErrors: 1 });
    }
  });

  it("lose only the one that lost bytes", () => {
    const all = packets(20);
    const torn = [...all.slice(0, 9), all[9]?.subarray(0, 120) ?? new Uint8Array(), ...all.slice(10)];
    expect(inspect(join(torn))).toMatchObject({ packets: 19, junkBytes: 120, continuityErrors: 1 });
  });

  it("leave the rest of an incomplete one uncounted until it is complete", () => {
    const all = join(packets(20));
    const inspector = new Inspector(undefined);
    inspector.push(all.subarray(0, all.length - 100));
    inspector.settle();
    expect(inspector.inspection()).toMatchObject({ packets: 19, junkBytes: 0, continuityErrors: 0 });
    inspector.push(all.subarray(all.length - 100));
    inspector.settle();
    expect(inspector.inspection()).toMatchObject({ packets: 20, junkBytes: 0, continuityErrors: 0 });
  });

  it("are the same whether the file was read as it grew or afterwards", () => {
    const all = packets(40);
    const inspector = new Inspector(undefined);
    for (const each of all) {
      inspector.push(each);
      inspector.settle();
    }
    expect(inspector.inspection()).toEqual(inspect(join(all)));
  });

  it("are none in a file of something else", () => {
    const text = new TextEncoder().encode("GGG no transport stream ".repeat(1000));
    expect(inspect(text)).toMatchObject({ packets: 0, junkBytes: text.length, pids: [] });
  });

  it("give the same inspection however the bytes are portioned", () => {
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
      { numRuns: 60 },
    );
  });

  it("carry a clock of 42 bits", () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 33 * 300 - 1 }), (pcr) => {
        const bytes = packet({ pid: 0x100, pcr });
        return hasPcr(bytes, 0) && pcrAt(bytes, 0) === pcr;
      }),
    );
  });

  it("account for every byte, whatever the bytes are, and nothing is thrown", () => {
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
        const rest = found.bytes - 188 * found.packets - found.junkBytes;
        return rest >= 0 && rest < 188;
      }),
      { numRuns: 300 },
    );
  });
});
