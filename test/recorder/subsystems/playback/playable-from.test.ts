import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Playable } from "../../../../src/recorder/api/daemon-api.ts";
import { playableFrom } from "../../../../src/recorder/subsystems/playback/playable-from.ts";
import { fc } from "../../../properties.ts";

const BYTES = Buffer.from(Array.from({ length: 200 }, (_, at) => at));
const TABLES = [Buffer.from("ABCDE"), Buffer.from("FGHIJ")];
const POINTS = [3, 60, 120].map((offset, nth) => ({
  offset,
  pts: 0,
  streamMs: nth * 1000,
  isBreak: false,
  tables: nth === 2 ? 1 : 0,
}));

const WHOLE: Playable = {
  size: BYTES.length,
  isGrowing: false,
  type: "video/mp2t",
  etag: '"whole"',
  read: ({ first, last = BYTES.length - 1 }) => Readable.from([BYTES.subarray(first, last + 1)]),
};

async function read(playable: Playable, range: { readonly first: number; readonly last?: number }) {
  return Buffer.concat(await playable.read(range).toArray());
}

describe("a recording from an instant on", () => {
  it("begins with the tables of the last access point before it", async () => {
    const later = playableFrom(WHOLE, { points: POINTS, tables: TABLES }, 2500);
    expect(await read(later, { first: 0 })).toEqual(
      Buffer.concat([Buffer.from("FGHIJ"), BYTES.subarray(120)]),
    );
    expect(later).toMatchObject({ size: 85, etag: '"whole-3c"' });
  });

  it("is the whole one before its first access point, and where the tables have no room", () => {
    for (const atMs of [-1, 0, 999])
      expect(playableFrom(WHOLE, { points: POINTS, tables: TABLES }, atMs)).toBe(WHOLE);
  });

  it("serves every range of itself", async () => {
    const later = playableFrom(WHOLE, { points: POINTS, tables: TABLES }, 1000);
    const all = await read(later, { first: 0 });
    expect(all).toHaveLength(later.size);
    await fc.assert(
      fc.asyncProperty(fc.nat(later.size - 1), fc.nat(later.size - 1), async (a, b) => {
        const [first, last] = [Math.min(a, b), Math.max(a, b)];
        return (await read(later, { first, last })).equals(all.subarray(first, last + 1));
      }),
    );
  });
});
