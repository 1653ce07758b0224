import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Journal, loadJournal } from "../../src/guide-server/data/journal.ts";
import { JournalWriter, readJournal, snapshotText } from "../../src/guide-server/data/journal-text.ts";
import { openGuideStore } from "../../src/guide-server/data/store.ts";
import { put, remove } from "../../src/guide-server/data/tables.ts";
import { type Log, silentLog } from "../../src/kit/log.ts";
import { fc } from "../properties.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-journal-"));
  file = join(folder, "guide.journal");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A snapshot of two entries and three groups, with the size of the file after each of them. */
function sample(): { readonly bytes: Buffer; readonly ends: readonly number[]; readonly header: number } {
  const { text, writer } = snapshotText(["Ä", { b: 2 }]);
  const groups = [["one"], ["two, ünd"], [{ three: "3\n" }]].map((group) =>
    writer.line(JSON.stringify(group)),
  );
  const bytes = Buffer.from([text, ...groups].join(""));
  const start = Buffer.byteLength(text);
  const ends = groups.map((_, index) => start + Buffer.byteLength(groups.slice(0, index + 1).join("")));
  return { bytes, ends, header: start };
}

describe("a truncated journal", () => {
  it("contains everything acknowledged before the cut, at every byte", () => {
    const { bytes, ends, header } = sample();
    for (let cut = header; cut <= bytes.length; cut += 1) {
      const { entries, tornBytes } = readJournal(bytes.subarray(0, cut), file);
      const whole = ends.filter((end) => end <= cut);
      expect([cut, entries.length]).toEqual([cut, 2 + whole.length]);
      expect(tornBytes).toBe(cut - (whole.at(-1) ?? header));
    }
  });

  it("counts as damaged if the cut is in its snapshot, which existed before any acknowledgement", () => {
    const { bytes, header } = sample();
    for (let cut = 0; cut < header; cut += 1) {
      expect(() => readJournal(bytes.subarray(0, cut), file)).toThrowError(
        /guide\.journal, line [123]: this acknowledged line is damaged/,
      );
    }
  });

  it("loses a last group that is partly zero, as after a power loss", () => {
    const { bytes, ends } = sample();
    const torn = Buffer.from(bytes);
    torn.fill(0, (ends[1] ?? 0) + 3, (ends[1] ?? 0) + 12);
    expect(readJournal(torn, file)).toMatchObject({ entries: { length: 4 } });
  });
});

