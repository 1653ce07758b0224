import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { finishStaging, markStaged, stage } from "../../../src/kit/files/staged-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-staged-"));
  await writeFile(join(folder, "a"), "old a");
  await writeFile(join(folder, "gone"), "old");
  await writeFile(join(folder, "other"), "other");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function stageNew(): Promise<string> {
  const staging = await stage(folder);
  await writeFile(join(staging, "a"), "new a");
  await mkdir(join(staging, "b"));
  await writeFile(join(staging, "b/c"), "new c");
  return staging;
}

const EXCHANGE = { install: ["a", "b"], remove: ["gone"] };

async function found() {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((name) => name.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
  const texts = await Promise.all(
    files.map(async (path) => [path, await readFile(join(folder, path), "utf8")]),
  );
  return Object.fromEntries(texts);
}

const OLD = { a: "old a", gone: "old", other: "other" };
const NEW = { a: "new a", "b/c": "new c", other: "other" };

describe("files added to a folder in one step", () => {
  it("are absent if they were never marked", async () => {
    await stageNew();
    expect(await finishStaging(folder)).toBe(false);
    expect(await found()).toEqual(OLD);
  });

  it("are all present after the mark, and the replaced files are gone", async () => {
    await stageNew();
    await markStaged(folder, EXCHANGE);
    expect(await finishStaging(folder)).toBe(true);
    expect(await found()).toEqual(NEW);
    expect(await finishStaging(folder)).toBe(false);
  });

  it.each([
    ["after the first removal", async () => rm(join(folder, "gone"))],
    ["between removal and rename", async () => rm(join(folder, "a"))],
    ["between two files", async (staging: string) => rename(join(staging, "a"), join(folder, "a"))],
    [
      "when only the mark is left",
      async (staging: string) => {
        await rename(join(staging, "a"), join(folder, "a"));
        await rename(join(staging, "b"), join(folder, "b"));
      },
    ],
  ])("are all present after an interrupted first try: %s", async (_when, breakOff) => {
    const staging = await stageNew();
    await markStaged(folder, EXCHANGE);
    await breakOff(staging);
    expect(await finishStaging(folder)).toBe(true);
    expect(await found()).toEqual(NEW);
  });
});
