import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AccessIndex } from "../../../../src/model/access-index.ts";
import {
  createIndexCache,
  type IndexCache,
} from "../../../../src/recorder/subsystems/playback/index-cache.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-indexes-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Reads an index of so many points, and counts how often. */
function reader(points: number) {
  const found = { reads: 0 };
  const read = async (): Promise<AccessIndex> => {
    found.reads += 1;
    const point = { offset: 0, pts: 0, streamMs: 0, isBreak: false, tables: 0 };
    return { points: Array(points).fill(point), tables: [], isGrowing: false, bytes: 0, durationMs: 0 };
  };
  return { found, read };
}

async function file(name: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, name);
  return path;
}

/** Whether an index is known: it need not be read. */
async function knows(cache: IndexCache, files: readonly string[]): Promise<boolean> {
  const { found, read } = reader(1);
  await cache.of(files, read);
  return found.reads === 0;
}

describe("the index of a recording that is watched", () => {
  it("is read once, and again when one of its files has changed", async () => {
    const files = [await file("News.index"), await file("News.ts")];
    const cache = createIndexCache();
    const { found, read } = reader(2);
    const first = await cache.of(files, read);
    expect([await cache.of(files, read), found.reads]).toEqual([first, 1]);
    for (const [at, each] of files.entries()) {
      await appendFile(each, "more");
      await cache.of(files, read);
      expect(found.reads).toBe(at + 2);
    }
  });

  it("is not kept if it cannot be read, or if a file is missing", async () => {
    const index = await file("News.index");
    const cache = createIndexCache();
    await expect(cache.of([index], () => Promise.reject(new Error("damaged")))).rejects.toThrow("damaged");
    expect(await knows(cache, [index])).toBe(false);
    const missing = [index, join(folder, "News.ts")];
    await cache.of(missing, reader(1).read);
    expect(await knows(cache, missing)).toBe(false);
  });

  it("leaves when others need its place, the one used last as the last", async () => {
    const [a, b, c] = [await file("a"), await file("b"), await file("c")];
    const cache = createIndexCache(10);
    for (const each of [a, b, a, c]) await cache.of([each], reader(5).read);
    expect(await Promise.all([[a], [c]].map((files) => knows(cache, files)))).toEqual([true, true]);
    expect(await knows(cache, [b])).toBe(false);
  });

  it("is not kept if it alone is beyond the limit, and takes no place from others", async () => {
    const [a, large] = [await file("a"), await file("large")];
    const cache = createIndexCache(10);
    await cache.of([a], reader(5).read);
    await cache.of([large], reader(11).read);
    expect(await knows(cache, [a])).toBe(true);
    const { found, read } = reader(1);
    await cache.of([large], read);
    expect(found.reads).toBe(1);
  });
});
