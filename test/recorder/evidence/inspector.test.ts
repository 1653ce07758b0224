import { describe, expect, it } from "vitest";
import { tableErrorsIn } from "../../../src/model/inspection.ts";
import type { Triplet } from "../../../src/model/service.ts";
import { MPEG_TS_LIMITS } from "../../../src/mpeg-ts/limits.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import {
  ascii,
  counted,
  descriptor,
  join,
  PidWriter,
  type PmtParts,
  pat,
  payload,
  pmt,
  section,
  sixteen,
  TICKS_PER_MS,
  unit,
} from "../../kit/ts-builder.ts";

const PMT_PID = 0x20;
const VIDEO_PID = 0x100;
const SID = 545;

const PICTURE = { type: 0x1b, pid: VIDEO_PID };
const PLAIN: PmtParts = { sid: SID, pcrPid: VIDEO_PID, streams: [PICTURE] };

/** A service as a multiplexer sends it: tables every 120 ms, a picture packet with PCR every 40 ms. */
class Station {
  #clockMs = 0;
  readonly #pat = new PidWriter(0);
  readonly #pmt = new PidWriter(PMT_PID);
  readonly #video: PidWriter;
  #map: PmtParts;
  #ms = 0;

  constructor(map: PmtParts = PLAIN) {
    this.#map = map;
    this.#video = new PidWriter(VIDEO_PID);
  }

  change(map: PmtParts): this {
    this.#map = map;
    return this;
  }

  /** Replaces the clock from now on. */
  newClock(): this {
    this.#clockMs = 5_000_000 - this.#ms;
    return this;
  }

  /** Its clock jumps ahead. */
  skip(ms: number): this {
    this.#ms += ms;
    return this;
  }

