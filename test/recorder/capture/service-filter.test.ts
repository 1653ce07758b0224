import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { Triplet } from "../../../src/model/service.ts";
import { PACKET_BYTES, pidAt } from "../../../src/mpeg-ts/packets.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { segmentFile } from "../../../src/recorder/capture/files.ts";
import { ServiceFilter } from "../../../src/recorder/capture/host/service-filter.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { descriptor, join, PidWriter, pat, payload, pmt, section, sixteen } from "../../kit/ts-builder.ts";
import { casesOf } from "../../lane.ts";
import { fc } from "../../properties.ts";
import { run, SHORT } from "./capture-contract.ts";
import { filtered, packetsOf, RAI, RAI_SIDS, withoutPat } from "./filtered.ts";
import { hostFolders } from "./host.ts";
import { ServiceStream, startStation } from "./station.ts";

const REFERENCE = joinPath(import.meta.dirname, "service_reference.py");

/** The service as an independent program filters it. */
function reference(stream: Uint8Array, sid: number): Buffer {
  return execFileSync("python3", [REFERENCE, String(sid)], { input: stream, maxBuffer: 64 * 1024 * 1024 });
}

const SID = 11;
const CA = (pid: number) => descriptor(0x09, [0x0b, 0, ...sixteen(0xe000 | pid)]);

/** A multiplex of two services as a test wants it, packet by packet. */
class Air {
  readonly packets: Uint8Array[] = [];
  readonly #writers = new Map<number, PidWriter>();

  writer(pid: number): PidWriter {
    const writer = this.#writers.get(pid) ?? new PidWriter(pid);
    this.#writers.set(pid, writer);
    return writer;
  }

  pat(
    pmtPid: number,
    { version = 0, others = [[12, 0x200]] as readonly (readonly [number, number])[] } = {},
  ): this {
    const programmes = [[0, 0x10] as const, ...others, [SID, pmtPid] as const];
    this.packets.push(...this.writer(0).sections(pat(7, { programmes, version })));
    return this;
  }

  table(pid: number, section: Uint8Array): this {
    this.packets.push(...this.writer(pid).sections(section));
    return this;
  }

  send(...pids: readonly number[]): this {
    for (const pid of pids)
      this.packets.push(this.writer(pid).next({ payload: payload(this.packets.length) }));
    return this;
  }

  get bytes(): Uint8Array {
    return join(this.packets);
  }
}

/** The PIDs of what comes out, one after the other; 0 is the PAT. */
function pidsOut(air: Air): readonly number[] {
  const out = filtered(air.bytes, SID);
  return Array.from({ length: out.length / PACKET_BYTES }, (_, index) => pidAt(out, index * PACKET_BYTES));
}

describe("a multiplex with constantly changing tables", () => {
  const TURNS = 1000;

  it("R-29 loses nothing of the streams that each PMT lists, as of encoders that give every PMT a new version", () => {
    const air = new Air().pat(0x100);
    for (let turn = 0; turn < TURNS; turn += 1) {
      const pid = 0x300 + (turn % 2);
      air.table(0x100, pmt({ sid: SID, pcrPid: pid, streams: [{ type: 2, pid }], version: turn % 32 }));
      air.send(0x300, 0x301);
    }
    // The very first PMT has none before it.
    expect(pidsOut(air).filter((pid) => pid >= 0x300)).toHaveLength(2 * TURNS - 1);
  });

  it("R-29 loses nothing while each PAT names another PID of the PMT", () => {
    const air = new Air();
    for (let turn = 0; turn < TURNS; turn += 1) {
      const pmtPid = 0x100 + (turn % 2);
      air.pat(pmtPid, { version: turn % 32 });
      air.table(pmtPid, pmt({ sid: SID, pcrPid: 0x300, streams: [{ type: 2, pid: 0x300 }] }));
      air.send(0x300, 0x100 + ((turn + 1) % 2));
    }
    const out = pidsOut(air);
    expect(out.filter((pid) => pid === 0x300)).toHaveLength(TURNS);
    // The other PID has no PMT.
    expect(out.filter((pid) => pid === 0x100 || pid === 0x101)).toHaveLength(TURNS);
  });
});

