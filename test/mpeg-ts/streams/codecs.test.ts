import { describe, expect, it } from "vitest";
import { describeStream } from "../../../src/mpeg-ts/streams/codecs.ts";
import type { Descriptor } from "../../../src/mpeg-ts/tables/descriptors.ts";
import { sectionHeader } from "../../../src/mpeg-ts/tables/sections.ts";
import { readPmt } from "../../../src/mpeg-ts/tables/tables.ts";
import { ascii, descriptor as coded, pmt, sixteen } from "../../kit/ts-builder.ts";

const descriptor = (tag: number, ...body: readonly number[]): Descriptor => ({
  tag,
  body: Uint8Array.from(body),
});
const registration = (code: string) => descriptor(0x05, ...ascii(code));
const captions = (id: number) => descriptor(0xfd, ...sixteen(id), 0x3d);
const label = (componentTag: number) => descriptor(0x52, componentTag);

interface Given {
  readonly own?: readonly Descriptor[];
  readonly programme?: readonly Descriptor[];
}

function described(streamType: number, { own = [], programme = [] }: Given = {}): string {
  const { kind, codec } = describeStream({ pid: 256, streamType, descriptors: own, programme });
  return `${kind}: ${codec}`;
}

describe("a stream of type 0x86", () => {
  it("is splice information, unless the programme is registered as HDMV", () => {
    expect(described(0x86)).toBe("data: SCTE-35 splice information");
    expect(described(0x86, { programme: [registration("CUEI")] })).toBe("data: SCTE-35 splice information");
    expect(described(0x86, { programme: [registration("HDMV")] })).toBe("audio: DTS-HD");
  });
});

it("sound of MPEG-H and DRA counts as sound", () => {
  for (const type of [0x2d, 0x2e]) expect(described(type)).toBe("audio: MPEG-H audio");
  expect(described(0x06, { own: [registration("DRA1")] })).toBe("audio: DRA");
});

describe("a stream for some viewers only, or a part of another one", () => {
  const sound = (type: number) => (audioType: number) =>
    [type, descriptor(0x0a, ...ascii("deu"), audioType)] as const;
  const isSupplement = (streamType: number, own: readonly Descriptor[]) =>
    describeStream({ pid: 256, streamType, descriptors: own, programme: [] }).isSupplement === true;

  it.each([
    ["clean effects", ...sound(4)(1)],
    ["for people who hear badly", ...sound(4)(2)],
    ["audio description", ...sound(4)(3)],
    ["AC-3 for people who do not see", 6, descriptor(0x6a, 0x80, 0b01_010_010)],
    ["E-AC-3 for people who hear badly", 6, descriptor(0x7a, 0x80, 0b11_011_010)],
    ["supplementary audio: a description", 17, descriptor(0x7f, 0x06, 0b1_00001_1_0)],
    ["supplementary audio: spoken subtitles", 17, descriptor(0x7f, 0x06, 0b0_00011_1_0)],
    ["AAC for people who do not see", 17, descriptor(0x7c, 0x58, 0x80, 0x48)],
    ["AAC that the receiver mixes", 17, descriptor(0x7c, 0x58, 0x80, 0x42)],
    ["ATSC AC-3: commentary", 0x81, descriptor(0x81, 0x08, 0x28, 0b101_00100)],
    ["ATSC E-AC-3: visually impaired", 0x87, descriptor(0xcc, 0xc0, 0b1_1_010_010)],
    ["a layer", 0x1b, descriptor(0x04, 0x01, 0, 0, 0)],
    ["the other eye's picture", 0x20, descriptor(0x0a, ...ascii("und"), 0)],
    ["sign language", 0x1b, descriptor(0x0a, ...ascii("sgn"), 0)],
  ])("is %s", (_what, streamType, own) => {
    const named = streamType === 6 ? [descriptor(0x7a, 0)] : [];
    expect(isSupplement(streamType, [own, ...named])).toBe(true);
  });

  it.each([
    ["plain sound", ...sound(4)(0)],
    ["AC-3 without a type", 6, descriptor(0x6a, 0)],
    ["AC-3, whole", 6, descriptor(0x6a, 0x80, 0b01_000_010)],
    ["supplementary audio that is the main one", 17, descriptor(0x7f, 0x06, 0b1_00000_1_0)],
    ["stereo AAC", 17, descriptor(0x7c, 0x58, 0x80, 0x43)],
    ["AAC without a type", 17, descriptor(0x7c, 0x58)],
    ["ATSC AC-3, whole", 0x81, descriptor(0x81, 0x08, 0x28, 0b000_00100)],
    ["a private descriptor of DVB", 4, descriptor(0x81, 0xff, 0xff, 0xff)],
    ["a base layer", 0x1b, descriptor(0x04, 0x0f, 0, 0, 0)],
    ["subtitles in sign language", 6, descriptor(0x59, ...ascii("sgn"), 0x10, 0, 1, 0, 1)],
  ])("is not %s", (_what, streamType, own) => {
    expect(isSupplement(streamType, [own])).toBe(false);
  });
});