  /** A PCR with discontinuity_indicator. */
  announce(): Uint8Array {
    const pcr = (this.#ms + this.#clockMs) * TICKS_PER_MS;
    this.#ms += 40;
    return this.#video.next({ pcr, discontinuity: true });
  }

  /** All that it sends is lost. */
  lose(ms: number): this {
    this.send(ms);
    return this;
  }

  send(
    ms: number,
    {
      scrambling = 0,
      masked = false,
      pcrPid = VIDEO_PID,
    }: { scrambling?: number; masked?: boolean; pcrPid?: number } = {},
  ): Uint8Array {
    const packets: Uint8Array[] = [];
    const pcrs = pcrPid === VIDEO_PID ? this.#video : new PidWriter(pcrPid);
    for (const end = this.#ms + ms; this.#ms < end; this.#ms += 40) {
      if (this.#ms % 120 === 0) {
        packets.push(...this.#pat.sections(pat(221, { programmes: [[this.#map.sid, PMT_PID]] })));
        packets.push(...this.#pmt.sections(pmt(this.#map)));
      }
      packets.push(pcrs.next({ pcr: (this.#ms + this.#clockMs) * TICKS_PER_MS }));
      const content = masked ? payload(this.#ms) : unit(this.#ms);
      packets.push(this.#video.next({ starts: true, payload: content, scrambling }));
    }
    return join(packets);
  }
}

function inspect(parts: readonly Uint8Array[], service?: Triplet) {
  const inspector = new Inspector(service);
  for (const part of parts) inspector.push(part);
  inspector.settle();
  return inspector.inspection();
}

/** Time of the broadcast, in seconds after midnight of a day. EN 300 468 §5.2.5. */
function shortTime(seconds: number): Uint8Array {
  return new Uint8Array([
    0x70,
    0x70,
    5,
    ...sixteen(61_000),
    0,
    0,
    Math.floor(seconds / 10) * 16 + (seconds % 10),
  ]);
}

/** The SDT of the station. */
function sdt(
  { onid = 4112, tsid = 221, provider = "" },
  writer = new PidWriter(0x11),
): readonly Uint8Array[] {
  const named = descriptor(0x48, [1, ...counted(ascii(provider)), ...counted(ascii("One"))]);
  const entry = [...sixteen(SID), 0xfc, ...sixteen(0x8000 | named.length), ...named];
  const body = [...sixteen(onid), 0xff, ...entry];
  return writer.sections(section({ tableId: 0x42, extension: tsid, body }));
}

const language = (code: string) => [...ascii(code), 0];

describe("a service on a stream", () => {
  it("is read without SDT, as in remuxed files", () => {
    const found = inspect([new Station().send(2000)]);
    expect(found.services).toEqual([
      {
        sid: SID,
        pmtPid: PMT_PID,
        pcrPid: VIDEO_PID,
        streams: [{ pid: VIDEO_PID, streamType: 0x1b, kind: "video", codec: "H.264" }],
      },
    ]);
    expect(found).toMatchObject({
      transportStreamId: 221,
      clockSid: SID,
      streamMs: 1960,
      payloadPackets: 50,
    });
    expect(found.spans).toEqual([{ start: 0, stop: 1960 }]);
    expect(found.originalNetworkId).toBeUndefined();
  });

  it("is whole although the counters of its tables stand still, and only those of tables have errors", () => {
    const sent = new Station().send(2000);
    for (let at = 0; at < sent.length; at += 188) {
      const pid = (((sent[at + 1] ?? 0) & 0x1f) << 8) | (sent[at + 2] ?? 0);
      if (pid !== VIDEO_PID) sent[at + 3] = 0x15;
      // A table of its own each time: an equal one would be a duplicate.
      if (pid !== VIDEO_PID) sent[at + 187] = at / 188;
    }
    const found = inspect([sent]);
    expect(found).toMatchObject({ spans: [{ start: 0, stop: 1960 }], payloadPackets: 50 });
    expect(found.clockBreaks).toEqual([]);
    expect(found.continuityErrors).toBeGreaterThan(30);
    expect(tableErrorsIn(found)).toEqual({ continuityErrors: found.continuityErrors, transportErrors: 0 });
  });

  it("is dated from its first PCR, although the tables came later", () => {
    const late = new Station().send(2000).subarray(188 * 8);
    expect(inspect([late]).streamMs).toBeGreaterThanOrEqual(1840);
  });

  it("has no payload before its PMT, none of another service, and none that is scrambled", () => {
    const named = { onid: 1, tsid: 221, sid: SID };
    expect(inspect([new Station().send(2000)], named)).toMatchObject({ payloadPackets: 50, clockSid: SID });
    const other = inspect([new Station().send(2000)], { ...named, sid: 546 });
    expect(other).toMatchObject({ payloadPackets: 0, spans: [], streamMs: 0 });
    expect(other.clockSid).toBeUndefined();
    const scrambled = inspect([new Station().send(2000, { scrambling: 3 })], named);
    expect(scrambled).toMatchObject({ payloadPackets: 0, scrambledPackets: 50, streamMs: 1960 });
  });

  it("R-05 is not covered while it is scrambled", () => {
    const station = new Station();
    const found = inspect([station.send(1000), station.send(3000, { scrambling: 2 }), station.send(1000)]);
    expect(found.streamMs).toBe(4960);
    expect(found.spans).toEqual([
      { start: 0, stop: 1000 },
      { start: 4000, stop: 4960 },
    ]);
  });

  it("keeps its timeline when its PCR moves to another PID", () => {
    const station = new Station();
    const before = station.send(1200);
    const after = station.change({ ...PLAIN, version: 1, pcrPid: 0x1f0 }).send(1200, { pcrPid: 0x1f0 });
    expect(inspect([before, after])).toMatchObject({ streamMs: 2360, clockBreaks: [] });
  });

  it("R-05 is scrambled if no unit begins correctly, although no packet is marked", () => {
    const station = new Station();
    const found = inspect([station.send(1000), station.send(3000, { masked: true }), station.send(1000)]);
    expect(found).toMatchObject({ scrambledPackets: 75, payloadPackets: 50, undecidedPackets: 0 });
    expect(found.pids.find(({ pid }) => pid === VIDEO_PID)).toMatchObject({ scrambledPackets: 75 });
    expect(found.spans).toEqual([
      { start: 0, stop: 1000 },
      { start: 4000, stop: 4960 },
    ]);
  });

  it("is not clear until a unit begins, and not scrambled for two false starts in a row", () => {
    const station = new Station();
    expect(inspect([station.send(80, { masked: true })])).toMatchObject({
      payloadPackets: 0,
      undecidedPackets: 2,
      scrambledPackets: 0,
    });
    const other = new Station();
    const found = inspect([other.send(80, { masked: true }), other.send(400)]);
    expect(found).toMatchObject({ payloadPackets: 12, undecidedPackets: 0, scrambledPackets: 0 });
  });

  it("R-28 shows the missing time", () => {
    const station = new Station();
    const found = inspect([station.send(1200), station.lose(6000).send(1200)]);
    expect(found.spans).toEqual([
      { start: 0, stop: 1160 },
      { start: 7200, stop: 8360 },
    ]);
    expect(found.clockBreaks).toEqual([]);
  });

  it.each([600, 6000, 500_000])(
    "misses nothing if its clock jumps ahead by %i ms and no packet is missing",
    (ms) => {
      const station = new Station();
      const found = inspect([station.send(1200), station.skip(ms).send(2400)]);
      expect(found).toMatchObject({ spans: [{ start: 0, stop: 3520 }], streamMs: 3520, clockBreaks: [1160] });
    },
  );

  it("R-28 shows the missing time, although the counters break only later", () => {
    const station = new Station();
    const [before, after] = [station.send(1200), station.skip(6000).send(2400)];
    // Without the third picture after the jump.
    const found = inspect([before, after.subarray(0, 188 * 7), after.subarray(188 * 8)]);
    expect(found.spans).toEqual([
      { start: 0, stop: 1160 },
      { start: 7200, stop: 9560 },
    ]);
  });

  it("R-28 shows the missing time of a source that counts its packets anew, as ffmpeg does", () => {
    const station = new Station();
    const sent = [station.send(1200), ...sdt({ provider: "FFmpeg" }), station.skip(6000).send(1200)];
    expect(inspect(sent).spans).toHaveLength(2);
    // It announces none, and does not pass on a longer one.
    sent.push(station.skip(6000).announce(), station.send(1200), station.skip(60_000).send(1200));
    expect(inspect(sent).spans).toHaveLength(2);
  });

  it("R-28 shows the missing time that only the time of the broadcast tells", () => {
    const tdt = new PidWriter(0x14);
    const told = (seconds: number) => join(tdt.sections(shortTime(seconds)));
    const station = new Station();
    const sent = [station.send(2000), told(2), station.send(4000), station.skip(8000).send(6000), told(20)];
    const found = inspect([...sent, station.send(1000)]);
    expect(found.spans.map(({ start, stop }) => [Math.round(start / 1000), Math.round(stop / 1000)])).toEqual(
      [
        [0, 6],
        [14, 21],
      ],
    );
  });

  it("R-04 shows the missing time even if another clock follows, measured with the broadcast time", () => {
    const tdt = new PidWriter(0x14);
    const told = (seconds: number) => join(tdt.sections(shortTime(seconds)));
    const station = new Station();
    const sent = [station.send(2000), told(2), station.send(4000), station.skip(8000).newClock().send(6000)];
    const found = inspect([...sent, told(20), station.send(2000)]);
    expect(found.spans.map(({ start, stop }) => [Math.round(start / 1000), Math.round(stop / 1000)])).toEqual(
      [
        [0, 6],
        [14, 22],
      ],
    );
    expect(found.clockBreaks).toHaveLength(1);
  });

  it("is covered if packets were lost but the clock continued, with the errors counted", () => {
    const bytes = new Station().send(2000);
    const at = 188 * 51;
    const found = inspect([bytes.subarray(0, at), bytes.subarray(at + 188 * 2)]);
    expect(found.continuityErrors).toBeGreaterThan(0);
    expect(found.spans).toEqual([{ start: 0, stop: 1960 }]);
  });

  it("is described in words, with private streams by their descriptors", () => {
    const found = inspect([
      new Station({
        ...PLAIN,
        streams: [
          { type: 0x06, pid: 1, info: descriptor(0x6a, [0]) },
          { type: 0x06, pid: 2, info: [...descriptor(0x0a, language("deu")), ...descriptor(0x7a, [0])] },
          { type: 0x06, pid: 3, info: descriptor(0x56, [...ascii("fra"), 0x09, 0x00]) },
          { type: 0x06, pid: 4, info: descriptor(0x59, [...ascii("eng"), 0x10, 0, 1, 0, 1]) },
          { type: 0x06, pid: 5, info: descriptor(0x05, ascii("BSSD")) },
          { type: 0x06, pid: 6, info: descriptor(0x7f, [0x15, 0]) },
          { type: 0x06, pid: 7 },
          { type: 0xf0, pid: 8 },
          { type: 0x11, pid: 9, info: descriptor(0x0a, language("ita")) },
        ],
      }).send(1000),
    ]);
    expect(found.services[0]?.streams.map(({ kind, codec, language }) => [kind, codec, language])).toEqual([
      ["audio", "AC-3", undefined],
      ["audio", "E-AC-3", "deu"],
      ["teletext", "DVB teletext", "fra"],
      ["subtitle", "DVB subtitles", "eng"],
      ["audio", "SMPTE 302M", undefined],
      ["audio", "AC-4", undefined],
      ["data", "private data", undefined],
      ["data", "stream type 0xf0", undefined],
      ["audio", "AAC LATM", "ita"],
    ]);
  });

  it("has each PID once, as it is listed first, and none that is the null PID, as encoders name a stream that they do not send", () => {
    const streams = [
      { type: 0x03, pid: 0x1fff },
      PICTURE,
      { type: 0x0f, pid: VIDEO_PID },
      { type: 0x03, pid: 0x1fff },
    ];
    const found = inspect([new Station({ ...PLAIN, streams }).send(1000)]);
    expect(found.services[0]?.streams).toMatchObject([{ pid: VIDEO_PID, kind: "video" }]);
    expect(found.tracks).toMatchObject([{ pid: VIDEO_PID, isMain: true }]);
    expect(found.spans).toEqual([{ start: 0, stop: 960 }]);
  });

  it("is followed over a splice although all tables keep their versions", () => {
    const other = { ...PLAIN, streams: [...PLAIN.streams, { type: 0x03, pid: 0x101 }] };
    const found = inspect([new Station().send(2000), new Station(other).newClock().send(2000)]);
    expect(found.services[0]?.streams.map(({ pid }) => pid)).toEqual([VIDEO_PID, 0x101]);
    expect(found.clockBreaks).toHaveLength(1);
    expect(found.streamMs).toBe(3920);
  });

  it("is followed back if an earlier version of its PMT returns", () => {
    const other = { ...PLAIN, streams: [...PLAIN.streams, { type: 0x03, pid: 0x101 }] };
    const station = new Station();
    const found = inspect([
      station.send(1200),
      station.change(other).send(1200),
      station.change(PLAIN).send(1200),
    ]);
    expect(found.services[0]?.streams.map(({ pid }) => pid)).toEqual([VIDEO_PID]);
  });

  it("is replaced by the next one if none was requested and the stream continues with another", () => {
    const second = new Station({ ...PLAIN, sid: 546 });
    const found = inspect([new Station().send(2000), second.newClock().send(2000)]);
    expect(found.clockSid).toBe(546);
    expect(found.streamMs).toBe(3920);
  });

  it("has a break if its clock jumps by 300 ms without a loss, and none if readings are rare", () => {
    const station = new Station();
    const jumped = inspect([station.send(2000), station.skip(300).send(2000)]);
    expect(jumped.clockBreaks).toEqual([1960]);
    const rare = new Station();
    const parts = Array.from({ length: 20 }, () => [rare.send(40), rare.send(280, { pcrPid: 0x1ffe })]);
    expect(inspect(parts.flat()).clockBreaks).toEqual([]);
  });

  it("may stand still if a descriptor of its picture allows it", () => {
    const stills = [
      { type: 0x02, pid: VIDEO_PID, info: descriptor(0x02, [0x01]) },
      { type: 0x1b, pid: 0x101, info: descriptor(0x28, [100, 0, 40, 0x80]) },
      { type: 0x24, pid: 0x102, info: descriptor(0x38, [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 93, 0x40]) },
      { type: 0x1b, pid: 0x103, info: descriptor(0x28, [100, 0, 40, 0x3f]) },
    ];
    const found = inspect([new Station({ ...PLAIN, streams: stills }).send(2000)]);
    expect(found.services[0]?.streams.map(({ mayStill }) => mayStill)).toEqual([true, true, true, undefined]);
  });

  it("follows a new version of its PMT", () => {
    const station = new Station();
    const before = station.send(1200);
    const streams = [{ type: 0x24, pid: VIDEO_PID }];
    const found = inspect([before, station.change({ ...PLAIN, version: 1, streams }).send(1200)]);
    expect(found.services[0]?.streams.map(({ codec }) => codec)).toEqual(["H.265"]);
  });

  it("has lost nothing if its PMT goes back to a PID that was sent meanwhile, as after regional news", () => {
    const [tables, maps] = [new PidWriter(0), new PidWriter(PMT_PID)];
    const videos = [new PidWriter(VIDEO_PID), new PidWriter(0x300)] as const;
    const packets: Uint8Array[] = [];
    const second = (version: number, shown: 0 | 1, isLossy = false) => {
      const pid = shown === 0 ? VIDEO_PID : 0x300;
      packets.push(...tables.sections(pat(221, { programmes: [[SID, PMT_PID]] })));
      packets.push(...maps.sections(pmt({ sid: SID, version, pcrPid: pid, streams: [{ type: 0x1b, pid }] })));
      for (let ms = 1000 * version; ms < 1000 * (version + 1); ms += 40) {
        const sent = videos.map((writer) =>
          writer.next({ starts: true, pcr: ms * TICKS_PER_MS, payload: unit(ms).subarray(0, 150) }),
        );
        const isLost = isLossy && ms % 1000 === 480;
        // The tuner server sends what the PMT lists.
        if (!isLost) packets.push(...sent.slice(shown, shown + 1));
      }
    };
    second(0, 0);
    second(1, 1);
    second(2, 0);
    second(3, 1, true);
    const { continuityErrors, flawed } = inspect(packets, { onid: 1, tsid: 221, sid: SID });
    expect({ continuityErrors, flawed }).toEqual({
      continuityErrors: 1,
      flawed: [{ start: 3000, stop: 4000 }],
    });
  });

  it("R-04 follows its streams however often its PMT had new versions", () => {
    const station = new Station();
    const same = Array.from({ length: MPEG_TS_LIMITS.eras + 10 }, (_, turn) =>
      station.change({ ...PLAIN, version: turn % 32, programme: descriptor(0x80, sixteen(turn)) }).send(120),
    );
    const silent = { ...PLAIN, streams: [...PLAIN.streams, { type: 0x04, pid: 0x1ff }] };
    const { streamMs, lacks } = inspect([...same, station.change(silent).send(4800)]);
    expect(lacks).toEqual([{ start: expect.closeTo(streamMs - 4760, -2), stop: streamMs, kind: "sound" }]);
  });

  it("R-04 follows a change at once, however often its PMT came again as a new version", () => {
    const station = new Station();
    const same = Array.from({ length: MPEG_TS_LIMITS.tableChanges + 10 }, (_, turn) =>
      station.change({ ...PLAIN, version: turn % 32 }).send(120),
    );
    const silent = { ...PLAIN, streams: [...PLAIN.streams, { type: 0x04, pid: 0x1ff }] };
    const { streamMs, lacks } = inspect([...same, station.change(silent).send(4800)]);
    expect(lacks).toEqual([{ start: expect.closeTo(streamMs - 4760, -2), stop: streamMs, kind: "sound" }]);
  });

  it("R-04 has its picture, although seventy subtitles are listed before it", () => {
    const subtitles = Array.from({ length: MPEG_TS_LIMITS.tracks + 6 }, (_, index) => ({
      type: 0x06,
      pid: 0x400 + index,
      info: descriptor(0x56, [...ascii("fra"), 0x10, index]),
    }));
    const found = inspect([new Station({ ...PLAIN, streams: [...subtitles, ...PLAIN.streams] }).send(2000)]);
    expect(found).toMatchObject({ spans: [{ start: 0, stop: 1960 }], lacks: [] });
    expect(found.tracks.find(({ kind }) => kind === "video")).toMatchObject({ isMain: true });
  });

  it("is the one that its SDT names, whatever number its PAT gives the transport stream", () => {
    const named = inspect([new Station().send(1200), ...sdt({ tsid: 545 })]);
    expect(named.services[0]?.triplet).toEqual({ onid: 4112, tsid: 545, sid: SID });
    expect(named.transportStreamId).toBe(221);
  });

  it("is named anew by the SDT if its PAT names another transport stream", () => {
    const tables = new PidWriter(0);
    const listed = (tsid: number) => tables.sections(pat(tsid, { programmes: [[SID, PMT_PID]] }));
    const services = new PidWriter(0x11);
    const named = () => sdt({ tsid: 545 }, services);
    const ids = (...parts: readonly (readonly Uint8Array[])[]) => inspect(parts.flat()).services[0]?.triplet;
    expect(ids(listed(1), named())).toMatchObject({ tsid: 545 });
    expect(ids(listed(1), named(), listed(2))).toBeUndefined();
    expect(ids(listed(1), named(), listed(2), named())).toMatchObject({ tsid: 545 });
  });

  it("ends with the PAT that no longer names it", () => {
    const writer = new PidWriter(0);
    const programmes = (...sids: readonly number[]) => sids.map((sid) => [sid, 0x20 + sid] as const);
    const parts = [
      ...writer.sections(pat(9, { programmes: programmes(1, 2) })),
      ...writer.sections(pat(9, { programmes: programmes(2, 3), version: 1 })),
      ...Array.from({ length: 5 }, () => writer.next({ payload: payload(0) })),
    ];
    expect(inspect(parts).services.map(({ sid }) => sid)).toEqual([2, 3]);
  });
});

describe("an event of the present/following table", () => {
  const START = [0xc0, 0x79, 0x12, 0x45, 0x00];

  function eit(parts: { version: number; number?: number; loop: readonly number[] }): Uint8Array {
    const ids = [...sixteen(221), ...sixteen(4112), 1, 0x4e];
    return section({ tableId: 0x4e, extension: SID, ...parts, body: [...ids, ...parts.loop] });
  }

  function event(id: number, ...descriptors: readonly (readonly number[])[]): readonly number[] {
    const all = descriptors.flat();
    return [...sixteen(id), ...START, 0x00, 0x30, 0x00, ...sixteen(0x8000 | all.length), ...all];
  }

  const short = (title: string, text: string) =>
    descriptor(0x4d, [...ascii("eng"), ...counted(ascii(title)), ...counted(ascii(text))]);
  const extended = (number: number, text: string) =>
    descriptor(0x4e, [(number << 4) | 1, ...ascii("eng"), 0, ...counted(ascii(text))]);

  function events(...sections: readonly Uint8Array[]) {
    const writer = new PidWriter(0x12);
    const after = Array.from({ length: 5 }, () => writer.next({ payload: payload(0) }));
    return inspect([...writer.sections(...sections), ...after]).events;
  }

  it("has its text in parts", () => {
    const loop = event(7, short("News", "At noon"), extended(0, "The long "), extended(1, "story"));
    expect(events(eit({ version: 0, loop }))).toEqual([
      {
        service: { onid: 4112, tsid: 221, sid: SID },
        which: "present",
        eventId: 7,
        start: Date.UTC(1993, 9, 13, 12, 45),
        durationMs: 1_800_000,
        runningStatus: 4,
        title: "News",
        text: "At noon\nThe long story",
      },
    ]);
  });

  it("is replaced by a later version, even an empty one", () => {
    const first = eit({ version: 0, loop: event(7, short("News", "")) });
    const second = eit({ version: 1, loop: event(8, short("Weather", "")) });
    const none = eit({ version: 2, loop: [] });
    const following = eit({ version: 0, number: 1, loop: event(9, short("Film", "")) });
    const titles = (...sections: readonly Uint8Array[]) => events(...sections).map(({ title }) => title);
    expect(titles(first, following, second)).toEqual(["Weather", "Film"]);
    expect(titles(first, following, second, none)).toEqual(["Film"]);
  });
});

describe("a hostile stream", () => {
  it("has a count for each of its 8,191 PIDs, in their order", () => {
    const inspector = new Inspector(undefined);
    const pids = Array.from({ length: 8191 }, (_, index) => 8190 - index);
    const writers = pids.map((pid) => new PidWriter(pid));
    inspector.push(join(writers.map((writer) => writer.next({ payload: payload(1) }))));
    inspector.settle();
    const first = inspector.inspection();
    inspector.push(join(writers.map((writer) => writer.next({ payload: payload(2) }))));
    inspector.settle();
    const { pids: found } = inspector.inspection();
    expect(first.pids.map(({ pid }) => pid)).toEqual(pids.toReversed());
    expect(found.every(({ packets, continuityErrors }) => packets === 2 && continuityErrors === 0)).toBe(
      true,
    );
  });

  it("cannot exceed the limit of table changes; later ones are ignored", () => {
    const inspector = new Inspector(undefined);
    const writer = new PidWriter(0);
    const tsidAfter = (tsids: readonly number[]) => {
      const programmes = [[SID, PMT_PID]] as const;
      inspector.push(join(tsids.flatMap((tsid) => writer.sections(pat(tsid, { programmes })))));
      inspector.settle();
      return inspector.inspection().transportStreamId;
    };
    const range = (length: number) => Array.from({ length }, (_, index) => index + 1);
    expect(tsidAfter(range(MPEG_TS_LIMITS.tableChanges))).toBe(MPEG_TS_LIMITS.tableChanges);
    expect(tsidAfter(range(60_000))).toBeLessThan(60_000);
    expect(tsidAfter(Array.from({ length: MPEG_TS_LIMITS.packetsPerTableChange }, () => 65_000))).toBe(
      65_000,
    );
  });
});
