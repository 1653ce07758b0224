import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decompressed } from "../../../src/kit/files/unpack.ts";
import { RecorderdError } from "../../../src/model/errors.ts";
import { openFilesIn } from "../../open-files.ts";

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
  return packedBy("xz", input, options);
}

function packedBy(program: string, input: Uint8Array, options: readonly string[] = []): Uint8Array {
  const { stdout, status } = spawnSync(program, ["--stdout", ...options], { input });
  expect(status).toBe(0);
  return stdout;
}

const ZEROS = Buffer.alloc(64 * BYTES_MAX);

it.each([
  ["gzip", () => gzipSync(ZEROS)],
  ["gzip in many members", () => Buffer.concat(Array(64).fill(gzipSync(ZEROS.subarray(0, BYTES_MAX))))],
  ["gzip twice", () => gzipSync(gzipSync(ZEROS))],
  ["zlib", () => deflateSync(ZEROS)],
  ["xz", () => xz(ZEROS)],
  ["bzip2", () => packedBy("bzip2", ZEROS)],
  ["zstd", () => packedBy("zstd", ZEROS)],
  ["zip", () => zip("DEFLATED", ["guide.xml", ZEROS])],
])("a file that %s compressed to very few bytes is unpacked up to its limit", async (_, pack) => {
  const { bytes, code } = await read(pack());
  expect(code).toBe("FILE_UNREADABLE");
  expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
});

it.each([
  ["gzip twice", gzipSync(gzipSync("content"))],
  ["gzip, in a zip file", zip("STORED", ["guide.xml.gz", gzipSync("content")])],
  [
    "macOS, in a zip file",
    zip("STORED", ["guide.xml", "content"], ["__MACOSX/._guide.xml", "x"], [".DS_Store", "x"]),
  ],
  ["zlib", deflateSync("content")],
  ["bzip2", packedBy("bzip2", Buffer.from("content"))],
  ["zstd", packedBy("zstd", Buffer.from("content"))],
  ["nothing", Buffer.from("content")],
])("a file packed by %s is read", async (_, packed) => {
  expect(await read(packed)).toEqual({ bytes: 7 });
});

it.each([
  ["nothing", (content: Buffer) => content],
  ["gzip", gzipSync],
  ["gzip twice", (content: Buffer) => gzipSync(gzipSync(content))],
  ["zlib", deflateSync],
  ["zip", (content: Buffer) => zip("DEFLATED", ["guide.xml", content])],
])("a file packed by %s is closed when its reader stops after the first piece", async (_, pack) => {
  const file = join(folder, "stopped");
  await writeFile(file, pack(randomBytes(BYTES_MAX)));
  const reading = decompressed(file, { bytesMax: 2 * BYTES_MAX });
  expect((await reading.next()).done).toBe(false);
  expect(await openFilesIn(folder)).toEqual([file]);
  await reading.return();
  expect(await openFilesIn(folder)).toEqual([]);
});

it("a file by brotli is unpacked where that is known, up to its limit", async () => {
  const file = join(folder, "packed.br");
  const bytesOf = async (content: Buffer) => {
    await writeFile(file, content);
    let bytes = 0;
    for await (const chunk of decompressed(file, { bytesMax: BYTES_MAX, isBrotli: true }))
      bytes += chunk.length;
    return bytes;
  };
  expect(await bytesOf(brotliCompressSync("content"))).toBe(7);
  for (const bad of [
    brotliCompressSync(ZEROS),
    Buffer.from("no brotli"),
    brotliCompressSync("content").subarray(2),
  ])
    await expect(bytesOf(bad)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
});

it("a relative path of an xz file is found from where the program runs", async () => {
  const file = join(folder, "relative.xz");
  await writeFile(file, xz(Buffer.from("content")));
  const chunks: Uint8Array[] = [];
  for await (const chunk of decompressed(relative(process.cwd(), file), { bytesMax: BYTES_MAX }))
    chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe("content");
});

/** A zip file with a comment; readers that unpack one file do not need its checksum (APPNOTE.TXT §4.3). */
function zip(
  method: "DEFLATED" | "STORED",
  ...files: readonly (readonly [name: string, content: string | Buffer])[]
): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, content] of files) {
    const packed = method === "STORED" ? Buffer.from(content) : deflateRawSync(content);
    // From the version up to the length of the extra field, alike in both headers.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(method === "STORED" ? 0 : 8, 4);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(Buffer.byteLength(content), 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(at, 10);
    entries.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, entry, Buffer.from(name));
    const local = [Buffer.from("PK\x03\x04", "latin1"), common, Buffer.from(name), packed];
    for (const part of local) at += part.length;
    parts.push(...local);
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.from("PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x04\0made", "latin1");
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}

it.each(["DEFLATED", "STORED"] as const)(
  "a zip file (%s) is read if it has one file, or one listing",
  async (method) => {
    expect(await read(zip(method, ["guide", "content"]))).toEqual({ bytes: 7 });
    const files = [
      ["read me.txt", "x"],
      ["d/", ""],
      ["d/GUIDE.XML", "content"],
    ] as const;
    expect(await read(zip(method, ...files))).toEqual({ bytes: 7 });
    const refused = { bytes: 0, code: "FILE_UNREADABLE" };
    expect(await read(zip(method, ["a.xml", "x"], ["b.xml", "y"]))).toEqual(refused);
    expect(await read(zip(method, ["d/", ""]))).toEqual(refused);
    for (const cut of [10, 30, 60, 90]) {
      const whole = zip(method, ["guide.xml", "content"]);
      expect(await read(whole.subarray(0, whole.length - cut))).toMatchObject({ code: "FILE_UNREADABLE" });
    }
  },
);

it.each(["377abcaf271c", "526172211a07"])(
  "a file that begins with %s is refused by name",
  async (beginning) => {
    const content = Buffer.from(`${beginning}00000000`, "hex");
    expect(await read(content)).toEqual({ bytes: 0, code: "FILE_UNREADABLE" });
  },
);

it("a file that needs gigabytes of memory is refused, and one from xz -9 is accepted", async () => {
  const greedy = "--lzma2=preset=0,mode=fast,mf=hc3,dict=768MiB";
  expect(await read(xz(Buffer.alloc(1000), greedy))).toEqual({ bytes: 0, code: "FILE_UNREADABLE" });
  expect(await read(xz(Buffer.alloc(1000), "-9"))).toEqual({ bytes: 1000 });
});
