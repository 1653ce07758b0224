import { describe, expect, it } from "vitest";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import {
  ascii,
  descriptor,
  join,
  PidWriter,
  pat,
  payload,
  pmt,
  TICKS_PER_MS,
  unit,
} from "../../kit/ts-builder.ts";

const VIDEO = 0x100;
const SOUND = 0x101;
const PLAYS = {
  ac3: "0b 77 00 00 14 40",
  eac3: "0b 77 01 ff 34 80",
  adts: "ff f1 4c 80 2f fc",
  latm: "56 e1 23 00 00 00",
};

interface Sent {
  readonly streamId: number;
  /** Bytes that follow the PES header, in hexadecimal. */
  readonly begins: string;
  readonly info?: readonly number[];
  readonly from?: number;
  readonly until?: number;
}

/** Six seconds of a service with picture and a stream of private data. */
function inspect({ streamId, begins, info = [], from = 0, until = 6000 }: Sent) {
  const [tables, maps, video, other] = [0, 0x20, VIDEO, SOUND].map((pid) => new PidWriter(pid)) as [
    PidWriter,
    PidWriter,
    PidWriter,
    PidWriter,
  ];
  const content = payload(1);
  content.set([0, 0, 1, streamId, 0, 178, 0x80, 0, 0, ...Buffer.from(begins.replaceAll(" ", ""), "hex")]);
  const streams = [
    { type: 0x1b, pid: VIDEO },
    { type: 0x06, pid: SOUND, info },
  ];
  const packets: Uint8Array[] = [];
  for (let ms = 0; ms < 6000; ms += 40) {
    packets.push(video.next({ pcr: ms * TICKS_PER_MS }), video.next({ starts: true, payload: unit(ms) }));
    if (ms >= from && ms < until) packets.push(other.next({ starts: true, payload: content }));
    // The tables come late.
    if (ms % 400 !== 200) continue;
    packets.push(...tables.sections(pat(1, { programmes: [[1, 0x20]] })));
    packets.push(...maps.sections(pmt({ sid: 1, pcrPid: VIDEO, streams })));
  }
  const inspector = new Inspector(undefined);
  inspector.push(join(packets));
  inspector.settle();
  const { services, tracks, lacks, spans } = inspector.inspection();
  const named = services[0]?.streams.find(({ pid }) => pid === SOUND);
  return { is: `${named?.kind}: ${named?.codec}`, tracks, lacks, spans };
}

describe("private data without a descriptor", () => {
  it.each([
    ["audio: AC-3", 0xbd, PLAYS.ac3],
    ["audio: E-AC-3", 0xbd, PLAYS.eac3],
    ["audio: AAC", 0xc0, PLAYS.adts],
    ["audio: AAC", 0xbd, PLAYS.adts],
    ["audio: AAC LATM", 0xc0, PLAYS.latm],
    ["audio: MPEG-2 audio", 0xc0, "ff fd a4 00 00 00"],
    ["audio: DTS", 0xbd, "7f fe 80 01 fc 3c"],
    ["audio: unknown audio", 0xc0, "00 00 00 00 00 00"],
    ["video: unknown video", 0xe3, "12 00 0a 0b 00 00"],
    ["data: private data", 0xbd, "ff fd a4 00 00 00"],
    ["data: private data", 0xbd, "10 02 2c 00 00 00"],
    ["data: private data", 0xbd, "20 00 0f 10 00 01"],
    ["data: private data", 0xbf, PLAYS.ac3],
  ])("is %s if its PES packets, with stream_id %i, begin with %s", (is, streamId, begins) => {
    expect(inspect({ streamId, begins }).is).toBe(is);
  });

  it("is the sound of the service from the beginning on, as if the PMT had named it", () => {
    const { lacks, spans, tracks } = inspect({ streamId: 0xbd, begins: PLAYS.ac3 });
    expect({ lacks, spans }).toEqual({ lacks: [], spans: [{ start: 0, stop: 5960 }] });
    expect(tracks.map(({ codec, isMain }) => [codec, isMain])).toEqual([
      ["H.264", true],
      ["AC-3", true],
    ]);
  });

  it.each([
    [{ until: 3000 }, { start: 3000, stop: 5960 }],
    [{ from: 3000 }, { start: 0, stop: 3000 }],
  ])("lacks that sound where it is not sent: %o", (when, { start, stop }) => {
    const { lacks } = inspect({ streamId: 0xbd, begins: PLAYS.ac3, ...when });
    expect(lacks).toEqual([
      { kind: "sound", start: expect.closeTo(start, -2), stop: expect.closeTo(stop, -2) },
    ]);
  });

  it("stays an audio description if the PMT says so", () => {
    const info = descriptor(0x0a, [...ascii("deu"), 3]);
    const { tracks } = inspect({ streamId: 0xbd, begins: PLAYS.ac3, info });
    expect(tracks[1]).toMatchObject({ kind: "audio", isSupplement: true, language: "deu" });
  });
});
