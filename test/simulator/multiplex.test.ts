import { beforeAll, describe, expect, it } from "vitest";
import type { Inspection } from "../../src/model/inspection.ts";
import { DAY, type EpochMs, MINUTE, SECOND } from "../../src/model/time.ts";
import { hasPcr, PACKET_BYTES, pcrAt, pidAt } from "../../src/mpeg-ts/packets.ts";
import { SectionAssembler, sectionHeader } from "../../src/mpeg-ts/tables/sections.ts";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { type Lane, layOut } from "../../src/simulator/broadcaster/lane.ts";
import { Multiplex } from "../../src/simulator/broadcaster/multiplex.ts";
import type { Schedule } from "../../src/simulator/broadcaster/present-following.ts";
import type { AiredService } from "../../src/simulator/broadcaster/tables.ts";
import { told } from "../kit/tool.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";
import { everyMinute, minuteEvent, testClip } from "./air.ts";

/** A full 8 s, so that a loop of the clip begins. */
const AT: EpochMs = Date.UTC(2026, 10, 20, 9, 30);
const PCR_WRAP = 2 ** 33 * 300;
/** The last full 8 s before the clock of the stream comes round, which it does every 26.5 h. */
const CLOCK_MS = 2 ** 33 / 90;
const BEFORE_WRAP: EpochMs = Math.floor((Math.ceil(AT / CLOCK_MS) * CLOCK_MS) / 8000) * 8000;

function service(sid: number, place: number): AiredService {
  const pmt = 0x100 + 0x10 * place;
  const name = place === 0 ? "Erstes" : `Größe ${place}`;
  return {
    triplet: { onid: 318, tsid: 18_432, sid },
    name,
    pids: { pmt, picture: pmt + 1, sound: pmt + 2 },
  };
}

const ONE = [service(3401, 0)];
const FIVE = [3401, 3402, 3403, 3404, 3405].map(service);

let lane: Lane;
beforeAll(async () => {
  lane = layOut(await testClip());
});

function aired(services: readonly AiredService[], schedule: Schedule = everyMinute): Multiplex {
  return new Multiplex(services, { lane, schedule });
}

function span(multiplex: Multiplex, { from, ms }: { readonly from: EpochMs; readonly ms: number }): Buffer {
  return multiplex.packets(multiplex.indexAt(from), multiplex.indexAt(from + ms));
}

function inspect(bytes: Buffer): Inspection {
  const inspector = new Inspector(undefined);
  inspector.push(bytes);
  inspector.settle();
  return inspector.inspection();
}

interface Stamp {
  readonly index: number;
  readonly pcr: number;
  readonly pid: number;
}

function pcrs(bytes: Buffer): readonly Stamp[] {
  const offsets = Array.from({ length: bytes.length / PACKET_BYTES }, (_, index) => index * PACKET_BYTES);
  return offsets
    .filter((at) => hasPcr(bytes, at))
    .map((at) => ({ index: at / PACKET_BYTES, pcr: pcrAt(bytes, at), pid: pidAt(bytes, at) }));
}

