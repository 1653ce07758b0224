import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { LedgerFact } from "../../../src/model/ledger.ts";
import { openLedger, readLedger } from "../../../src/recorder/store/ledger.ts";
import { memoryDisk, NO_MOUNT } from "../../memory-disk.ts";
import { fc } from "../../properties.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-ledger-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const FIRST = "ledger-000001.jsonl";
const fact = (at: number, timerId?: string): LedgerFact => ({
  at,
  fact: "state changed",
  ...(timerId === undefined ? {} : { timerId, recordingId: `r${timerId}` }),
  facts: { to: "recording", lateMs: at, asked: false },
});

async function all(of?: { readonly timerId: string }): Promise<readonly LedgerFact[]> {
  const found: LedgerFact[] = [];
  for await (const one of readLedger(folder, of)) found.push(one);
  return found;
}

async function filled(count: number, options: { bytesMax?: number; filesMax?: number } = {}): Promise<void> {
  await using ledger = await openLedger({ folder, ...options });
  for (let at = 1; at <= count; at += 1) await ledger.append([fact(at, String(at % 3))]);
}

describe("the ledger", () => {
  it("returns every fact in order, over reopenings", async () => {
    await filled(3);
    {
      await using ledger = await openLedger({ folder });
      await ledger.append([fact(4, "x"), fact(5)]);
    }
    expect(await all()).toEqual([fact(1, "1"), fact(2, "2"), fact(3, "0"), fact(4, "x"), fact(5)]);
    expect(await readdir(folder)).toEqual([FIRST]);
  });

  it("R-10 returns the facts of one timer", async () => {
    await filled(6);
    expect(await all({ timerId: "2" })).toEqual([fact(2, "2"), fact(5, "2")]);
    expect(await all({ timerId: "unknown" })).toEqual([]);
  });

  it("writes one line per fact, whatever its contents", async () => {
    const odd = { at: 1, fact: "a\nb\u2028c", facts: { text: '"\\\r\n' } };
    await using ledger = await openLedger({ folder });
    await ledger.append([odd, odd]);
    expect((await readFile(join(folder, FIRST), "utf8")).split("\n")).toHaveLength(3);
    expect(await all()).toEqual([odd, odd]);
  });

  it("keeps the order of overlapping calls", async () => {
    const ledger = await openLedger({ folder, bytesMax: 400 });
    const calls = Array.from({ length: 30 }, (_, at) => ledger.append([fact(at)]));
    await ledger[Symbol.asyncDispose]();
    await Promise.all(calls);
    expect((await all()).map(({ at }) => at)).toEqual(Array.from({ length: 30 }, (_, at) => at).slice(-30));
  });

  it("R-08 loses only the torn line after a power loss at any byte", async () => {
    const line = JSON.stringify(fact(3));
    for (let cut = 1; cut <= line.length; cut += 1) {
      await rm(join(folder, FIRST), { force: true });
      await filled(2);
      await appendFile(join(folder, FIRST), line.slice(0, cut));
      {
        await using ledger = await openLedger({ folder });
        await ledger.append([fact(4)]);
      }
      expect(await all(), `cut after ${cut}`).toEqual([fact(1, "1"), fact(2, "2"), fact(4)]);
    }
  });

  it("cuts off a torn line that is longer than one read", async () => {
    await filled(1);
    await appendFile(join(folder, FIRST), "x".repeat(200_000));
    await using ledger = await openLedger({ folder });
    await ledger.append([fact(2)]);
    expect(await all()).toEqual([fact(1, "1"), fact(2)]);
    expect((await stat(join(folder, FIRST))).size).toBeLessThan(1000);
  });

  it("empties a file that contains only a torn line", async () => {
    await writeFile(join(folder, FIRST), "\0\0\0");
    await using ledger = await openLedger({ folder });
    await ledger.append([fact(1)]);
    expect(await readFile(join(folder, FIRST), "utf8")).toBe(`${JSON.stringify(fact(1))}\n`);
  });

  it("skips lines that are no facts", async () => {
    await writeFile(join(folder, FIRST), `{"at":"1"}\n\n[]\n${JSON.stringify(fact(2))}\nnull\n`);
    expect(await all()).toEqual([fact(2)]);
  });

  it("can be read while it is written, and again after an abandoned reading", async () => {
    await using ledger = await openLedger({ folder });
    await ledger.append([fact(1), fact(2)]);
    for await (const first of readLedger(folder)) {
      expect(first).toEqual(fact(1));
      break;
    }
    await ledger.append([fact(3)]);
    expect((await all()).map(({ at }) => at)).toEqual([1, 2, 3]);
  });

  it("gives STORE_WRITE_FAILED if its folder is missing", async () => {
    await expect(openLedger({ folder: join(folder, "gone") })).rejects.toMatchObject({
      code: "STORE_WRITE_FAILED",
    });
  });

  it("R-07 contains no part of facts that did not fit on a full disk, and continues once there is room", async (context) => {
    await using mounted = memoryDisk(folder, "64k");
    if (mounted === undefined) return context.skip(NO_MOUNT);
    await using ledger = await openLedger({ folder });
    await ledger.append([fact(1)]);
    const long = { at: 2, fact: "x".repeat(100_000) };
    await expect(ledger.append([long])).rejects.toMatchObject({
      code: "STORE_WRITE_FAILED",
      facts: { system: "ENOSPC" },
    });
    await ledger.append([fact(3)]);
    expect(await all()).toEqual([fact(1), fact(3)]);
  });

  it("gives FILE_UNREADABLE if one of its files is a folder", async () => {
    await filled(1);
    await mkdir(join(folder, "ledger-000002.jsonl"));
    await expect(all()).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});

describe("the ledger after a crash", () => {
  it("R-10 is completed from the latest facts, cut at any byte, without repetition", async () => {
    const latest = [fact(4, "x"), { at: 4, fact: "é" }, fact(4)];
    const earlier = `${[fact(1), fact(2)].map((one) => JSON.stringify(one)).join("\n")}\n`;
    const batch = Buffer.from(`${latest.map((one) => JSON.stringify(one)).join("\n")}\n`);
    for (let cut = 0; cut <= batch.length; cut += 1) {
      await writeFile(join(folder, FIRST), Buffer.concat([Buffer.from(earlier), batch.subarray(0, cut)]));
      await using ledger = await openLedger({ folder });
      await ledger.catchUp(latest);
      await ledger.catchUp(latest);
      expect(await all()).toEqual([fact(1), fact(2), ...latest]);
    }
  });

  it("R-10 is completed from all latest facts if it just began a new file, or is missing", async () => {
    await filled(3, { bytesMax: 100 });
    await writeFile(join(folder, "ledger-000009.jsonl"), "");
    await using ledger = await openLedger({ folder });
    await ledger.catchUp([fact(9)]);
    await ledger.catchUp([]);
    expect((await all()).map(({ at }) => at)).toEqual([1, 2, 3, 9]);
  });
});

describe("the ledger's rotation", () => {
  it("begins a new file before its limit, and never splits a batch", async () => {
    await filled(10, { bytesMax: 300 });
    const names = (await readdir(folder)).sort();
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) expect((await stat(join(folder, name))).size).toBeLessThanOrEqual(300);
    expect((await all()).map(({ at }) => at)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("R-42 keeps the configured number of old files, the newest", async () => {
    await filled(40, { bytesMax: 300, filesMax: 2 });
    expect(await readdir(folder)).toHaveLength(3);
    const kept = (await all()).map(({ at }) => at);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 40 - kept.length + 1 + index));
  });

  it("leaves no empty file if a single batch exceeds the limit", async () => {
    await filled(3, { bytesMax: 10 });
    expect(await readdir(folder)).toHaveLength(3);
  });

  it("continues in the newest file after reopening", async () => {
    await filled(10, { bytesMax: 300 });
    const before = await readdir(folder);
    await using ledger = await openLedger({ folder, bytesMax: 100_000 });
    await ledger.append([fact(11)]);
    expect(await readdir(folder)).toEqual(before);
    expect((await all()).at(-1)).toEqual(fact(11));
  });

  it("returns all appended facts, for any batches and rotations", async () => {
    const batches = fc.array(fc.array(fc.nat(), { maxLength: 5 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 500 }), async (given, bytesMax) => {
        const at = await mkdtemp(join(folder, "run-"));
        {
          await using ledger = await openLedger({ folder: at, bytesMax, filesMax: 100 });
          for (const batch of given) await ledger.append(batch.map((n) => fact(n)));
        }
        const found: number[] = [];
        for await (const one of readLedger(at)) found.push(one.at);
        return JSON.stringify(found) === JSON.stringify(given.flat());
      }),
      { numRuns: 20 },
    );
  });
});
