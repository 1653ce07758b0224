import { describe, expect, it } from "vitest";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { join, type PacketParts, packet, payload } from "../kit/ts-builder.ts";
import { fc } from "../properties.ts";

const PID = 0x100;

/** Packets of one PID, with payload of their own by default. */
function facts(packets: readonly Partial<PacketParts>[]) {
  const inspector = new Inspector(undefined);
  const bytes = packets.map((parts, index) => packet({ pid: PID, payload: payload(index), ...parts }));
  // Null packets around, so that a boundary is found however few packets are in question.
  const nulls = Array.from({ length: 5 }, () => packet({ pid: 0x1fff, payload: payload(0) }));
  inspector.push(join([...nulls, ...bytes]));
  inspector.settle();
  const found = inspector.inspection();
  const { continuityErrors, duplicates, transportErrors, scrambledPackets } =
    found.pids.find(({ pid }) => pid === PID) ?? {};
  return { continuityErrors, duplicates, transportErrors, scrambledPackets };
}

const counters = (...list: readonly number[]) => list.map((counter) => ({ counter }));
const CLEAN = { continuityErrors: 0, duplicates: 0, transportErrors: 0, scrambledPackets: 0 };
/** An adaptation field without payload. */
function bare(counter: number, more: Partial<PacketParts> = {}) {
  const { payload: _, ...parts } = { pid: PID, payload: undefined, counter, ...more };
  return packet(parts);
}
function factsOf(packets: readonly Uint8Array[]) {
  const inspector = new Inspector(undefined);
  const nulls = Array.from({ length: 5 }, () => packet({ pid: 0x1fff, payload: payload(0) }));
  inspector.push(join([...nulls, ...packets]));
  inspector.settle();
  return inspector.inspection();
}
const full = (counter: number, more: Partial<PacketParts> = {}) =>
  packet({ pid: PID, counter, payload: payload(counter), ...more });

