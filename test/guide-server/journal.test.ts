import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readJournal } from "../../src/guide-server/data/journal-text.ts";
import { openGuideStore } from "../../src/guide-server/data/store.ts";
import { type Log, silentLog } from "../../src/kit/log.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";
import { JournalWriter, snapshotText } from "./journal-writer.ts";

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
      { numRuns: casesOf({ sample: 500, all: 2000 }) },
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

describe("a journal of an earlier version", () => {
  const region = (id: number, name: string) => ["put", "regions", { id, name }];
  const regions = async (log: Log = silentLog) => {
    await using store = await openGuideStore(folder, log);
    return [...store.catalogue.regions.values()].map(({ name }) => name);
  };

  it("gives its records to the database and goes, also after an interruption between the two", async () => {
    const { text, writer } = snapshotText([[region(1, "a")], [region(2, "b")]]);
    const journal = `${text}${writer.line(JSON.stringify([["remove", "regions", "1"], region(3, "c")]))}`;
    await writeFile(file, journal);
    expect(await regions()).toEqual(["b", "c"]);
    expect(await readdir(folder)).not.toContain("guide.journal");
    await writeFile(file, journal);
    expect(await regions()).toEqual(["b", "c"]);
    expect(await readdir(folder)).not.toContain("guide.journal");
  });

  it("may have a torn end, which is reported once", async () => {
    await writeFile(file, `${snapshotText([[region(1, "a")]]).text}0123abcd [["put","regi`);
    const warnings: string[] = [];
    const log: Log = { ...silentLog, warn: (message) => warnings.push(message) };
    expect(await regions(log)).toEqual(["a"]);
    expect(await regions(log)).toEqual(["a"]);
    expect(warnings).toHaveLength(1);
  });

  it("that was begun after the database is refused: nobody knows which of the two is wanted", async () => {
    expect(await regions()).toEqual([]);
    const { text } = snapshotText([[region(1, "a")]]);
    await writeFile(file, text);
    await expect(regions()).rejects.toMatchObject({ code: "FILE_NOT_OURS", facts: { file } });
    expect(await readFile(file, "utf8")).toBe(text);
    await rm(file);
    expect(await regions()).toEqual([]);
  });
});
