import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Reach } from "../../../../src/model/reach.ts";
import {
  type ControlDevice,
  controlReply,
  decideControl,
  parseControl,
} from "../../../../src/recorder/subsystems/hdhomerun/core/control.ts";
import { isDeviceId, makeDeviceId } from "../../../../src/recorder/subsystems/hdhomerun/core/device-id.ts";
import { asksFor, discoveryReply } from "../../../../src/recorder/subsystems/hdhomerun/core/discovery.ts";
import { lineupOf } from "../../../../src/recorder/subsystems/hdhomerun/core/lineup.ts";
import {
  formatPacket,
  numberField,
  PACKET,
  type Packet,
  packetLength,
  parsePacket,
  TAG,
  textField,
  WILDCARD,
} from "../../../../src/recorder/subsystems/hdhomerun/core/packet.ts";
import { fc } from "../../../properties.ts";

const DEVICE_ID = makeDeviceId(0.5);
const ID = Number.parseInt(DEVICE_ID, 16);

const packets: fc.Arbitrary<Packet> = fc.record({
  type: fc.nat(0xffff),
  fields: fc.array(fc.record({ tag: fc.nat(0xff), value: fc.uint8Array({ maxLength: 300 }) }), {
    maxLength: 4,
  }),
});

const question = (type: number, id: number, packet: number = PACKET.discoverRequest) =>
  formatPacket({ type: packet, fields: [numberField(TAG.deviceType, type), numberField(TAG.deviceId, id)] });

describe("a packet", () => {
  it("is read as it was written", () => {
    fc.assert(
      fc.property(packets, (packet) => {
        expect(parsePacket(formatPacket(packet))).toEqual(packet);
      }),
    );
  });

  it("has the CRC-32 of zlib at its end, least significant byte first", () => {
    fc.assert(
      fc.property(packets, (packet) => {
        const bytes = Buffer.from(formatPacket(packet));
        expect(bytes.readUInt32LE(bytes.length - 4)).toBe(crc32(bytes.subarray(0, -4)));
      }),
    );
  });

  it("with one changed, missing or extra byte is rejected", () => {
    fc.assert(
      fc.property(packets, fc.nat(), fc.integer({ min: 1, max: 255 }), (packet, place, change) => {
        const bytes = formatPacket(packet);
        const changed = Uint8Array.from(bytes, (byte, at) =>
          at === place % bytes.length ? byte ^ change : byte,
        );
        const others = [changed, bytes.subarray(0, -1), Uint8Array.from([...bytes, 0])];
        expect(others.map(parsePacket)).toEqual([undefined, undefined, undefined]);
      }),
    );
  });

  it("of random bytes is rejected without an exception, even with a correct CRC", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1500 }), (bytes) => {
        parsePacket(bytes);
        packetLength(bytes);
        const framed = Buffer.alloc(bytes.length + 8);
        framed.writeUInt16BE(PACKET.getSetRequest, 0);
        framed.writeUInt16BE(bytes.length, 2);
        framed.set(bytes, 4);
        framed.writeUInt32LE(crc32(framed.subarray(0, -4)), bytes.length + 4);
        const packet = parsePacket(framed);
        // The form that is written is the shortest one.
        if (packet !== undefined) expect(formatPacket(packet).length).toBeLessThanOrEqual(framed.length);
      }),
    );
  });

  it("over the size limit is rejected, whatever follows", () => {
    expect(packetLength(Uint8Array.of(0, 4, 0xff, 0xff))).toBe(Number.POSITIVE_INFINITY);
    expect(packetLength(Uint8Array.of(0, 4, 0))).toBe(undefined);
  });
});

describe("a device id", () => {
  it("that is generated has a valid checksum, whatever the random number", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (chance) =>
        isDeviceId(makeDeviceId(chance)),
      ),
    );
  });

  it("with one wrong digit is invalid", () => {
    fc.assert(
      fc.property(fc.nat(7), fc.integer({ min: 1, max: 15 }), (place, change) => {
        const digit = Number.parseInt(DEVICE_ID[place] ?? "", 16) ^ change;
        const other =
          DEVICE_ID.slice(0, place) + digit.toString(16).toUpperCase() + DEVICE_ID.slice(place + 1);
        return !isDeviceId(other);
      }),
    );
  });

  it.each(["00000000", "FFFFFFFF", "10abcdef", "1234567", "123456789", ""])("cannot be %j", (text) => {
    expect(isDeviceId(text)).toBe(false);
  });
});

