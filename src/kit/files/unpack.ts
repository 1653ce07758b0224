import { once } from "node:events";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { createGunzip, createInflateRaw } from "node:zlib";
import { RecorderdError } from "../../model/errors.ts";
import { startChild } from "../process/child.ts";
import { zipEntry } from "./zip-entry.ts";

const CHUNK_BYTES = 64 * 1024;
const GZIP = "1f8b";
const XZ = "fd377a585a00";
const ZIP = "504b0304";
/** Other compressions, by how their files begin. */
const UNREADABLE: readonly (readonly [beginning: string, name: string])[] = [
  ["425a68", "bzip2"],
  ["28b52ffd", "zstd"],
  ["377abcaf271c", "7-Zip"],
  ["526172211a07", "RAR"],
];
/** An xz file sets the memory that unpacking needs, up to 4 GiB; `xz -9` sets 65 MiB. */
const XZ_MEMORY = "--memlimit-decompress=128MiB";
const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * The content of a file, decompressed if it begins like a gzip, xz or zip file. xz needs the program `xz`; a zip file must hold one
 * file, or one that is XML.
 *
 * @throws RecorderdError FILE_UNREADABLE when the file is missing, cannot be unpacked, or holds more than `bytesMax`
 */
export async function* decompressed(
  file: string,
  { bytesMax }: { readonly bytesMax: number },
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  try {
    for await (const chunk of await contentOf(file, await beginningOf(file))) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw unreadable(`holds more than ${bytesMax} bytes`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RecorderdError || !(error instanceof Error) || !("code" in error)) throw error;
    throw unreadable(`cannot be read (${String(error.code)})`, error);
  }
}

async function beginningOf(file: string): Promise<string> {
  await using handle = await open(file, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(6), 0, 6, 0);
  return buffer.subarray(0, bytesRead).toString("hex");
}

async function contentOf(file: string, beginning: string): Promise<AsyncIterable<Uint8Array>> {
  const other = UNREADABLE.find(([begin]) => beginning.startsWith(begin));
  if (other !== undefined) throw unreadable(`is compressed with ${other[1]}: use gzip, xz or zip`);
  if (beginning === XZ) return throughXz(file);
  if (beginning.startsWith(ZIP)) return await fromZip(file);
  const bytes = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  if (!beginning.startsWith(GZIP)) return bytes;
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  bytes.on("error", (error) => gunzip.destroy(error));
  return bytes.pipe(gunzip);
}

async function fromZip(file: string): Promise<AsyncIterable<Uint8Array>> {
  await using handle = await open(file, "r");
  const entry = await zipEntry(handle, ".xml").catch((error: unknown) => {
    if (error instanceof RangeError) throw unreadable("is a torn zip file", error);
    throw error;
  });
  if (typeof entry === "string") throw unreadable(entry);
  const { start, bytes, isDeflated } = entry;
  if (bytes === 0) return Readable.from([]);
  const packed = createReadStream(file, { highWaterMark: CHUNK_BYTES, start, end: start + bytes - 1 });
  if (!isDeflated) return packed;
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES });
  packed.on("error", (error) => inflate.destroy(error));
  return packed.pipe(inflate);
}

async function* throughXz(file: string): AsyncGenerator<Uint8Array, void> {
  const child = await startChild("xz", ["--decompress", "--stdout", XZ_MEMORY, "--", resolve(file)], {
    env: { PATH: SYSTEM_PATH },
    cwd: "/",
    stdio: ["ignore", "pipe", "ignore"],
  }).catch(() => {
    throw unreadable("cannot be unpacked by xz (no program xz)");
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  try {
    yield* child.stdout as AsyncIterable<Uint8Array>;
    const code = await ended;
    if (code !== 0) throw unreadable(`cannot be unpacked by xz (${code})`);
  } finally {
    child.kill("SIGKILL");
  }
}

function unreadable(what: string, cause?: Error): RecorderdError {
  return new RecorderdError("FILE_UNREADABLE", `The file ${what}.`, {}, { cause });
}
