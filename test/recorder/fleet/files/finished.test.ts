import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { FinishedFiles } from "../../../../src/model/planned-capture.ts";
import { parseNameTemplate } from "../../../../src/recorder/capture/name-template.ts";
import { createRecordingFiles } from "../../../../src/recorder/capture/recording-files.ts";
import { bringRecordings } from "../../../../src/recorder/fleet/files/finished.ts";
import { LOG, type TwoDisks, twoDisks } from "./two-disks.ts";

const never = new AbortController().signal;

/** A recording of the library, by the path that all nodes have; here the disks have different paths. */
function film(folder: string, path: string): FinishedFiles {
  const stem = join(folder, path.replace(/\.ts$/, ""));
  return { file: `${stem}.ts`, beside: [`${stem}.json`, `${stem}-thumb.jpg`] };
}

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function bring(disks: TwoDisks, paths: readonly string[]): Promise<void> {
  const { source, hereFolder, drop } = disks;
  const shelf = createRecordingFiles({
    folder: hereFolder,
    template: parseNameTemplate("{title}", "UTC"),
    ownership: { fileMode: 0o640, folderMode: 0o750 },
  });
  const finished = () => paths.map((path) => film(hereFolder, path));
  const parts = { node: "attic", source, folder: hereFolder, finished, takeIn: shelf.takeIn, drop, log: LOG };
  await bringRecordings(parts, never);
}

async function textOf(...path: readonly string[]): Promise<string | undefined> {
  return await readFile(join(...path), "utf8").catch(() => undefined);
}

it("recordings come with the files beside them, and the node keeps neither them nor an empty folder", async () => {
  await using disks = await twoDisks();
  const { thereFolder, hereFolder } = disks;
  await put(thereFolder, { "Show/One.ts": "one", "Show/One.json": "{}", "other.ts": "of nobody" });
  await bring(disks, ["Show/One.ts"]);
  expect(await textOf(hereFolder, "Show/One.ts")).toBe("one");
  expect(await textOf(hereFolder, "Show/One.json")).toBe("{}");
  expect((await stat(join(hereFolder, "Show/One.ts"))).mode & 0o777).toBe(0o640);
  expect(await textOf(thereFolder, "other.ts")).toBe("of nobody");
  await expect(stat(join(thereFolder, "Show"))).rejects.toMatchObject({ code: "ENOENT" });
});

it("a recording that no node has stays missing", async () => {
  await using disks = await twoDisks();
  await bring(disks, ["Gone.ts"]);
  expect(await textOf(disks.hereFolder, "Gone.ts")).toBeUndefined();
});

it("a recording comes whole after an interruption between it and the files beside it", async () => {
  await using disks = await twoDisks();
  const { thereFolder, hereFolder } = disks;
  const long = "long ".repeat(100_000);
  await put(thereFolder, { "One.ts": long, "One.json": "{}" });
  disks.breakAfter(100_000);
  await expect(bring(disks, ["One.ts"])).rejects.toMatchObject({ code: "STORAGE_OFFLINE" });
  expect(await textOf(hereFolder, "One.ts")).toBeUndefined();
  expect(await textOf(thereFolder, "One.ts")).toBe(long);
  disks.breakAfter(Number.POSITIVE_INFINITY);
  await bring(disks, ["One.ts"]);
  expect([await textOf(hereFolder, "One.ts"), await textOf(hereFolder, "One.json")]).toEqual([long, "{}"]);
  expect(await textOf(thereFolder, "One.ts")).toBeUndefined();
});

it("a file that is at home already is not brought again, and the node need not keep it", async () => {
  await using disks = await twoDisks();
  const { thereFolder, hereFolder } = disks;
  await put(thereFolder, { "One.ts": "one", "Two.ts": "two" });
  await put(hereFolder, { "One.ts": "one" });
  await bring(disks, ["One.ts", "Two.ts"]);
  expect(await textOf(hereFolder, "Two.ts")).toBe("two");
  expect([await textOf(thereFolder, "One.ts"), await textOf(thereFolder, "Two.ts")]).toEqual([
    undefined,
    undefined,
  ]);
  expect(disks.asked.some((path) => path.includes("One.ts"))).toBe(false);
});