describe("one service out of a real multiplex", () => {
  it.each(RAI_SIDS)("%d matches an independent program, packet for packet", (sid) => {
    const expected = reference(RAI, sid);
    expect(expected.length).toBeGreaterThan(188 * 100);
    expect(withoutPat(filtered(RAI, sid)).equals(expected)).toBe(true);
  });

  it.each(RAI_SIDS)(
    "%d has its own PAT: as frequent, with its own counter and checksum, and no other service",
    (sid) => {
      const out = filtered(RAI, sid);
      const inspector = new Inspector(undefined);
      inspector.push(out);
      inspector.settle();
      const { services, continuityErrors, junkBytes, transportStreamId } = inspector.inspection();
      expect(services.filter(({ pmtPid }) => pmtPid !== undefined).map((each) => each.sid)).toEqual([sid]);
      expect({ continuityErrors, junkBytes, transportStreamId }).toEqual({
        continuityErrors: 0,
        junkBytes: 0,
        transportStreamId: 18_432,
      });
      const count = (stream: Uint8Array) => packetsOf(stream, (pid) => pid === 0).length / PACKET_BYTES;
      expect(count(out)).toBe(count(RAI));
    },
  );
});

describe("an extracted service", () => {
  it("follows tables whose packets never count, as some encoders send them", () => {
    const air = new Air();
    const map = (version: number, pid: number) =>
      air.table(0x100, pmt({ sid: SID, pcrPid: pid, streams: [{ type: 2, pid }], version }));
    air.pat(0x100);
    map(0, 0x300).send(0x300).pat(0x100);
    map(1, 0x301).send(0x300, 0x301);
    for (const packet of air.packets) if (pidAt(packet, 0) <= 0x100) packet.set([(packet[3] ?? 0) & 0xf0], 3);
    expect(pidsOut(air)).toEqual([0, 0x100, 0x300, 0, 0x100, 0x300, 0x301]);
  });

  const PMT = 0x100;
  const streams = (...pids: readonly number[]) => pids.map((pid) => ({ type: 0x02, pid }));

  it("begins with its PAT, then has its PMT, its streams and the tables of all services only", () => {
    const air = new Air()
      .send(0x11, 0x101, 0x201)
      .pat(PMT)
      .send(0x101, 0x11, 0x12, 0x14, 0x10, 0x13, 0x1fff)
      .table(PMT, pmt({ sid: SID, pcrPid: 0x101, streams: streams(0x101, 0x102) }))
      .table(0x200, pmt({ sid: 12, pcrPid: 0x201, streams: streams(0x201) }))
      .send(0x101, 0x201, 0x102, 0x1fff, 0x101);
    expect(pidsOut(air)).toEqual([0, 0x11, 0x12, 0x14, 0x10, PMT, 0x101, 0x102, 0x101]);
  });

  it("has its ECM, those of the programme and of single streams, and a PCR on its own PID", () => {
    const air = new Air()
      .pat(PMT)
      .table(
        PMT,
        pmt({
          sid: SID,
          pcrPid: 0x110,
          streams: [{ type: 2, pid: 0x101, info: [...descriptor(0x52, [1]), ...CA(0x300)] }],
        }),
      )
      .send(0x110, 0x300, 0x101, 0x301);
    expect(pidsOut(air)).toEqual([0, PMT, 0x110, 0x300, 0x101]);
  });

  it("is followed when its PMT changes or moves", () => {
    const air = new Air()
      .pat(PMT)
      .table(PMT, pmt({ sid: SID, pcrPid: 0x101, streams: streams(0x101) }))
      .send(0x101, 0x102)
      .table(PMT, pmt({ sid: SID, pcrPid: 0x102, version: 1, streams: streams(0x102) }))
      .send(0x102)
      .pat(0x180, { version: 1 })
      // Until the new table has come, the streams of the old one go on.
      .send(0x102)
      .table(PMT, pmt({ sid: SID, pcrPid: 0x101, version: 2, streams: streams(0x101) }))
      .table(0x180, pmt({ sid: SID, pcrPid: 0x103, version: 1, streams: streams(0x103) }))
      .send(0x101, 0x103);
    expect(pidsOut(air)).toEqual([0, PMT, 0x101, PMT, 0x102, 0, 0x102, 0x180, 0x103]);
  });

  it("R-29 keeps the streams of a PMT until its successor came twenty times, for they move after the PMT", () => {
    const air = new Air().pat(PMT);
    const map = (version: number, pid: number) =>
      air.table(PMT, pmt({ sid: SID, pcrPid: pid, version, streams: streams(pid) }));
    map(0, 0x101);
    for (let turn = 0; turn < 22; turn += 1) map(1, 0x102).send(0x101, 0x102);
    // A former PMT for a moment, as of an encoder that starts again.
    map(2, 0x103).send(0x101, 0x102, 0x103);
    map(3, 0x102).send(0x101, 0x102, 0x103);
    const out = pidsOut(air);
    const count = (wanted: number) => out.filter((pid) => pid === wanted).length;
    expect([count(0x101), count(0x102), count(0x103)]).toEqual([20, 24, 2]);
  });

  it("can share the PID of its PMT with another service", () => {
    const air = new Air()
      .pat(PMT, { others: [[12, PMT]] })
      .table(PMT, pmt({ sid: 12, pcrPid: 0x201, streams: streams(0x201) }))
      .table(PMT, pmt({ sid: SID, pcrPid: 0x101, streams: streams(0x101) }))
      .send(0x201, 0x101);
    expect(pidsOut(air)).toEqual([0, PMT, PMT, 0x101]);
  });

  it("is unchanged by damaged tables or ones that are not yet valid", () => {
    const next = pmt({ sid: SID, pcrPid: 0x102, version: 1, streams: streams(0x102) });
    const damaged = Uint8Array.from(next, (byte, index) => (index === 9 ? byte ^ 1 : byte));
    const air = new Air()
      .pat(PMT)
      .table(PMT, pmt({ sid: SID, pcrPid: 0x101, streams: streams(0x101) }))
      .table(PMT, damaged)
      .send(0x101, 0x102);
    expect(pidsOut(air)).toEqual([0, PMT, PMT, 0x101]);
  });

  it("may be in a PAT of several packets, and is missing only if a complete one lacks it", () => {
    const body = (first: number) =>
      Array.from({ length: 100 }, (_, index) => [
        ...sixteen(first + index),
        ...sixteen(0xe400 + index),
      ]).flat();
    const sections = [0, 1].map((number) =>
      section({ tableId: 0x00, extension: 7, number, body: body(100 * (number + 1)) }),
    );
    const [first = new Uint8Array(0), second = new Uint8Array(0)] = sections;
    const air = new Air().table(0, first);
    const half = air.bytes;
    const { bytes } = air.table(0, second);
    const read = (stream: Uint8Array, sid: number) => {
      const sent: number[] = [];
      const filter = new ServiceFilter({ sid }, (_bytes, from, to) => sent.push(to - from));
      for (let at = 0; at < stream.length; at += PACKET_BYTES) filter.packet(stream, at);
      return [filter.isMissing, sent];
    };
    expect(bytes.length).toBeGreaterThan(4 * PACKET_BYTES);
    expect(read(half, 9)).toEqual([false, []]);
    expect(read(bytes, 9)).toEqual([true, []]);
    expect(read(bytes, 299)).toEqual([false, [PACKET_BYTES]]);
  });

  it("matches an independent program for any lost or repeated packets", () => {
    const air = new Air();
    for (let round = 0; round < 12; round += 1) {
      const shift = round;
      const pids = [0x101 + shift, 0x111 + shift, 0x121];
      const info = [
        ...CA(0x300 + shift),
        ...descriptor(
          0x0a,
          Array.from({ length: 120 }, () => 0x61),
        ),
      ];
      air
        .pat(PMT + (round > 8 ? 0x80 : 0), { version: round > 8 ? 1 : 0, others: [[12, 0x200]] })
        .table(
          PMT + (round > 8 ? 0x80 : 0),
          pmt({
            sid: SID,
            pcrPid: 0x101 + shift,
            version: shift,
            streams: pids.map((pid) => ({ type: 2, pid, info })),
          }),
        )
        .send(0x11, 0x12, ...pids, ...pids, 0x300 + shift, 0x201, 0x102, 0x112, 0x1fff);
    }
    const place = fc.nat(air.packets.length - 1);
    fc.assert(
      fc.property(
        fc.uniqueArray(place, { maxLength: 40 }),
        fc.uniqueArray(place, { maxLength: 40 }),
        (lost, twice) => {
          const received = join(
            air.packets.flatMap((packet, index) => {
              if (lost.includes(index)) return [];
              return twice.includes(index) ? [packet, packet] : [packet];
            }),
          );
          return withoutPat(filtered(received, SID)).equals(reference(received, SID));
        },
      ),
      { numRuns: casesOf({ sample: 2, all: 8 }) },
    );
  });
});