describe("the stream of one service", () => {
  it("is decoded by ffmpeg without a complaint over three seams of the clip", async () => {
    const input = span(aired(ONE), { from: AT, ms: 25 * SECOND });
    const args = ["-v", "error", "-f", "mpegts", "-i", "-", "-map", "0:v", "-map", "0:a"];
    const { err } = await told("ffmpeg", { args: [...args, "-f", "null", "-"], input });
    expect(err).toBe("");
  });

  it("is H.264 and AAC for ffprobe", async () => {
    const input = span(aired(ONE), { from: AT, ms: 4 * SECOND });
    const args = ["-v", "error", "-show_entries", "stream=codec_name,id", "-of", "compact=p=0", "-"];
    const { out } = await told("ffprobe", { args, input });
    expect(out.split("\n")).toEqual(
      expect.arrayContaining(["codec_name=h264|id=0x101", "codec_name=aac|id=0x102"]),
    );
  });

  it("has pictures and sound at the same pace over the end of the clip and the wrap of the clock", async () => {
    for (const from of [AT, BEFORE_WRAP - 8 * SECOND]) {
      const input = span(aired(ONE), { from, ms: 20 * SECOND });
      const args = ["-v", "error", "-show_entries", "packet=codec_type,pts", "-of", "csv=p=0", "-"];
      const { out } = await told("ffprobe", { args, input });
      const rows = out.split("\n").map((row) => row.split(","));
      const paces = ["video", "audio"].map((kind) => {
        const shown = rows.filter(([type]) => type === kind).map(([, pts]) => Number(pts));
        return new Set(shown.slice(1).map((pts, index) => pts - (shown[index] ?? 0)));
      });
      expect(paces).toEqual([new Set([3600]), new Set([1920])]);
    }
  });

  it("has no continuity error, junk or clock break, even at the wrap of the clock", () => {
    for (const from of [AT, BEFORE_WRAP - 8 * SECOND]) {
      const found = inspect(span(aired(ONE), { from, ms: 25 * SECOND }));
      expect(found).toMatchObject({ continuityErrors: 0, junkBytes: 0, transportErrors: 0, clockBreaks: [] });
      expect(found.streamMs).toBeGreaterThan(24_900);
    }
  });

  it("has UTC as its clock, to the tick, at least every 40 ms", () => {
    const multiplex = aired(ONE);
    for (const from of [AT, BEFORE_WRAP - 8 * SECOND]) {
      const first = multiplex.indexAt(from);
      const stamps = pcrs(span(multiplex, { from, ms: 20 * SECOND }));
      const utc = ({ index }: Stamp) => Number((BigInt(first + index) * 43_200n) % BigInt(PCR_WRAP));
      expect(stamps.map(({ pcr }) => pcr)).toEqual(stamps.map(utc));
      const steps = stamps.slice(1).map(({ index }, before) => index - (stamps[before]?.index ?? 0));
      expect(Math.max(...steps) * 1.6).toBeLessThanOrEqual(40);
    }
  });

  it("names itself in PAT, PMT and SDT", () => {
    const found = inspect(span(aired(ONE), { from: AT + 1234, ms: 2 * SECOND }));
    expect(found.transportStreamId).toBe(18_432);
    expect(found.originalNetworkId).toBe(318);
    expect(found.services).toMatchObject([
      {
        triplet: { onid: 318, tsid: 18_432, sid: 3401 },
        name: "Erstes",
        provider: "recorderd",
        pmtPid: 0x100,
        pcrPid: 0x101,
        streams: [
          { pid: 0x101, kind: "video" },
          { pid: 0x102, kind: "audio", language: "eng" },
        ],
      },
    ]);
  });

  it("has a complete NIT each second, with its network, its multiplex and all services, for scans", () => {
    const bytes = span(aired(FIVE), { from: AT + 500, ms: 2 * SECOND });
    const sections: Uint8Array[] = [];
    const assembler = new SectionAssembler((section) => void sections.push(section.slice()));
    for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
      if (pidAt(bytes, at) === 0x10) assembler.packet(bytes, at);
    }
    expect(sections).toHaveLength(2);
    const [nit = new Uint8Array()] = sections;
    expect(sectionHeader(nit)).toMatchObject({ tableId: 0x40 });
    const words = (at: number) => (nit[at] ?? 0) * 256 + (nit[at + 1] ?? 0);
    const name = 2 + (nit[11] ?? 0);
    const stream = 10 + name + 2;
    expect([words(3), words(stream), words(stream + 2)]).toEqual([318, 18_432, 318]);
    const list = stream + 6;
    expect([nit[list], nit[list + 1]]).toEqual([0x41, 3 * FIVE.length]);
    expect(FIVE.map((_, at) => words(list + 2 + 3 * at))).toEqual(FIVE.map(({ triplet }) => triplet.sid));
  });

  it("has the time each second, on the second", () => {
    const found = inspect(span(aired(ONE), { from: AT + 500, ms: 10 * SECOND }));
    expect(found.firstTime?.utc).toBe(AT + SECOND);
    expect(found.lastTime?.utc).toBe(AT + 10 * SECOND);
    const [tdt] = found.pids.filter(({ pid }) => pid === 0x14);
    expect(tdt?.packets).toBe(10);
  });

  it("has the present and following event within a second of their change", () => {
    const index = AT / MINUTE;
    for (const [from, present] of [
      [AT - 2 * SECOND, index - 1],
      [AT, index],
    ] as const) {
      const { events } = inspect(span(aired(ONE), { from, ms: SECOND }));
      const expected = [minuteEvent(present), minuteEvent(present + 1)];
      expect(events).toMatchObject([
        { ...expected[0], which: "present", runningStatus: 4 },
        { ...expected[1], which: "following", runningStatus: 1 },
      ]);
    }
  });

  it("has a new version of the EIT when its content changes, and in each era", () => {
    const versions = eventVersions(aired(ONE), { from: AT, seconds: 512 * 3 });
    const changes = versions.filter(({ version }, at) => at > 0 && version !== versions[at - 1]?.version);
    const seconds = changes.map(({ second }) => second);
    const minutes = Array.from({ length: 25 }, (_, minute) => (minute + 1) * 60);
    expect(seconds).toEqual(expect.arrayContaining(minutes));
    expect(seconds.filter((second) => !minutes.includes(second))).toHaveLength(3);
  });

  it("has a new version of the EIT even if the content changes at the start of an era", () => {
    const eras = (_: unknown, at: EpochMs): ReturnType<Schedule> => ({
      present: minuteEvent(Math.floor(at / (512 * SECOND))),
    });
    const from = Math.floor(AT / (512 * SECOND)) * 512 * SECOND;
    const versions = eventVersions(aired(ONE, eras), { from, seconds: 512 * 3 });
    expect(versions[511]?.version).toBe(versions[0]?.version);
    expect(versions[512]?.version).not.toBe(versions[511]?.version);
    expect(versions[1024]?.version).not.toBe(versions[1023]?.version);
  });

  it("has complete sections for events without a text, and for no event", () => {
    const bare = (): ReturnType<Schedule> => ({ present: { ...minuteEvent(7), title: "", text: "" } });
    const found = inspect(span(aired(ONE, bare), { from: AT, ms: 3 * SECOND }));
    expect(found.events).toMatchObject([{ which: "present", title: "", text: "" }]);
    expect(found.continuityErrors).toBe(0);
  });

  it("cuts a text that exceeds a descriptor between two characters", () => {
    const long = (): ReturnType<Schedule> => ({
      present: { ...minuteEvent(7), title: "Ü".repeat(200), text: "🎬".repeat(200) },
    });
    const [event] = inspect(span(aired(ONE, long), { from: AT, ms: SECOND })).events;
    expect(event?.title).toBe("Ü".repeat(59));
    expect(event?.text).toBe("🎬".repeat(32));
  });
});

