import { once } from "node:events";
import { resolve } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { RecorderdError } from "../../model/errors.ts";
import { startChild } from "../process/child.ts";
import { openPlainFile } from "./plain-file.ts";
import { portionsOf } from "./steady-fs.ts";
import { zipEntry } from "./zip-entry.ts";

const CHUNK_BYTES = 64 * 1024;
const GZIP = "1f8b";
const ZIP = "504b0304";
/** The headers that zlib writes: some servers send `Content-Encoding: deflate` unasked. */
const ZLIB: readonly string[] = ["7801", "789c", "78da"];
/** Programs that unpack a file to their output, by how the file begins. */
const PROGRAMS: readonly (readonly [beginning: string, command: string, ...options: readonly string[]])[] = [
  // The file sets the memory that unpacking needs, up to 4 GiB; `xz -9` sets 65 MiB.
  ["fd377a585a00", "xz", "--memlimit-decompress=128MiB"],
  ["425a68", "bzip2"],
  // The same for zstd: `zstd --ultra -22` sets 128 MiB.
  ["28b52ffd", "zstd", "--memory=128MB"],
];
/** Other compressions, by how their files begin. */
const UNREADABLE: readonly (readonly [beginning: string, name: string])[] = [
  ["377abcaf271c", "7-Zip"],
  ["526172211a07", "RAR"],
];
/** Errors of zlib in words. */
const FLAWS: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: "ends too early: fetch it again",
  Z_DATA_ERROR: "is damaged, or other data follows the packed data",
};
const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * The content of a file, decompressed if it begins like a gzip, zlib, xz, bzip2, zstd or zip file, and once more if that is gzip
 * again. xz, bzip2 and zstd need their programs; a zip file must hold one file, or one that is XML.
 *
 * @param isBrotli brotli has no beginning of its own
 * @throws RecorderdError FILE_UNREADABLE when the file is missing, cannot be unpacked, or holds more than `bytesMax`
 */
export async function* decompressed(
  file: string,
  { bytesMax, isBrotli = false }: { readonly bytesMax: number; readonly isBrotli?: boolean },
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  try {
    const beginning = await beginningOf(file);
    const packed = isBrotli ? unbrotlied(file) : await contentOf(file, beginning);
    for await (const chunk of withoutSecondGzip(packed)) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw unreadable(`holds more than ${bytesMax} bytes`);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof RecorderdError || !(error instanceof Error) || !("code" in error)) throw error;
    throw unreadable(FLAWS[String(error.code)] ?? `cannot be read (${String(error.code)})`, error);
  }
}

async function beginningOf(file: string): Promise<string> {
  await using handle = await openPlainFile(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(6), 0, 6, 0);
  return buffer.subarray(0, bytesRead).toString("hex");
}

async function contentOf(file: string, beginning: string): Promise<AsyncIterable<Uint8Array>> {
  const other = UNREADABLE.find(([begin]) => beginning.startsWith(begin));
  if (other !== undefined) throw unreadable(`is compressed with ${other[1]}: use gzip, xz, zstd or zip`);
  const program = PROGRAMS.find(([begin]) => beginning.startsWith(begin));
  if (program !== undefined) return through(file, program[1], program.slice(2));
  if (beginning.startsWith(ZIP)) return await fromZip(file);
  const bytes = portionsOf(file, { highWaterMark: CHUNK_BYTES });
  if (ZLIB.some((begin) => beginning.startsWith(begin)))
    return pipeline(bytes, createInflate({ chunkSize: CHUNK_BYTES }), forgotten);
  return beginning.startsWith(GZIP) ? unzipped(bytes) : bytes;
}

function unzipped(bytes: AsyncIterable<Uint8Array>): Readable {
  return pipeline(bytes, createGunzip({ chunkSize: CHUNK_BYTES }), forgotten);
}

/** By the name alone. */
export function isBrotliName(file: string): boolean {
  return /\.br$/i.test(file);
}

function unbrotlied(file: string): Readable {
  return pipeline(portionsOf(file), createBrotliDecompress({ chunkSize: CHUNK_BYTES }), forgotten);
}

/** The reader of the last stream gets the error. */
function forgotten(): void {}

/** Servers compress what is compressed already. */
async function* withoutSecondGzip(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const chunks = content[Symbol.asyncIterator]();
  try {
    const first = await chunks.next();
    if (first.done === true) return;
    const isGzip = Buffer.from(first.value.subarray(0, 2)).toString("hex") === GZIP;
    const all = rejoined(first.value, chunks);
    yield* isGzip ? unzipped(all) : all;
  } finally {
    // A reader that gives up before the second chunk has not reached them, and the file would stay open.
    await chunks.return?.();
  }
}

async function* rejoined(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

async function fromZip(file: string): Promise<AsyncIterable<Uint8Array>> {
  await using handle = await openPlainFile(file);
  const entry = await zipEntry(handle, ".xml").catch((error: unknown) => {
    if (error instanceof RangeError) throw unreadable("is a torn zip file", error);
    throw error;
  });
  if (typeof entry === "string") throw unreadable(entry);
  const { start, bytes, isDeflated } = entry;
  if (bytes === 0) return Readable.from([]);
  const packed = portionsOf(file, { highWaterMark: CHUNK_BYTES, start, end: start + bytes - 1 });
  return isDeflated ? pipeline(packed, createInflateRaw({ chunkSize: CHUNK_BYTES }), forgotten) : packed;
}

async function* through(
  file: string,
  command: string,
  options: readonly string[],
): AsyncGenerator<Uint8Array, void> {
  const args = ["--decompress", "--stdout", ...options, "--", resolve(file)];
  const child = await startChild(command, args, {
    env: { PATH: SYSTEM_PATH },
    cwd: "/",
    stdio: ["ignore", "pipe", "ignore"],
  }).catch(() => {
    throw unreadable(`cannot be unpacked by ${command} (no program ${command})`);
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  try {
    yield* child.stdout as AsyncIterable<Uint8Array>;
    const code = await ended;
    if (code !== 0) throw unreadable(`cannot be unpacked by ${command} (${code})`);
  } finally {
    child.kill("SIGKILL");
  }
}

function unreadable(what: string, cause?: Error): RecorderdError {
  return new RecorderdError("FILE_UNREADABLE", `The file ${what}.`, {}, { cause });
}
