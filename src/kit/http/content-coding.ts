import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw } from "node:zlib";

type Unpack = (body: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const unpackers = {
  gunzip: promisify(gunzip) as Unpack,
  inflate: promisify(inflate) as Unpack,
  inflateRaw: promisify(inflateRaw) as Unpack,
  brotli: promisify(brotliDecompress) as Unpack,
};

/** Some servers send the data without the zlib header that RFC 9110 §8.4.1.2 requires. */
function deflated(body: Buffer): Unpack {
  const isZlib = ((body[0] ?? 0) & 0x0f) === 8 && body.length > 1 && body.readUInt16BE(0) % 31 === 0;
  return isZlib ? unpackers.inflate : unpackers.inflateRaw;
}

const CODINGS: Readonly<Record<string, (body: Buffer) => Unpack>> = {
  gzip: () => unpackers.gunzip,
  "x-gzip": () => unpackers.gunzip,
  deflate: deflated,
  br: () => unpackers.brotli,
};

/** More codings than this waste time: each may unpack to the whole limit. */
const CODINGS_MAX = 3;

/**
 * A body without its codings: caches and front ends send packed answers to those who did not ask for one. A coding that is not
 * listed here leaves the body as it is.
 *
 * @returns `undefined` if it would have more bytes than allowed
 * @throws the system's error for a damaged body
 */
export async function withoutCodings(
  body: Buffer,
  codings: string,
  bytesMax: number,
): Promise<Buffer | undefined> {
  let plain = body;
  for (const coding of codings.toLowerCase().split(",").reverse().slice(0, CODINGS_MAX)) {
    const unpack = CODINGS[coding.trim()];
    if (unpack === undefined || plain.length === 0) continue;
    try {
      plain = await unpack(plain)(plain, { maxOutputLength: bytesMax });
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }
  return plain;
}
