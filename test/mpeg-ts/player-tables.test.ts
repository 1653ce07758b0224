import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { playerTables } from "../../src/mpeg-ts/tables/player-tables.ts";
import { told } from "../kit/tool.ts";

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

it("tables for a player name the one service, with its PMT as it was broadcast", async () => {
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