describe("discovery", () => {
  it.each([
    ["any device with tuners", question(1, WILDCARD)],
    ["any device", question(WILDCARD, WILDCARD)],
    ["this device", question(1, ID)],
    [
      "several types",
      formatPacket({ type: 2, fields: [{ tag: 0x2d, value: Uint8Array.of(0, 0, 0, 5, 0, 0, 0, 1) }] }),
    ],
    // The request of Jellyfin, byte for byte.
    ["any device, as Jellyfin does", Buffer.from("0002000c0104ffffffff0204ffffffff73cc7d8f", "hex")],
  ])("answers a request for %s", (_name, datagram) => {
    expect(asksFor(DEVICE_ID, datagram)).toBe(true);
  });

  it.each([
    ["storage", question(5, WILDCARD)],
    ["another device", question(1, ID ^ 0x10)],
    ["no type", formatPacket({ type: 2, fields: [numberField(TAG.deviceId, WILDCARD)] })],
    ["an empty packet", formatPacket({ type: 2, fields: [] })],
    ["its own answer", discoveryReply({ deviceId: DEVICE_ID, tunerCount: 2, baseUrl: "http://192.0.2.1" })],
    ["a variable", formatPacket({ type: 4, fields: [textField(TAG.name, "/sys/model\0")] })],
    ["nothing", new Uint8Array()],
  ])("does not answer a request for %s", (_name, datagram) => {
    expect(asksFor(DEVICE_ID, datagram)).toBe(false);
  });

  it("does not answer random bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => !asksFor(DEVICE_ID, bytes)));
  });
});

const service = { onid: 1, tsid: 2, sid: 3 };
const reach = (channelId: string, number?: number, more: Partial<Reach> = { service }): Reach => ({
  channelId,
  name: `Channel ${channelId}`,
  tuners: [],
  ...(number === undefined ? {} : { number }),
  ...more,
});

it("the lineup lists each received channel once, under a unique number", () => {
  const broken = reach("5", 7, { service, name: "Line\nand\u202eline" });
  const channels = [reach("1", 5), reach("2", 5), reach("3"), reach("4", 9, {}), broken];
  expect(lineupOf(channels).map(({ name, number }) => [name, number])).toEqual([
    ["Channel 1", "5"],
    ["Channel 2", "20002"],
    ["Channel 3", "20003"],
    ["Line and line", "7"],
  ]);
});