/**
 * Version numbers of the event table, one for each second, read here byte by byte: section 0 of EIT present/following. It has the
 * same places in each loop of the clip, so that most packets need not be made.
 */
function eventVersions(
  multiplex: Multiplex,
  { from, seconds }: { readonly from: EpochMs; readonly seconds: number },
): readonly { readonly second: number; readonly version: number }[] {
  const loop = span(multiplex, { from, ms: 8 * SECOND });
  const packets = loop.length / PACKET_BYTES;
  const places = Array.from({ length: packets }, (_, place) => place).filter((place) =>
    startsEvents(loop.subarray(place * PACKET_BYTES)),
  );
  const first = multiplex.indexAt(from);
  const versions = Array.from({ length: seconds / 8 }, (_, round) => round * packets).flatMap((begin) =>
    places.map((place) => {
      const packet = multiplex.packets(first + begin + place, first + begin + place + 1);
      expect(startsEvents(packet)).toBe(true);
      return { second: Math.floor((begin + place) / 625), version: ((packet[10] ?? 0) >> 1) & 0x1f };
    }),
  );
  expect(versions).toHaveLength(seconds);
  return versions;
}

function startsEvents(packet: Buffer): boolean {
  const starts = ((packet[1] ?? 0) & 0x40) !== 0;
  return starts && pidAt(packet, 0) === 0x12 && packet[5] === 0x4e && packet[11] === 0;
}

