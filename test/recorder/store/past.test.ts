import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DurableFs } from "../../../src/kit/files/durable-file.ts";
import { type DocumentStore, openDocumentStore } from "../../../src/recorder/store/document-store.ts";
import { dyingFs, leftByAnother } from "../../kit/dying-fs.ts";
import { casesOf } from "../../lane.ts";
import { fc } from "../../properties.ts";

/** Works by id; those that are done are over. */
type Works = Readonly<Record<string, { readonly done: boolean; readonly text: string }>>;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-past-"));
  file = join(folder, "works.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function opened(fs?: DurableFs, onDamage?: (text: string) => void): Promise<DocumentStore<Works>> {
  return openDocumentStore<Works>({
    file,
    schemaVersion: 1,
    split: (works) => {
      const each = Object.entries(works);
      return {
        now: Object.fromEntries(each.filter(([, { done }]) => !done)),
        past: { works: new Map(each.filter(([, { done }]) => done)) },
      };
    },
    parse: (stored, { works = new Map() }) => ({
      ...(Object.fromEntries(works) as Works),
      ...(stored as Works),
    }),
    empty: () => ({}),
    ...(fs === undefined ? {} : { fs }),
    ...(onDamage === undefined ? {} : { onDamage }),
  });
}

const done = (text: string) => ({ done: true, text });
const open = (text: string) => ({ done: false, text });

/** So many that are done. */
function many(count: number): Works {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, done("x".repeat(20))]));
}

async function pastFiles(): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => name.includes(".past-")).sort();
}

describe("past recordings", () => {
  it("are restored with the others", async () => {
    const works = { a: open("aé\n"), b: done("b\u2028\n"), c: done("c") };
    {
      await using store = await opened();
      await store.commit(works);
    }
    await using store = await opened();
    expect(store.current).toEqual(works);
  });

  it("are written once: later commits write no more of them to either file", async () => {
    await using store = await opened();
    await store.commit({ ...many(500), a: open("1") });
    const [name = ""] = await pastFiles();
    const bytes = (await stat(join(folder, name))).size;
    expect(bytes).toBeGreaterThan(500 * 20);
    await store.commit({ ...store.current, a: open("2") });
    expect((await stat(join(folder, name))).size).toBe(bytes);
    expect((await stat(file)).size).toBeLessThan(300);
  });

  it("have their latest version, and are gone once deleted", async () => {
    {
      await using store = await opened();
      await store.commit({ a: done("a"), b: done("b"), c: done("c") });
      await store.commit({ a: done("anew"), b: open("again"), d: done("d") });
    }
    await using store = await opened();
    expect(store.current).toEqual({ a: done("anew"), b: open("again"), d: done("d") });
  });

  it("of an undivided document are separated by the next commit", async () => {
    await writeFile(file, JSON.stringify({ schemaVersion: 1, document: { a: done("a"), b: open("b") } }));
    {
      await using store = await opened();
      expect(store.current).toEqual({ a: done("a"), b: open("b") });
      await store.commit({ ...store.current });
    }
    expect(await readFile(file, "utf8")).not.toContain('"a"');
    await using store = await opened();
    expect(store.current).toEqual({ a: done("a"), b: open("b") });
  });

  it("are removed beyond the need of the previous document", async () => {
    // The first commit of a life writes the document.
    for (let round = 0; round < 4; round += 1) {
      for (const works of [many(1100), {}]) {
        await using store = await opened();
        await store.commit(works);
      }
    }
    expect((await pastFiles()).length).toBe(2);
    await rm(file);
    await using before = await opened();
    expect(before.openedFrom).toBe("previous");
    expect(before.current).toEqual({});
  });

  it.each([
    { what: "gone", hurt: (path: string) => rm(path) },
    { what: "cut off", hurt: async (path: string) => truncate(path, (await stat(path)).size - 1) },
    {
      what: "altered",
      hurt: async (path: string) => writeFile(path, (await readFile(path, "utf8")).replace("late", "Late")),
    },
  ])("R-08 are restored with the previous document if their end is $what", async ({ what, hurt }) => {
    {
      await using store = await opened();
      await store.commit({ a: done("early") });
      await store.commit({ ...store.current, b: done("late") });
    }
    const [name = ""] = await pastFiles();
    await hurt(join(folder, name));
    if (what === "gone") {
      await expect(opened()).rejects.toMatchObject({ code: "STORE_DAMAGED" });
      await expect(opened()).rejects.toThrow(join(folder, name));
      return;
    }
    {
      await using store = await opened();
      expect(store.openedFrom).toBe("previous");
      expect(store.current).toEqual({ a: done("early"), b: done("late") });
      await store.commit({ ...store.current, c: done("new") });
    }
    await using store = await opened();
    expect(store.current).toEqual({ a: done("early"), b: done("late"), c: done("new") });
  });

  it.each([
    { what: "gone", hurt: (path: string) => rm(path), left: {} },
    {
      what: "rotten in its middle",
      hurt: async (path: string) =>
        writeFile(path, (await readFile(path, "utf8")).replace('"done":true', '"dona":true')),
      left: { b: done("b") },
    },
    { what: "cut off early", hurt: (path: string) => truncate(path, 70), left: { a: done("a") } },
  ])("R-08 do not block current recordings if their file is $what, with a notice", async ({ hurt, left }) => {
    {
      await using store = await opened();
      await store.commit({ a: done("a"), b: done("b") });
      await store.commit({ ...store.current, tonight: open("film") });
      await store.commit({ ...store.current, tonight: open("the film") });
    }
    const [name = ""] = await pastFiles();
    await hurt(join(folder, name));
    const told: string[] = [];
    {
      await using store = await opened(undefined, (text) => told.push(text));
      expect(store.current).toEqual({ ...left, tonight: open("the film") });
      expect(told).toEqual([expect.stringContaining(join(folder, name))]);
      await store.commit({ ...store.current, c: done("c") });
    }
    // The document is whole again, and the damaged file is still there.
    await using store = await opened();
    expect(store.openedFrom).toBe("current");
    expect(store.current).toEqual({ ...left, c: done("c"), tonight: open("the film") });
    expect(await readdir(folder)).toContain("works.json.damaged");
  });

  it("R-08 without a document are not overwritten, and the new start is reported", async () => {
    {
      await using store = await opened();
      await store.commit({ a: done("a") });
    }
    await rm(file);
    const told: string[] = [];
    await using store = await opened(undefined, (text) => told.push(text));
    expect(store.current).toEqual({});
    expect(told).toEqual([expect.stringContaining("starts without their content")]);
    await store.commit({ b: done("b") });
    expect(await readFile(`${file}.past-1`, "utf8")).toContain('"text":"a"');
  });

  it("give STORE_WRITE_FAILED if they cannot be written, with the system's reason", async () => {
    const store = await opened();
    await rm(folder, { recursive: true });
    await expect(store.commit({ a: done("a") })).rejects.toMatchObject({
      code: "STORE_WRITE_FAILED",
      facts: { file, system: "ENOENT" },
    });
  });
});

