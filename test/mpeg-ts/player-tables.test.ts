import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { NULL_PID } from "../../src/mpeg-ts/packets.ts";
import { chosenPackets } from "../../src/mpeg-ts/streams/chosen-packets.ts";
import { mapSection, playerTables } from "../../src/mpeg-ts/tables/player-tables.ts";
import { packetsOf } from "../../src/mpeg-ts/tables/sections.ts";
import { mapEntries, readPmt } from "../../src/mpeg-ts/tables/tables.ts";
import { told } from "../kit/tool.ts";
import { descriptor, packet, pat, pmt } from "../kit/ts-builder.ts";
import { fc } from "../properties.ts";

const PACKET = 188;
const pidOf = (bytes: Uint8Array, at: number) => (((bytes[at + 1] ?? 0) & 0x1f) << 8) | (bytes[at + 2] ?? 0);

/** A multiplex of several services; the first entry of its PAT is the NIT. */
const mux = await readFile("test/fixtures/ts/rai-dvbt-mux.ts");
const packets = Array.from({ length: Math.floor(mux.length / PACKET) }, (_, at) =>
  mux.subarray(at * PACKET, (at + 1) * PACKET),
);

interface Programme {
  readonly program_id: number;
  readonly pmt_pid: number;
  readonly streams: readonly { readonly id: string }[];
}

/** The programmes that ffprobe, which has another parser, finds in these packets. */
async function programmesOf(input: Uint8Array): Promise<readonly Programme[]> {
  const args = ["-v", "quiet", "-show_programs", "-of", "json", "-f", "mpegts", "-"];
  const { out } = await told("ffprobe", { args, input: Buffer.from(input) });
  return (JSON.parse(out) as { programs: readonly Programme[] }).programs;
}

it("tables for a player list only its service, with the PMT as broadcast", async () => {
  const all = await programmesOf(mux);
  expect(all.length).toBeGreaterThan(1);
  const pat = packets.find((packet) => pidOf(packet, 0) === 0);
  for (const { program_id: sid, pmt_pid: pid, streams } of all) {
    const map = packets.find((packet) => pidOf(packet, 0) === pid && ((packet[1] ?? 0) & 0x40) !== 0);
    if (pat === undefined || map === undefined || streams.length === 0) continue;
    const tables = playerTables(Buffer.concat([pat, map]));
    expect(tables.length).toBe(2 * PACKET);
    const found = await programmesOf(Buffer.concat([tables, ...packets.slice(0, 2000).map(withoutSi)]));
    expect(found.map(({ program_id, pmt_pid }) => ({ program_id, pmt_pid }))).toEqual([
      { program_id: sid, pmt_pid: pid },
    ]);
  }
});

function withoutSi(packet: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(packet);
  if (pidOf(copy, 0) < 0x20) copy.set([0x1f, 0xff], 1);
  return copy;
}

/** Streams of a PMT as broadcasters send them, each with descriptors. */
const maps = fc.record({
  streams: fc.uniqueArray(
    fc.record({
      pid: fc.integer({ min: 0x20, max: 0x1ffe }),
      type: fc.constantFrom(2, 3, 6, 15, 27),
      info: fc
        .array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 })
        .map((body) => descriptor(0x0a, body)),
    }),
    { maxLength: 12, selector: ({ pid }) => pid },
  ),
  programmes: fc.integer({ min: 1, max: 100 }),
  chosen: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
});

it("tables for a player list only the chosen streams, as broadcast, for PAT and PMT of any size", () => {
  fc.assert(
    fc.property(maps, ({ streams, programmes, chosen }) => {
      const [sid, pmtPid] = [0x1234, 0x1f0];
      const others = Array.from({ length: programmes }, (_, at) => [at + 1, 0x100 + at] as const);
      const patSection = pat(7, { programmes: [...others, [sid, pmtPid]] });
      const pmtSection = pmt({ sid, pcrPid: 0x21, programme: descriptor(9, [1, 2, 3, 4]), streams });
      const tables = Buffer.concat([packetsOf(patSection, 0), packetsOf(pmtSection, pmtPid)]);
      const kept = streams.filter((_, at) => chosen[at]);
      const own = playerTables(tables, new Set(kept.map(({ pid }) => pid)));
      const section = mapSection(own);
      expect(section?.header.extension).toBe(sid);
      expect(section === undefined ? [] : [...mapEntries(section)].map(({ pid }) => pid)).toEqual(
        kept.map(({ pid }) => pid),
      );
      expect(section && readPmt(section).pcrPid).toBe(0x21);
      // All streams: the same section.
      const whole = mapSection(playerTables(tables, new Set(streams.map(({ pid }) => pid))));
      expect(whole && Buffer.from(whole.bytes)).toEqual(Buffer.from(pmtSection));
      expect(mapSection(playerTables(tables))?.bytes).toEqual(pmtSection);
    }),
  );
});

it("a choice of streams keeps their packets in order, and only the PCR of the clock's packets", () => {
  const pids = fc.constantFrom(0, 0x100, 0x101, 0x102, NULL_PID);
  const packetsOfSome = fc.array(
    fc.record({ pid: pids, pcr: fc.option(fc.nat(2 ** 31), { nil: undefined }) }),
    {
      maxLength: 40,
    },
  );
  fc.assert(
    fc.property(packetsOfSome, (some) => {
      const all = some.map(({ pid, pcr }, at) =>
        packet({
          pid,
          counter: at,
          payload: new Uint8Array(100).fill(at),
          ...(pcr === undefined ? {} : { pcr }),
        }),
      );
      const left = chosenPackets(Buffer.concat(all), { pids: new Set([0x101]), pcrPid: 0x100 });
      const expected = some.flatMap(({ pid, pcr }, at) => {
        if (pid === 0x101) return [Buffer.from(all[at] ?? [])];
        return pid === 0x100 && pcr !== undefined ? [Buffer.from(packet({ pid, counter: at, pcr }))] : [];
      });
      expect(Buffer.from(left)).toEqual(Buffer.concat(expected));
    }),
  );
});