describe("the continuity counter", () => {
  it("continues from 15 to 0", () => {
    expect(facts(counters(13, 14, 15, 0, 1))).toEqual(CLEAN);
  });

  it("may begin with any value", () => {
    expect(facts(counters(9, 10))).toEqual(CLEAN);
  });

  it("reports a loss once, however many packets were lost", () => {
    expect(facts(counters(1, 2, 5, 6))).toEqual({ ...CLEAN, continuityErrors: 1 });
    expect(facts(counters(1, 2, 2, 3))).toEqual({ ...CLEAN, continuityErrors: 1 });
    expect(facts(counters(5, 4))).toEqual({ ...CLEAN, continuityErrors: 1 });
  });

  it("allows one duplicate of a packet, and counts it separately", () => {
    const same = payload(1);
    const twice = [{ counter: 1, payload: same }, { counter: 1, payload: same }, { counter: 2 }];
    expect(facts(twice)).toEqual({ ...CLEAN, duplicates: 1 });
  });

  it("loses nothing in a packet that is sent more often than the standard allows", () => {
    const same = payload(1);
    const often = [1, 1, 1, 1].map((counter) => ({ counter, payload: same }));
    expect(facts([...often, { counter: 2 }])).toEqual({ ...CLEAN, duplicates: 3 });
    expect(facts([...often, { counter: 1 }])).toEqual({ ...CLEAN, duplicates: 3, continuityErrors: 1 });
  });

  it("recognises a duplicate whose PCR is that of its own time", () => {
    const same = payload(1).subarray(0, 100);
    const twice = [1000, 2000].map((pcr) => ({ counter: 1, payload: same, pcr }));
    expect(facts(twice)).toEqual({ ...CLEAN, duplicates: 1 });
  });

  it("treats fifteen lost packets as a loss, although the counter is the same", () => {
    expect(facts([{ counter: 3 }, { counter: 3 }])).toEqual({ ...CLEAN, continuityErrors: 1 });
  });

  it("recognises a duplicate across portions", () => {
    const inspector = new Inspector(undefined);
    const nulls = Array.from({ length: 5 }, () => packet({ pid: 0x1fff, payload: payload(0) }));
    for (const each of [...nulls, full(1), full(1), full(2)]) inspector.push(each);
    inspector.settle();
    expect(inspector.inspection()).toMatchObject({ continuityErrors: 0, packets: 8 });
    expect(inspector.inspection().pids[0]).toMatchObject({ duplicates: 1 });
  });

  it("does not advance in packets without payload", () => {
    expect(factsOf([full(1), bare(1), bare(1), full(2)])).toMatchObject({ continuityErrors: 0 });
    expect(factsOf([full(1), bare(2), full(3)])).toMatchObject({ continuityErrors: 1 });
  });

  it("may jump at a discontinuity_indicator", () => {
    expect(
      factsOf([full(1), full(9, { payload: payload(9).subarray(0, 90), discontinuity: true }), full(10)]),
    ).toMatchObject({
      continuityErrors: 0,
    });
    expect(factsOf([full(1), bare(8, { discontinuity: true }), full(9)])).toMatchObject({
      continuityErrors: 0,
    });
  });

  it("misses the payload of a packet whose adaptation field does not fit into it", () => {
    const withField = (length: number, control: number) => {
      const bytes = full(2, { payload: payload(2).subarray(0, 100) });
      bytes.set([control | 2, length], 3);
      return bytes;
    };
    for (const length of [184, 200, 255])
      expect(factsOf([full(1), withField(length, 0x30), full(3)])).toMatchObject({ continuityErrors: 1 });
    // Nothing is left for the payload, so nothing is missing; a field alone may be shorter than the standard says.
    expect(factsOf([full(1), withField(183, 0x30), full(3)])).toMatchObject({ continuityErrors: 0 });
    expect(factsOf([full(1), full(2), withField(7, 0x20), full(3)])).toMatchObject({ continuityErrors: 0 });
  });

  it("is ignored in null packets", () => {
    expect(factsOf([7, 7, 3].map((counter) => full(counter, { pid: 0x1fff })))).toMatchObject({
      continuityErrors: 0,
      nullPackets: 8,
    });
  });

  it("is not judged by a packet with a transport error", () => {
    const damaged = full(2, { transportError: true });
    expect(factsOf([full(1), damaged, full(3)])).toMatchObject({ transportErrors: 1, continuityErrors: 0 });
    // The damaged packet may have been of any PID: the counter may as well not have moved.
    expect(factsOf([full(1), full(7, { transportError: true }), full(2)])).toMatchObject({
      transportErrors: 1,
      continuityErrors: 0,
    });
    expect(factsOf([full(1), damaged, full(4)])).toMatchObject({ transportErrors: 1, continuityErrors: 1 });
  });

  it("misses nothing in damaged null packets, which carry nothing", () => {
    const nulls = Array.from({ length: 3 }, () =>
      packet({ pid: 0x1fff, payload: payload(0), transportError: true }),
    );
    const found = factsOf([full(1), ...nulls, full(2)]);
    expect(found).toMatchObject({ nullPackets: 8, transportErrors: 0, continuityErrors: 0 });
    expect(found.pids.find(({ pid }) => pid === 0x1fff)).toMatchObject({ transportErrors: 3 });
  });

  it("continues in scrambled packets, which are counted", () => {
    const packets = [1, 2, 4].map((counter) => ({ counter, scrambling: 2 }));
    expect(facts(packets)).toEqual({ ...CLEAN, scrambledPackets: 3, continuityErrors: 1 });
  });

  it("reveals every injected loss, and only those", () => {
    // Runs of up to 15 lost packets, with something received between them and at both ends.
    const runs = fc.array(
      fc.record({ received: fc.integer({ min: 1, max: 40 }), lost: fc.integer({ min: 1, max: 15 }) }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(runs, (pattern) => {
        let sent = 0;
        const kept = pattern.flatMap(({ received, lost }) => {
          const counters = Array.from({ length: received }, (_, index) => ({ counter: (sent + index) % 16 }));
          sent += received + lost;
          return counters;
        });
        return facts([...kept, { counter: sent % 16 }]).continuityErrors === pattern.length;
      }),
    );
  });
});
