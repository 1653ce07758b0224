import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decompressed } from "../../../src/kit/files/unpack.ts";
import { RecorderdError } from "../../../src/model/errors.ts";

const BYTES_MAX = 1024 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-unpack-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** @returns how many bytes came, and why no more */
async function read(content: Uint8Array): Promise<{ readonly bytes: number; readonly code?: string }> {
  const file = join(folder, "packed");
  await writeFile(file, content);
  let bytes = 0;
  try {
    for await (const chunk of decompressed(file, { bytesMax: BYTES_MAX })) bytes += chunk.length;
    return { bytes };
  } catch (error) {
    if (error instanceof RecorderdError) return { bytes, code: error.code };
    throw error;
  }
}

function xz(input: Uint8Array, ...options: readonly string[]): Uint8Array {
  const { stdout, status } = spawnSync("xz", ["--stdout", ...options], { input });
  expect(status).toBe(0);
  return stdout;
}

const ZEROS = Buffer.alloc(64 * BYTES_MAX);

it.each([
  ["gzip", () => gzipSync(ZEROS)],
  ["gzip in many members", () => Buffer.concat(Array(64).fill(gzipSync(ZEROS.subarray(0, BYTES_MAX))))],
  ["xz", () => xz(ZEROS)],
])("a file that %s compressed to very few bytes is unpacked up to its limit", async (_, pack) => {
  const { bytes, code } = await read(pack());
  expect(code).toBe("FILE_UNREADABLE");
  expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
});

it("a file that needs gigabytes of memory is refused, and one from xz -9 is accepted", async () => {
  const greedy = "--lzma2=preset=0,mode=fast,mf=hc3,dict=768MiB";
  expect(await read(xz(Buffer.alloc(1000), greedy))).toEqual({ bytes: 0, code: "FILE_UNREADABLE" });
  expect(await read(xz(Buffer.alloc(1000), "-9"))).toEqual({ bytes: 1000 });
});
