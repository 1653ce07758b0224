import { describe, expect, it } from "vitest";
import { framingOf, RtpOrder } from "../../../src/recorder/capture/host/rtp-order.ts";
import { fc } from "../../properties.ts";
import { rtpPacket } from "./rtsp.ts";

function collector() {
  const got: number[] = [];
  const order = new RtpOrder((bytes, from, to) => {
    expect(to - from).toBe(4);
    got.push(bytes.readUInt32BE(from));
  });
  return { got, order };
}

/** The packet with this place in the stream; what it carries is its place. */
function packet(place: number, source?: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(place);
  const made = rtpPacket(payload, place);
  if (source !== undefined) made.writeUInt32BE(source, 8);
  return made;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("RTP packets", () => {
  it("come out in order, each once, for any order of arrival, even over the wrap", () => {
    fc.assert(
      fc.property(
        fc.nat(0x1ffff),
        fc.array(fc.nat(7), { minLength: 30, maxLength: 200 }),
        (first, delays) => {
          const { got, order } = collector();
          // Each is late by so many places; the first is not, for it says where the stream begins.
          const places = delays.map((delay, index) => ({
            place: first + index,
            at: index === 0 ? -1 : index + delay,
          }));
          for (const { place } of places.toSorted((a, b) => a.at - b.at)) order.packet(packet(place), 0);
          const expected = delays.map((_, index) => first + index);
          return (
            order.lost === 0 &&
            got.every((each, index) => each === expected[index]) &&
            got.length === delays.length
          );
        },
      ),
    );
  });

  it("are awaited for a while if lost, then counted, and the rest continues", () => {
    const { got, order } = collector();
    for (const place of [0, 1, 4, 5]) order.packet(packet(place), 10);
    order.look(100);
    expect(got).toEqual([0, 1]);
    order.look(110);
    expect(got).toEqual([0, 1, 4, 5]);
    order.packet(packet(3), 120);
    order.packet(packet(6), 120);
    expect(got).toEqual([0, 1, 4, 5, 6]);
    expect(order).toMatchObject({ lost: 2, early: 2, late: 1 });
  });

  it("are not held forever", () => {
    const { got, order } = collector();
    for (const place of range(100)) if (place !== 10) order.packet(packet(place), 0);
    expect(got.slice(0, 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12]);
    expect(got).toHaveLength(99);
    expect(order.lost).toBe(1);
  });

  it("are counted when thousands are lost, even over the wrap", () => {
    const { got, order } = collector();
    for (const place of [65_000, 68_900, 68_901]) order.packet(packet(place), 0);
    order.look(100);
    expect(got).toEqual([65_000, 68_900, 68_901]);
    expect(order.lost).toBe(3899);
  });

  it("of a restarted sender are accepted in order of arrival", () => {
    const { got, order } = collector();
    for (const place of [100, 101, 30_000, 30_001]) order.packet(packet(place), 0);
    expect(got).toEqual([100, 101, 30_000, 30_001]);
    expect(order.lost).toBe(0);
  });

  it("of a sender that restarted close behind are accepted at once", () => {
    for (const behind of [150, 1500, 4000]) {
      const { got, order } = collector();
      const places = [...range(3).map((at) => 5000 + at), ...range(4).map((at) => 5000 - behind + at)];
      for (const place of places) order.packet(packet(place), 0);
      // The first of them could be late: only the second one shows that they go on from there.
      expect(got).toEqual(places.toSpliced(3, 1));
    }
  });

  it("of another source are accepted at once, whatever their numbers", () => {
    const { got, order } = collector();
    for (const place of [5000, 5001, 5003]) order.packet(packet(place), 0);
    for (const place of [4990, 4991]) order.packet(packet(place, 0x0102_0304), 0);
    expect(got).toEqual([5000, 5001, 5003, 4990, 4991]);
  });

  it("of a sender that never counts come out in order of arrival, and later ones that are counted too", () => {
    const { got, order } = collector();
    const uncounted = range(50).map((place) => {
      const made = packet(place);
      made.writeUInt16BE(7, 2);
      return made;
    });
    for (const each of uncounted) order.packet(each, 0);
    for (const place of [8, 10, 9, 9]) order.packet(packet(place), 0);
    expect(got).toEqual([...range(50), 8, 9, 10]);
    expect(order).toMatchObject({ lost: 0, late: 1 });
  });

  it("that arrive three times in a row come out once", () => {
    const { got, order } = collector();
    for (const place of range(20)) for (const _ of range(3)) order.packet(packet(place), 0);
    expect(got).toEqual(range(20));
  });

  it("that arrive twice, all of them much later, come out once", () => {
    const { got, order } = collector();
    for (const place of range(1000)) {
      order.packet(packet(place), 0);
      if (place >= 200) order.packet(packet(place - 200), 0);
    }
    expect(got).toEqual(range(1000));
  });

  it("still held at the end of the stream are not lost", () => {
    const { got, order } = collector();
    for (const place of [0, 2]) order.packet(packet(place), 0);
    order.end();
    expect(got).toEqual([0, 2]);
  });

  it("have their payload behind header and extension and before padding", () => {
    const parts: string[] = [];
    const order = new RtpOrder((bytes, from, to) => parts.push(bytes.toString("latin1", from, to)));
    const head = [0x80 | 0x20 | 0x10 | 1, 33, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0];
    const source = [1, 2, 3, 4];
    const extension = [0xbe, 0xde, 0, 1, 9, 9, 9, 9];
    order.packet(Buffer.from([...head, ...source, ...extension, 0x47, 0x48, 0, 0, 3]), 0);
    expect(parts).toEqual(["GH"]);
  });

  it("are told from a bare transport stream by their content, whatever their payload type", () => {
    const packets = (count: number) => Buffer.alloc(188 * count).fill(0x47, 0, 1);
    const others = rtpPacket(packets(7), 1);
    others.writeUInt8(96, 1);
    for (const each of [rtpPacket(packets(7), 1), others]) expect(framingOf(each)).toBe("rtp");
    for (const count of [1, 7]) expect(framingOf(packets(count))).toBe("packets");
    for (const each of [
      Buffer.alloc(0),
      Buffer.from([0x47]),
      packets(1).subarray(1),
      Buffer.alloc(1316, 0x80),
      Buffer.from([0x80, 200, 0, 6, ...range(24)]),
    ])
      expect(framingOf(each)).toBeUndefined();
  });

  it.each([
    ["nothing", []],
    ["a transport stream without RTP", [0x47, ...range(187)]],
    ["a report of RTCP", [0x80, 200, 0, 6, ...range(24)]],
    ["a header that claims more data than the packet has", [0x9f, 33, 0, 0, ...range(12)]],
    ["padding longer than the packet", [0xa0, 33, 0, 0, ...range(8), 200]],
  ])("exclude %s", (_what, bytes) => {
    const { got, order } = collector();
    order.packet(Buffer.from(bytes), 0);
    expect(got).toEqual([]);
    expect(order.foreign).toBe(1);
  });
});