describe("the stream of a multiplex", () => {
  it("has every service with its tables, events and streams, and no error", () => {
    const found = inspect(span(aired(FIVE), { from: AT + 777, ms: 20 * SECOND }));
    expect(found).toMatchObject({ continuityErrors: 0, junkBytes: 0, clockBreaks: [] });
    expect(found.services.map(({ triplet, name, streams }) => [triplet?.sid, name, streams.length])).toEqual(
      FIVE.map(({ triplet, name }) => [triplet.sid, name, 2]),
    );
    expect(found.events.map(({ service: { sid }, which }) => [sid, which])).toEqual(
      FIVE.flatMap(({ triplet: { sid } }) => [
        [sid, "present"],
        [sid, "following"],
      ]),
    );
  });

  it("has services that ffmpeg decodes without a complaint", async () => {
    const input = span(aired(FIVE), { from: AT, ms: 17 * SECOND });
    const args = ["-v", "error", "-f", "mpegts", "-i", "-", "-map", "0:p:3402", "-map", "0:p:3405"];
    const { err } = await told("ffmpeg", { args: [...args, "-f", "null", "-"], input });
    expect(err).toBe("");
  });

  it("has UTC as the clock of each service, to the nearest tick", () => {
    const multiplex = aired(FIVE);
    const first = multiplex.indexAt(AT);
    const stamps = pcrs(span(multiplex, { from: AT, ms: SECOND }));
    expect(new Set(stamps.map(({ pid }) => pid)).size).toBe(FIVE.length);
    // 8640 ticks of 27 MHz are a fifth of a slot.
    const utc = ({ index }: Stamp) => Number((BigInt(first + index) * 8_640n) % BigInt(PCR_WRAP));
    expect(stamps.map(({ pcr }) => pcr)).toEqual(stamps.map(utc));
  });

  it("has room for 32 services and refuses more", () => {
    const many = Array.from({ length: 33 }, (_, place) => service(1 + place, place));
    const found = inspect(span(aired(many.slice(0, 32)), { from: AT, ms: 2 * SECOND }));
    expect(found.services).toHaveLength(32);
    expect(found.events).toHaveLength(64);
    expect(found.continuityErrors).toBe(0);
    expect(() => aired(many)).toThrow("1 to 32 services");
  });
});

describe("a packet", () => {
  const instants = fc.integer({ min: AT - 3 * DAY, max: AT + 3 * DAY });

  it("is the same in a sequence of packets and alone", () => {
    const kept = [ONE, FIVE].map((services) => aired(services));
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 3 * SECOND }), fc.nat(1), (at, before, which) => {
        const services = which === 0 ? ONE : FIVE;
        const multiplex = kept[which] ?? aired(services);
        const index = multiplex.indexAt(at);
        const alone = multiplex.packets(index, index + 1);
        const long = aired(services).packets(multiplex.indexAt(at - before), index + 1);
        return alone.equals(long.subarray(-PACKET_BYTES));
      }),
      { numRuns: casesOf({ sample: 20, all: 60 }) },
    );
  });

  it("has the index of its instant", () => {
    const multiplex = aired(FIVE);
    fc.assert(
      fc.property(instants, (at) => {
        const index = multiplex.indexAt(at);
        return multiplex.instantOf(index) >= at && multiplex.instantOf(index - 1) < at;
      }),
    );
  });
});