describe("control", () => {
  const channel = { number: "5", channelId: "1", name: "Five", service };
  const device: ControlDevice = {
    version: "1.0",
    tuners: [
      {},
      { channel, viewer: "192.0.2.7" },
      { channel, lock: { key: 7, by: "192.0.2.8" } },
      { channel, viewer: "192.0.2.9", target: "udp://192.0.2.9:5000" },
    ],
    lineup: [channel],
    peer: "192.0.2.9",
  };
  const ask = (name: string, value?: string, lockKey = 0) =>
    decideControl({ name, lockKey, ...(value === undefined ? {} : { value }) }, device);

  it("reports the device and the use of its tuners", () => {
    const read = (name: string) => (ask(name) as { text: string }).text;
    expect(read("/sys/model")).toBe("recorderd");
    expect(read("/tuner0/status")).toBe("ch=none lock=none ss=0 snq=0 seq=0 bps=0 pps=0");
    expect(read("/tuner1/status")).toMatch(/^ch=auto:5 lock=auto ss=100 /);
    expect(["/tuner0/channel", "/tuner1/channel"].map(read)).toEqual(["none", "auto:5"]);
    expect(read("/tuner0/streaminfo")).toBe("none\n");
    expect(read("/tuner1/streaminfo")).toBe("3: 5 Five\ntsid=0x0002\nonid=0x0001\n");
    expect(read("/tuner2/lockkey")).toBe("192.0.2.8");
    expect(read("/tuner3/target")).toBe("udp://192.0.2.9:5000");
    expect(read("help")).toContain("/tuner<n>/vchannel");
  });

  it("tells of a signal as soon as a channel is set: clients wait for it before they ask for the stream", () => {
    const read = (name: string) => (ask(name) as { text: string }).text;
    // The tuner that has a channel, but neither a viewer nor a target.
    expect(read("/tuner2/status")).toMatch(/^ch=auto:5 lock=auto ss=100 snq=100 seq=100 bps=0 /);
    expect(read("/tuner2/streaminfo")).toMatch(/^3: 5 Five\n/);
  });

  it.each([
    ["Sim 1", "Sim\u00a01"],
    ["News auth=error", "News\u00a0auth=error"],
    ["A channel with a name longer than clients keep", "A\u00a0channel\u00a0with\u00a0a\u00a0name\u00a0long"],
    ["ÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄ", "ÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄ"],
    ["", "none"],
  ])("tells the name %j as one word that clients keep whole", (name, word) => {
    const tuners = [{ channel: { ...channel, name } }];
    const answer = decideControl({ name: "/tuner0/vstatus", lockKey: 0 }, { ...device, tuners });
    const text = `vch=5 name=${word} auth=unspecified cci=none cgms=none`;
    expect(answer).toEqual({ kind: "value", text });
  });

  it.each([
    ["/tuner0/vchannel", "5", { kind: "tune", tuner: 0, channel }],
    ["/tuner0/channel", "auto:5", { kind: "tune", tuner: 0, channel }],
    ["/tuner0/vchannel", "none", { kind: "tune", tuner: 0, channel: undefined }],
    ["/tuner0/channel", "none", { kind: "tune", tuner: 0, channel: undefined }],
    ["/tuner0/lockkey", "123", { kind: "lock", tuner: 0, key: 123 }],
    ["/tuner0/lockkey", "none", { kind: "lock", tuner: 0, key: undefined }],
    ["/tuner2/lockkey", "force", { kind: "lock", tuner: 2, key: undefined }],
    ["/tuner3/target", "udp://192.0.2.9:5001", { kind: "target", tuner: 3, port: 5001 }],
    ["/tuner3/target", "192.0.2.9:5001 ttl=2", { kind: "target", tuner: 3, port: 5001 }],
    ["/tuner0/target", "none", { kind: "target", tuner: 0, port: undefined }],
  ])("sets %s to %s", (name, value, change) => {
    expect(ask(name, value)).toEqual(change);
  });

  it.each([
    ["/tuner0/vchannel", "6", "ERROR: invalid virtual channel"],
    ["/tuner0/channel", "auto:226500000", "ERROR: invalid channel: set vchannel"],
    ["/tuner0/target", "udp://192.0.2.9:5000", "ERROR: no channel: set vchannel first"],
    ["/tuner3/target", "udp://192.0.2.66:5000", "ERROR: invalid target"],
    ["/tuner3/target", "rtp://192.0.2.9:5000", "ERROR: invalid target"],
    ["/tuner3/target", "udp://192.0.2.9:0", "ERROR: invalid target"],
    ["/tuner3/target", "udp://192.0.2.9:65536", "ERROR: invalid target"],
    ["/tuner1/vchannel", "5", "ERROR: resource locked by 192.0.2.7"],
    ["/tuner1/channel", "auto:5", "ERROR: resource locked by 192.0.2.7"],
    ["/tuner1/channel", "none", "ERROR: resource locked by 192.0.2.7"],
    ["/tuner1/target", "none", "ERROR: resource locked by 192.0.2.7"],
    ["/tuner2/vchannel", "5", "ERROR: resource locked by 192.0.2.8"],
    ["/tuner0/lockkey", "0", "ERROR: invalid lockkey"],
    ["/tuner0/program", "3", "ERROR: unknown getset variable"],
    ["/tuner9/vchannel", "5", "ERROR: unknown getset variable"],
    ["/sys/restart", "self", "ERROR: unknown getset variable"],
    ["/sys/model", "other", "ERROR: unknown getset variable"],
    ["constructor", undefined, "ERROR: unknown getset variable"],
    ["/tuner0/constructor", undefined, "ERROR: unknown getset variable"],
  ])("refuses %s with %s", (name, value, text) => {
    expect(ask(name, value)).toEqual({ kind: "error", text });
  });

  it("lets the holder of a lock change its tuner", () => {
    expect(ask("/tuner2/vchannel", "5", 7)).toEqual({ kind: "tune", tuner: 2, channel });
  });

  it("reads the text of a request up to its NUL, and no other packet", () => {
    const fields = [textField(TAG.name, "/tuner0/vchannel\0rest"), textField(TAG.value, "5\0")];
    const bytes = formatPacket({
      type: PACKET.getSetRequest,
      fields: [...fields, numberField(TAG.lockKey, 9)],
    });
    expect(parseControl(bytes)).toEqual({ name: "/tuner0/vchannel", value: "5", lockKey: 9 });
    expect(parseControl(question(1, ID))).toBe(undefined);
    expect(parseControl(formatPacket({ type: PACKET.getSetRequest, fields: [] }))).toBe(undefined);
  });

  it("answers every request, within a packet that clients accept", () => {
    const words = fc.constantFrom(
      "/tuner0/",
      "/tuner3/",
      "/sys/",
      "help",
      "lockkey",
      "target",
      "vchannel",
      "none",
    );
    const texts = fc.array(fc.oneof(words, fc.string()), { maxLength: 3 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(texts, fc.option(texts, { nil: undefined }), fc.nat(9), (name, value, lockKey) => {
        const answer = ask(name, value, lockKey);
        if (answer.kind !== "value" && answer.kind !== "error") return true;
        return parsePacket(controlReply(name.slice(0, 200), answer)) !== undefined;
      }),
    );
  });
});
