import * as nodeFs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DurableFile } from "../../../src/kit/files/durable-file.ts";
import { RecorderdError } from "../../../src/model/errors.ts";
import { memoryDisk, NO_MOUNT } from "../../memory-disk.ts";
import { dyingFs, leftByAnother } from "../dying-fs.ts";

let folder: string;
beforeEach(async () => {
  folder = await nodeFs.mkdtemp(join(tmpdir(), "recorderd-durable-"));
});
afterEach(() => nodeFs.rm(folder, { recursive: true, force: true }));

/** Accepts only what was written whole. */
function parseWhole(text: string): string {
  const match = /^<(.*)>$/s.exec(text);
  if (match === null) throw new Error("not whole");
  return match[1] ?? "";
}
const whole = (value: string) => `<${value}>`;

async function stepsOfOneReplace(links: boolean): Promise<readonly string[]> {
  const { fs, calls } = dyingFs(Number.POSITIVE_INFINITY, links);
  const file = join(folder, "count.json");
  await nodeFs.writeFile(file, whole("old"));
  await new DurableFile({ file, fs }).replace(whole("new"));
  return calls;
}

describe("a durable file", () => {
  it("does not exist before the first write", async () => {
    expect(await new DurableFile({ file: join(folder, "a.json") }).read(parseWhole)).toBeUndefined();
  });

  it("returns the last written content, and keeps the previous version next to it", async () => {
    const file = join(folder, "a.json");
    const durable = new DurableFile({ file });
    for (const value of ["one", "two", "three"]) await durable.replace(whole(value));
    expect(await durable.read(parseWhole)).toEqual({ value: "three", version: "current" });
    expect(await nodeFs.readFile(`${file}.previous`, "utf8")).toBe(whole("two"));
    expect((await nodeFs.readdir(folder)).sort()).toEqual(["a.json", "a.json.previous"]);
  });

  it("processes overlapping calls in order", async () => {
    const durable = new DurableFile({ file: join(folder, "a.json") });
    await Promise.all(["one", "two", "three"].map((value) => durable.replace(whole(value))));
    expect(await durable.read(parseWhole)).toEqual({ value: "three", version: "current" });
  });

  it("is read from the previous version if the current one is damaged, with a notice", async () => {
    const file = join(folder, "a.json");
    const durable = new DurableFile({ file });
    await durable.replace(whole("one"));
    await durable.replace(whole("two"));
    await nodeFs.writeFile(file, "<tw");
    const damage = expect.stringContaining(file);
    expect(await durable.read(parseWhole)).toEqual({ value: "one", version: "previous", damage });
  });

  it("never replaces the good version by a damaged one", async () => {
    const file = join(folder, "a.json");
    await new DurableFile({ file }).replace(whole("one"));
    await new DurableFile({ file }).replace(whole("two"));
    await nodeFs.writeFile(file, "<tw");
    const durable = new DurableFile({ file });
    await durable.read(parseWhole);
    await durable.replace(whole("three"));
    expect(await durable.read(parseWhole)).toEqual({ value: "three", version: "current" });
    expect(await nodeFs.readFile(`${file}.previous`, "utf8")).toBe(whole("one"));
    expect(await nodeFs.readFile(`${file}.damaged`, "utf8")).toBe("<tw");
  });

  it("reports STORE_DAMAGED with both names if no version is good", async () => {
    const file = join(folder, "a.json");
    await nodeFs.writeFile(file, "");
    await nodeFs.writeFile(`${file}.previous`, "x");
    const read = new DurableFile({ file }).read(parseWhole);
    await expect(read).rejects.toMatchObject({ code: "STORE_DAMAGED", facts: { file } });
    await expect(read).rejects.toThrow(`${file}.previous`);
  });

  it("passes on its reader's other errors", async () => {
    const file = join(folder, "a.json");
    const durable = new DurableFile({ file });
    await durable.replace(whole("one"));
    await durable.replace(whole("two"));
    const refuse = () => {
      throw new RecorderdError("CONFIG_INVALID", "too new");
    };
    await expect(durable.read(refuse)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("has the requested permissions, by default 0640", async () => {
    const secret = join(folder, "secret");
    await new DurableFile({ file: secret, mode: 0o600 }).replace("x");
    const plain = join(folder, "plain");
    await new DurableFile({ file: plain }).replace("x");
    expect((await nodeFs.stat(secret)).mode & 0o777).toBe(0o600);
    expect((await nodeFs.stat(plain)).mode & 0o777).toBe(0o640 & ~process.umask());
  });

  it("leaves no second copy if none is wanted", async () => {
    const durable = new DurableFile({ file: join(folder, "secret"), mode: 0o600, keepsPrevious: false });
    await durable.replace(whole("one"));
    await durable.replace(whole("two"));
    expect(await nodeFs.readdir(folder)).toEqual(["secret"]);
    expect(await durable.read(parseWhole)).toEqual({ value: "two", version: "current" });
  });

  it("removes only this file's remains of a crashed process", async () => {
    const left = [".a.json.0badcafe-00000001.tmp", ".a.json.previous.0badcafe-00000002.tmp"];
    const other = [".b.json.0badcafe-00000001.tmp", ".a.json.swp"];
    for (const name of [...left, ...other]) await nodeFs.writeFile(join(folder, name), "half");
    await new DurableFile({ file: join(folder, "a.json") }).replace("x");
    expect((await nodeFs.readdir(folder)).sort()).toEqual([...other, "a.json"].sort());
  });

  it("names the file and the system's reason if its folder is missing", async () => {
    const file = join(folder, "gone", "a.json");
    await expect(new DurableFile({ file }).replace("x")).rejects.toMatchObject({
      code: "WRITE_FAILED",
      facts: { file, system: "ENOENT" },
    });
  });
});

describe.each([
  { what: "with links", links: true },
  { what: "without links", links: false },
])("R-08 a durable file on a file system $what", ({ links }) => {
  it("has its bytes on disk before its name, and its name before the write completes", async () => {
    const calls = await stepsOfOneReplace(links);
    expect(calls.slice(0, 4)).toEqual(["readdir", "open", "write", "datasync"]);
    expect(calls.slice(-3)).toEqual(["rename", "open", "sync"]);
  });

  it("has the complete old or new version after a crash at any moment", async () => {
    const steps = (await stepsOfOneReplace(links)).length;
    const found = new Set<string>();
    for (let deadly = 1; deadly <= steps; deadly += 1) {
      const file = join(folder, `cut-${deadly}.json`);
      const before = new DurableFile({ file });
      await before.replace(whole("older"));
      await before.replace(whole("old"));
      const dying = new DurableFile({ file, fs: dyingFs(deadly, links).fs });
      await expect(dying.replace(whole("new"))).rejects.toMatchObject({ code: "WRITE_FAILED" });
      await leftByAnother(folder);
      const after = new DurableFile({ file });
      const { value = "nothing" } = (await after.read(parseWhole)) ?? {};
      found.add(value);
      await after.replace(whole("newest"));
      expect(await after.read(parseWhole)).toEqual({ value: "newest", version: "current" });
      expect(await nodeFs.readFile(`${file}.previous`, "utf8"), `cut at ${deadly}`).toBe(whole(value));
    }
    expect(found).toEqual(new Set(["old", "new"]));
    expect((await nodeFs.readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("survives a second crash right after the first", async () => {
    const steps = (await stepsOfOneReplace(links)).length;
    for (let first = 1; first <= steps; first += 1) {
      for (let second = 1; second <= steps; second += 1) {
        const file = join(folder, `cut-${first}-${second}.json`);
        await nodeFs.writeFile(file, whole("old"));
        for (const deadly of [first, second]) {
          const dying = new DurableFile({ file, fs: dyingFs(deadly, links).fs });
          await dying.replace(whole("new")).catch(() => {});
          await leftByAnother(folder);
        }
        const { value } = (await new DurableFile({ file }).read(parseWhole)) ?? {};
        expect(["old", "new"], `cut at ${first}, then at ${second}`).toContain(value);
      }
    }
  });
});

describe("R-07 a durable file on a full disk", () => {
  it("gives DISK_FULL, stays unchanged, and can be written again once there is room", async (context) => {
    const disk = join(folder, "disk");
    await nodeFs.mkdir(disk);
    await using mounted = memoryDisk(disk, "64k");
    if (mounted === undefined) return context.skip(NO_MOUNT);
    const durable = new DurableFile({ file: join(disk, "a.json") });
    await durable.replace(whole("old"));
    const filler = join(disk, "filler");
    await nodeFs.writeFile(filler, Buffer.alloc(48 * 1024));
    await expect(durable.replace(whole("x".repeat(32 * 1024)))).rejects.toMatchObject({
      code: "DISK_FULL",
      remedy: "give-up",
    });
    expect(await durable.read(parseWhole)).toEqual({ value: "old", version: "current" });
    expect((await nodeFs.readdir(disk)).sort()).toEqual(["a.json", "filler"]);
    await nodeFs.rm(filler);
    await durable.replace(whole("new"));
    expect(await durable.read(parseWhole)).toEqual({ value: "new", version: "current" });
  });
});
