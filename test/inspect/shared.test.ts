import { mkdtemp, readdir, readlink, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openInspection } from "../../src/inspect/file-inspection.ts";
import { sharedInspections } from "../../src/inspect/shared.ts";

const SIGNAL = new AbortController().signal;
const NULL_PACKET = Uint8Array.from({ length: 188 }, (_, at) => [0x47, 0x1f, 0xff, 0x10][at] ?? 0xff);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-shared-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function packets(name: string, count: number): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, Buffer.concat(Array.from({ length: count }, () => NULL_PACKET)));
  return file;
}

async function isOpen(file: string): Promise<boolean> {
  const names = await readdir("/proc/self/fd");
  const open = await Promise.all(names.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return open.includes(file);
}

it("keeps what was read of a file, but not the file open, when nobody looks at it", async () => {
  const inspections = sharedInspections(openInspection);
  const file = await packets("rests.ts", 100);
  {
    await using watched = inspections.open(file, undefined);
    await watched.advance(SIGNAL);
  }
  expect(await isOpen(file)).toBe(false);
  await packets("rests.ts", 150);
  await using again = inspections.open(file, undefined);
  expect(await again.advance(SIGNAL)).toMatchObject({ packets: 150, bytes: 150 * 188 });
  await inspections.forget(file);
  expect(await isOpen(file)).toBe(false);
});

it("R-32 begins anew after a failure: what was known of the file may be of a disk that is gone", async () => {
  const inspections = sharedInspections(openInspection);
  const file = await packets("shrinks.ts", 100);
  await inspections.open(file, undefined).advance(SIGNAL);
  await truncate(file, 188 * 50);
  const left = inspections.open(file, undefined);
  expect(await left.advance(SIGNAL)).toMatchObject({ packets: 50 });
  await left[Symbol.asyncDispose]();
  await rm(file);
  const gone = inspections.open(file, undefined).advance(SIGNAL);
  await expect(gone).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  await packets("shrinks.ts", 70);
  expect(await inspections.open(file, undefined).advance(SIGNAL)).toMatchObject({ packets: 70 });
  await inspections.forget(file);
});

it("R-42 takes no memory for reading while nothing is read, however many segments a recording has", async () => {
  const inspections = sharedInspections(openInspection);
  const file = await packets("many.ts", 10);
  const before = process.memoryUsage().arrayBuffers;
  const many = Array.from({ length: 200 }, () => openInspection(file, undefined));
  for (const one of many) await one.advance(SIGNAL);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1024 * 1024);
  for (const one of many) await one[Symbol.asyncDispose]();
  await inspections.forget(file);
});