describe("a damaged journal", () => {
  it("names file and line, whichever bit of an acknowledged line differs", () => {
    const { bytes, ends } = sample();
    const last = ends[1] ?? 0;
    fc.assert(
      fc.property(fc.nat(last - 1), fc.nat(7), (at, bit) => {
        const other = Buffer.from(bytes);
        other[at] = (other[at] ?? 0) ^ (1 << bit);
        const line = bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;
        try {
          readJournal(other, file);
          return false;
        } catch (error) {
          const text = String(error);
          return text.includes(`${file}, line ${line}:`);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("detects a missing or misplaced line", () => {
    const { bytes } = sample();
    const lines = bytes.toString("utf8").split(/(?<=\n)/);
    const [a = "", b = "", c = "", d = "", e = "", f = ""] = lines;
    expect(() => readJournal(Buffer.from(a + b + c + e + f), file)).toThrowError(/line 4/);
    expect(() => readJournal(Buffer.from(a + b + c + e + d + f), file)).toThrowError(/line 4/);
  });

  it("is not repaired, skipped or extended by a starting server", async () => {
    const { bytes } = sample();
    const other = Buffer.from(bytes);
    other[40] = (other[40] ?? 0) ^ 1;
    await writeFile(file, other);
    await expect(openGuideStore(folder, silentLog)).rejects.toMatchObject({
      code: "STORE_DAMAGED",
      facts: { file },
    });
    expect(await readFile(file)).toEqual(other);
  });

  it("refuses a file of another program, and a record that this version never writes", async () => {
    await writeFile(file, new JournalWriter().line('{"format":"something else"}'));
    await expect(openGuideStore(folder, silentLog)).rejects.toThrowError(
      /line 1: this is not a guide journal/,
    );
    await writeFile(file, snapshotText([[["put", "regions", { id: "x" }]]]).text);
    await expect(openGuideStore(folder, silentLog)).rejects.toThrowError(
      /line 2: this acknowledged line is damaged/,
    );
  });
});

describe("a journal", () => {
  it("writes waiting records in one group, and acknowledges them once they are readable", async () => {
    await using journal = new Journal({ file, log: silentLog, snapshot: () => [], compactBytes: 1e6 });
    await journal.start();
    await Promise.all(Array.from({ length: 50 }, (_, index) => journal.append(`"${index}"`)));
    const content = await loadJournal(file);
    const values = content?.entries.map(({ value }) => value) ?? [];
    expect(values.flat()).toHaveLength(50);
    expect(values.length).toBeLessThan(5);
  });

  it("is compacted after it has grown, without losing records that arrive meanwhile", async () => {
    const held: number[] = [];
    const snapshot = () => held.map((one) => [one]);
    await using journal = new Journal({ file, log: silentLog, snapshot, compactBytes: 2000 });
    await journal.start();
    let largest = 0;
    for (let round = 0; round < 100; round += 1) {
      const own = Array.from({ length: 5 }, (_, index) => round * 5 + index);
      held.push(...own);
      await Promise.all(own.map((one) => journal.append(String(one))));
      const { entries = [] } = (await loadJournal(file)) ?? {};
      expect(new Set(entries.flatMap(({ value }) => value as number[]))).toEqual(new Set(held));
      largest = Math.max(largest, (await stat(file)).size);
    }
    const { text } = snapshotText(snapshot());
    expect(largest).toBeLessThan(2 * text.length + 2000);
  });

  it("accepts no record after a failed write", async () => {
    const journal = new Journal({ file, log: silentLog, snapshot: () => [], compactBytes: 1e6 });
    await journal.start();
    await journal.append('"good"');
    // The handle of a journal that is closed takes no write: as with a disk that is gone.
    await journal[Symbol.asyncDispose]();
    await expect(journal.append('"lost"')).rejects.toMatchObject({ code: "STORE_WRITE_FAILED" });
    await expect(journal.settled()).rejects.toMatchObject({ code: "STORE_WRITE_FAILED" });
  });
});

describe("the guide store", () => {
  const region = (id: number, name: string) => put("regions", { id, name });

  it("has every stored record and no removed one after reopening", async () => {
    {
      await using store = await openGuideStore(folder, silentLog);
      await store.commit(() => ({ changes: [region(1, "a"), region(2, "b")], value: undefined }));
      await store.commit(() => ({ changes: [remove("regions", "1"), region(2, "c")], value: undefined }));
    }
    await using again = await openGuideStore(folder, silentLog);
    expect([...again.tables.regions.values()]).toEqual([{ id: 2, name: "c" }]);
  });

  it("continues after a torn end, and reports that once", async () => {
    {
      await using store = await openGuideStore(folder, silentLog);
      await store.commit(() => ({ changes: [region(1, "a")], value: undefined }));
    }
    await writeFile(file, `${await readFile(file, "utf8")}0123abcd [["put","regi`);
    const warnings: string[] = [];
    const log: Log = { ...silentLog, warn: (message) => warnings.push(message) };
    {
      await using store = await openGuideStore(folder, log);
      await store.commit(() => ({ changes: [region(2, "b")], value: undefined }));
    }
    await using again = await openGuideStore(folder, log);
    expect([...again.tables.regions.keys()]).toEqual(["1", "2"]);
    expect(warnings).toHaveLength(1);
  });

  it("keeps its file private", async () => {
    await using _store = await openGuideStore(folder, silentLog);
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
  });
});
