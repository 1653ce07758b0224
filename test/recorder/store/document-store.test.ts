import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { withinWire } from "../../../src/model/wire-text.ts";
import { type DocumentStore, openDocumentStore } from "../../../src/recorder/store/document-store.ts";

const Counted = z.strictObject({ count: z.int(), text: z.string().optional() });
type Counted = z.infer<typeof Counted>;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-store-"));
  file = join(folder, "document.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function opened(schemaVersion = 1, onDamage?: (text: string) => void): Promise<DocumentStore<Counted>> {
  return openDocumentStore<Counted>({
    file,
    schemaVersion,
    parse: (stored) => Counted.parse(stored),
    empty: () => ({ count: 0 }),
    ...(onDamage === undefined ? {} : { onDamage }),
  });
}

/** Commits so many numbers, one after the other. */
async function countTo(last: number): Promise<void> {
  await using store = await opened();
  for (let count = 1; count <= last; count += 1) await store.commit({ count });
}

async function logs(): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name.includes(".log-")).map((name) => join(folder, name));
}

describe("the log of changes", () => {
  const big = "x".repeat(8000);

  it("spares the document: later commits write no more than they change", async () => {
    await using store = await opened();
    await store.commit({ count: 1, text: big });
    await store.commit({ count: 2, text: big });
    const before = await stat(file);
    for (let count = 3; count <= 12; count += 1) await store.commit({ count, text: big });
    const after = await stat(file);
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    const sizes = await Promise.all((await logs()).map(async (log) => (await stat(log)).size));
    expect(Math.max(...sizes)).toBeLessThan(1000);
  });

  it("is followed by a new document once it is long, and only the logs of two versions are left", async () => {
    const texts = Array.from({ length: 60 }, (_, nth) => `${nth}${big}`);
    {
      await using store = await opened();
      for (const [count, text] of texts.entries()) await store.commit({ count, text });
      expect((await logs()).length).toBeLessThanOrEqual(2);
      expect((await stat(file)).size).toBeLessThan(9000);
    }
    await using store = await opened();
    expect(store.current).toEqual({ count: 59, text: texts[59] });
  });

  it("R-08 that is damaged in its middle loses the changes after the damage, with a notice", async () => {
    await countTo(6);
    const damaged = await whichHolds('"value":4');
    await damaged.replace('"value":4', '"value":9');
    const told: string[] = [];
    {
      await using store = await opened(1, (text) => told.push(text));
      expect(store.current).toEqual({ count: 3 });
      expect(told).toEqual([expect.stringContaining(damaged.path)]);
      await store.commit({ count: 7 });
    }
    await using store = await opened();
    expect(store.current).toEqual({ count: 7 });
    expect(store.openedFrom).toBe("current");
  });

  it("R-08 that is damaged is refused by those who want it whole", async () => {
    await countTo(6);
    const damaged = await whichHolds('"value":4');
    await damaged.replace('"value":4', '"value":9');
    await expect(opened()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
  });

  it("that was cut off while it was written is continued after its last whole line", async () => {
    await countTo(6);
    const { path, text } = await whichHolds('"value":6');
    await writeFile(path, text.slice(0, -5));
    {
      await using store = await opened();
      expect(store.current).toEqual({ count: 5 });
      await store.commit({ count: 7 });
    }
    await using store = await opened();
    expect(store.current).toEqual({ count: 7 });
  });

  it("of another document is left alone, such as one beside a copy that was put back", async () => {
    await countTo(2);
    const copy = await readFile(file, "utf8");
    for (const log of await logs()) await rm(log);
    await rm(`${file}.previous`);
    await rm(file);
    await countTo(9);
    await writeFile(file, copy);
    await using store = await opened();
    expect(store.current).toEqual({ count: 2 });
  });

  /** The log with this text. */
  async function whichHolds(wanted: string) {
    for (const path of await logs()) {
      const text = await readFile(path, "utf8");
      if (!text.includes(wanted)) continue;
      const replace = (from: string, to: string) => writeFile(path, text.replace(from, to));
      return { path, text, replace };
    }
    throw new Error(`no log has ${wanted}`);
  }
});

describe("the document", () => {
  it("is empty before the first write, and opening it writes nothing", async () => {
    await using store = await opened();
    expect(store.current).toEqual({ count: 0 });
    expect(store.openedFrom).toBe("nothing");
    await expect(readFile(file)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("is the last committed version after reopening", async () => {
    {
      await using store = await opened();
      await store.commit({ count: 1 });
      await store.commit({ count: 2, text: "zwölf\u2028" });
    }
    await using store = await opened();
    expect(store.current).toEqual({ count: 2, text: "zwölf\u2028" });
    expect(store.openedFrom).toBe("current");
  });

  it("stored before texts had a limit is cut, with a notice", async () => {
    const text = `a\0\ud800${"x".repeat(2 ** 24)}`;
    await writeFile(file, JSON.stringify({ schemaVersion: 1, document: { count: 1, text } }));
    const said: string[] = [];
    await using store = await opened(1, (damage) => said.push(damage));
    expect(store.openedFrom).toBe("current");
    expect(store.current).toEqual({ count: 1, text: withinWire(text) });
    expect(said).toEqual([expect.stringContaining("invalid name: 1")]);
  });

  it("is current only once it is on disk", async () => {
    await using store = await opened();
    const next = { count: 1 };
    const committed = store.commit(next);
    expect(store.current).toEqual({ count: 0 });
    await committed;
    expect(store.current).toBe(next);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ schemaVersion: 1, document: next });
  });

  it("is written in the order of the commits, and completely before it closes", async () => {
    const store = await opened();
    const counts = Array.from({ length: 20 }, (_, index) => index + 1);
    const commits = counts.map((count) => store.commit({ count }));
    await store[Symbol.asyncDispose]();
    expect(store.current).toEqual({ count: 20 });
    await Promise.all(commits);
    await using again = await opened();
    expect(again.current).toEqual({ count: 20 });
  });

  it("is stored as one compact line", async () => {
    await using store = await opened();
    await store.commit({ count: 1, text: "a" });
    expect(await readFile(file, "utf8")).toMatch(
      /^{"schemaVersion":1,"log":"[0-9a-f]{8}","document":{"count":1,"text":"a"},"crc32":\d+}$/,
    );
  });

  it.each([
    { what: "cut off", text: '{"schemaVersion":1,"docu' },
    { what: "empty", text: "" },
    { what: "of another shape", text: '{"schemaVersion":1,"document":{"count":"2"}}' },
    { what: "without a version", text: '{"document":{"count":2}}' },
  ])("R-08 loses no commit if its latest version is $what", async ({ text }) => {
    await countTo(4);
    await writeFile(file, text);
    const told: string[] = [];
    await using store = await opened(1, (text) => told.push(text));
    expect(store.current).toEqual({ count: 4 });
    expect(store.openedFrom).toBe("previous");
    expect(told).toEqual([expect.stringContaining(file)]);
  });

  it.each([
    ["one of its digits was changed", (text: string) => text.replace('"count":2', '"count":9')],
    [
      "its checksum was changed",
      (text: string) => text.replace(/\d}$/, (end) => (end === "1}" ? "2}" : "1}")),
    ],
    ["the name of its checksum was changed", (text: string) => text.replace("crc32", "crc3a")],
  ])("R-08 loses no commit if %s", async (_what, damage) => {
    await countTo(4);
    await writeFile(file, damage(await readFile(file, "utf8")));
    const told: string[] = [];
    await using store = await opened(1, (text) => told.push(text));
    expect(store.current).toEqual({ count: 4 });
    expect(told).toEqual([expect.stringContaining(file)]);
  });

  it("of an earlier program has no checksum, and gets one with the next commit", async () => {
    await writeFile(file, '{"schemaVersion":1,"document":{"count":7}}');
    await using store = await opened();
    expect(store.current).toEqual({ count: 7 });
    await store.commit({ count: 8 });
    expect(await readFile(file, "utf8")).toContain('"crc32":');
  });

  it("gives STORE_DAMAGED with the file and the remedy if both versions are damaged, and stays unchanged", async () => {
    await writeFile(file, "{");
    await writeFile(`${file}.previous`, "");
    const opening = opened();
    await expect(opening).rejects.toMatchObject({ code: "STORE_DAMAGED", remedy: "stop-daemon" });
    await expect(opening).rejects.toThrow(file);
    await expect(opening).rejects.toThrow("Put a backup in its place");
    expect(await readFile(file, "utf8")).toBe("{");
  });

  it("gives STORE_TOO_NEW if a newer program wrote it, even with an older version next to it", async () => {
    {
      await using store = await opened(1);
      await store.commit({ count: 1 });
    }
    {
      await using store = await opened(2);
      await store.commit({ count: 2 });
    }
    await expect(opened(1)).rejects.toMatchObject({
      code: "STORE_TOO_NEW",
      remedy: "stop-daemon",
      facts: { found: 2, known: 1 },
    });
  });

  it("gives STORE_WRITE_FAILED if it cannot be written, and stays unchanged", async () => {
    const store = await opened();
    await rm(folder, { recursive: true });
    await expect(store.commit({ count: 1 })).rejects.toMatchObject({
      code: "STORE_WRITE_FAILED",
      remedy: "retry",
      facts: { file },
    });
    expect(store.current).toEqual({ count: 0 });
  });

  it("accepts no commit after it is closed, and closing it twice is harmless", async () => {
    const store = await opened();
    await store[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    expect(() => store.commit({ count: 1 })).toThrow("closed");
  });
});