/** The document's versions in order; the last step makes a file that is mostly outdated. */
const HISTORY: readonly Works[] = [
  { a: open("a") },
  { a: done("a"), b: open("b") },
  { a: done("a"), b: done("b"), ...many(1100) },
  { a: done("changed"), c: done("c") },
  { a: done("changed"), c: done("c"), d: open("d") },
];

/** Commits all of them, until the process dies. */
async function live(fs: DurableFs): Promise<void> {
  const store = await opened(fs);
  for (const works of HISTORY) await store.commit(works);
}

describe("R-08 a document with past recordings", () => {
  it("has them on disk before the document that names them", async () => {
    const { fs, calls } = dyingFs(Number.POSITIVE_INFINITY);
    const store = await opened(fs);
    const from = calls.length;
    await store.commit({ a: done("a") });
    const [, ...steps] = calls.slice(from, from + 7);
    expect(steps).toEqual(["open", "truncate", "write", "datasync", "open", "sync"]);
    expect(calls.slice(from + 7)).toContain("rename");
  });

  it.each([0, 0.5, 1])(
    "is a committed version after any power loss, with %f of the unwritten data",
    async (share) => {
      const whole = dyingFs(Number.POSITIVE_INFINITY);
      await live(whole.fs);
      const found = new Set<string>();
      for (let deadly = 1; deadly <= whole.calls.length + 1; deadly += 1) {
        for (const name of await readdir(folder)) await rm(join(folder, name));
        const dying = dyingFs(deadly);
        await live(dying.fs).catch(() => {});
        await dying.cutPower(share);
        await leftByAnother(folder);
        const at = await (async () => {
          await using store = await opened();
          const nth = HISTORY.findIndex((works) => JSON.stringify(works) === JSON.stringify(store.current));
          expect(nth >= 0 || Object.keys(store.current).length === 0, `cut at ${deadly}`).toBe(true);
          await store.commit({ ...store.current, z: done("z") });
          return nth;
        })();
        found.add(String(at));
        await using after = await opened();
        expect(after.openedFrom).toBe("current");
        expect(after.current).toEqual({ ...HISTORY[at], z: done("z") });
      }
      expect([...found].sort()).toEqual(["-1", "0", "1", "2", "3", "4"]);
    },
  );

  it("is the last committed version for any commits, including failed ones", async () => {
    const id = fc.constantFrom("a", "b", "c", "d");
    const works = fc.dictionary(id, fc.record({ done: fc.boolean(), text: fc.string({ maxLength: 5 }) }));
    const life = fc.array(fc.record({ works, dies: fc.option(fc.integer({ min: 1, max: 14 })) }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 4 }), async (lives) => {
        for (const name of await readdir(folder)) await rm(join(folder, name));
        let known: readonly Works[] = [{}];
        for (const commits of lives) {
          // A disk that fails at some call, and is well again with the next commit.
          let deadly = dyingFs(Number.POSITIVE_INFINITY);
          const fs = new Proxy({} as DurableFs, { get: (_, name) => Reflect.get(deadly.fs, name) });
          await using store = await opened(fs);
          if (!known.some((works_) => same(works_, store.current))) return false;
          known = [store.current];
          for (const { works: next, dies } of commits) {
            deadly = dyingFs(dies ?? Number.POSITIVE_INFINITY);
            try {
              await store.commit(next);
              known = [next];
            } catch {
              known = [...known, next];
            }
          }
          await leftByAnother(folder);
        }
        await using store = await opened();
        return known.some((works_) => same(works_, store.current));
      }),
      { numRuns: casesOf({ sample: 20, all: 60 }) },
    );
  });
});

function same(a: Works, b: Works): boolean {
  const sorted = (works: Works) => JSON.stringify(Object.entries(works).sort(([x], [y]) => (x < y ? -1 : 1)));
  return sorted(a) === sorted(b);
}