function streamOf(service: Triplet): Buffer {
  const air = new ServiceStream(service);
  return Buffer.concat(Array.from({ length: 100 }, () => air.next()));
}

describe("the sole service of a stream", () => {
  const inspected = (stream: Uint8Array, service: Triplet) => {
    const inspector = new Inspector(service);
    inspector.push(stream);
    inspector.settle();
    return inspector.inspection();
  };
  const WANTED = { onid: 0xfff1, tsid: 500, sid: 9 };

  it.each([
    ["the usual ids of encoders", { onid: 0xff01, tsid: 1, sid: 1 }],
    ["another service_id", { ...WANTED, sid: 8 }],
    ["another transport stream", { ...WANTED, tsid: 8 }],
  ])("gets the ids that are asked for, without losing a packet, if it has %s", (_, ids) => {
    const stream = streamOf(ids);
    const found = inspected(filtered(stream, WANTED.sid, WANTED.tsid), WANTED);
    expect(found.services).toEqual([expect.objectContaining({ sid: 9, pmtPid: 0x1000, pcrPid: 0x100 })]);
    expect(found.services[0]).not.toHaveProperty("triplet");
    expect(found).toMatchObject({ transportStreamId: 500, continuityErrors: 0, payloadPackets: 4000 });
  });

  it("stays as it is, with its tables, if it has these ids", () => {
    const stream = streamOf(WANTED);
    const found = inspected(filtered(stream, WANTED.sid, WANTED.tsid), WANTED);
    expect(found.services).toMatchObject([{ triplet: WANTED, name: "Station" }]);
  });

  it("is nowhere in a multiplex, where only the wanted service_id counts", () => {
    expect(filtered(RAI, 9, 500)).toHaveLength(0);
    const [sid = 0] = RAI_SIDS;
    const found = inspected(filtered(RAI, sid, 500), { ...WANTED, sid });
    expect([found.transportStreamId, found.services.map((each) => each.sid)]).toEqual([500, [sid]]);
    expect(found.payloadPackets).toBe(
      inspected(filtered(RAI, sid), { onid: 318, tsid: 18_432, sid }).payloadPackets,
    );
  });
});