describe("a PMT", () => {
  it("lists the streams of the programme", () => {
    const bytes = pmt({
      sid: 1,
      pcrPid: 256,
      programme: [...coded(0x52, [1]), ...coded(0x05, ascii("HDMV"))],
      streams: [
        { type: 0x1b, pid: 256 },
        { type: 0x86, pid: 257 },
      ],
    });
    const header = sectionHeader(bytes);
    const streams = header === undefined ? [] : readPmt({ bytes, header }).streams;
    expect(streams.map(({ pid, codec }) => [pid, codec])).toEqual([
      [256, "H.264"],
      [257, "DTS-HD"],
    ]);
  });
});

describe("streams of an HDMV programme", () => {
  it.each([
    [0x80, "audio: LPCM"],
    [0x81, "audio: AC-3"],
    [0x82, "audio: DTS"],
    [0x83, "audio: Dolby TrueHD"],
    [0x84, "audio: E-AC-3"],
    [0x85, "audio: DTS-HD"],
    [0x90, "subtitle: PGS subtitles"],
    [0x91, "data: IGS menus"],
    [0x92, "subtitle: HDMV text subtitles"],
    [0xa1, "audio: E-AC-3"],
    [0xa2, "audio: DTS-HD"],
    [0xea, "video: VC-1"],
    [0x1b, "video: H.264"],
  ])("have the types of Blu-ray: 0x%x", (streamType, expected) => {
    expect(described(streamType, { programme: [registration("HDMV")] })).toBe(expected);
    expect(described(streamType, { own: [registration("HDMV")] })).toBe(expected);
  });

  it("are the only ones with these types", () => {
    expect(described(0x80)).toBe("data: stream type 0x80");
    expect(described(0x90)).toBe("data: stream type 0x90");
    expect(described(0x81)).toBe("audio: AC-3");
    expect(described(0x8a)).toBe("audio: DTS");
  });
});

describe("captions of ISDB", () => {
  it("are subtitles by their data component, and superimposed text by the component tag", () => {
    expect(described(6, { own: [label(0x30), captions(0x0008)] })).toBe("subtitle: ARIB captions");
    expect(described(6, { own: [label(0x38), captions(0x0008)] })).toBe("subtitle: ARIB superimposed text");
    expect(described(6, { own: [captions(0x0008)] })).toBe("subtitle: ARIB captions");
  });

  it("include those of one-seg", () => {
    expect(described(6, { own: [label(0x87), captions(0x0012)] })).toBe("subtitle: ARIB captions");
    expect(described(6, { own: [label(0x88), captions(0x0012)] })).toBe("subtitle: ARIB superimposed text");
  });

  it("exclude other components, other types, and networks with their own tags", () => {
    expect(described(6, { own: [captions(0x000c)] })).toBe("data: private data");
    expect(described(13, { own: [captions(0x0008)] })).toBe("data: DSM-CC sections");
    expect(described(6, { own: [descriptor(0x5f, 0, 0, 0, 1), captions(0x0008)] })).toBe(
      "data: private data",
    );
  });
});

describe("private data", () => {
  it("follows its descriptors", () => {
    expect(described(6, { own: [descriptor(0x6a)] })).toBe("audio: AC-3");
    expect(described(6, { own: [descriptor(0x59)] })).toBe("subtitle: DVB subtitles");
    expect(described(6, { own: [registration("CUEI")] })).toBe("data: SCTE-35 splice information");
    expect(described(6, { own: [registration("Opus")], programme: [registration("HDMV")] })).toBe(
      "audio: Opus",
    );
  });
});