describe("several services of one multiplex", () => {
  const clock = systemClock();
  const places = hostFolders();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(joinPath(tmpdir(), "recorderd-multiplex-"));
  });
  afterAll(async () => {
    await places[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const captureByHost = () =>
    createCapture({
      owner: folder,
      ffmpegPath: "/nowhere/ffmpeg",
      clock,
      log: silentLog,
      openInspection,
      // Sent at once: what is looked at is what was recorded, not whether it flowed.
      limits: SHORT,
      host: places.of(folder),
    });

  it("of one stream gets its ids, whatever it has", async () => {
    await using station = await startStation({
      iptv: (response) => response.end(streamOf({ onid: 1, tsid: 1, sid: 1 })),
    });
    const order = {
      id: "iptv.1",
      source: { url: station.url("iptv"), programme: "sole" } as const,
      service: { onid: 0xfff1, tsid: 500, sid: 9 },
      file: segmentFile(folder, "iptv.1"),
      endsBy: clock.now() + 60_000,
    };
    const { end } = await run(captureByHost(), order);
    expect(await end).toMatchObject({ cause: "STREAM_ENDED" });
    const inspector = new Inspector(order.service);
    inspector.push(await readFile(order.file));
    const { services, transportStreamId, payloadPackets } = inspector.inspection();
    expect([transportStreamId, services.map(({ sid }) => sid)]).toEqual([500, [9]]);
    expect(payloadPackets).toBeGreaterThan(1000);
  });

  it("R-22 R-23 are recorded from one request, each as if alone, even if one of them is missing", async () => {
    const capture = captureByHost();
    const waiting: ServerResponse[] = [];
    const server = createServer((_request, response) => {
      response.writeHead(200).flushHeaders();
      waiting.push(response);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mux`;
    const orders = [...RAI_SIDS, 999].map((sid, index) => ({
      id: `r${index}.1`,
      source: { url, programme: "multi" } as const,
      service: { onid: 318, tsid: 18_432, sid },
      file: segmentFile(folder, `r${index}.1`),
      endsBy: clock.now() + 60_000,
    }));
    const runs = await Promise.all(orders.map((order) => run(capture, order)));
    while (waiting.length === 0) await clock.sleep(10, new AbortController().signal);
    expect(waiting).toHaveLength(1);
    waiting[0]?.end(RAI);
    const ends = await Promise.all(runs.map(({ end }) => end));
    expect(ends.map(({ cause }) => cause)).toEqual([
      ...RAI_SIDS.map(() => "STREAM_ENDED"),
      "STREAM_WRONG_SERVICE",
    ]);
    for (const { file, service } of orders.slice(0, RAI_SIDS.length)) {
      expect(withoutPat(await readFile(file)).equals(reference(RAI, service.sid))).toBe(true);
    }
    server.closeAllConnections();
    server.close();
  });
});
