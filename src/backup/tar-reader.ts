/*
 * The part of tar that a backup is made of (POSIX ustar and GNU): regular files, and folders, which say nothing. Everything else that
 * a tar archive can hold (links, devices, pipes, long names, extensions) is refused: no program that we start obeys a stranger's archive.
 */

const BLOCK_BYTES = 512;
const FILE_TYPES = ["0", "\0"];
const FOLDER_TYPE = "5";

export type TarEvent =
  | { readonly kind: "file"; readonly path: string; readonly bytes: number }
  /** A chunk of the latest file. */
  | { readonly kind: "data"; readonly bytes: Uint8Array };

/** The reason why an archive is refused: the rest of a sentence. */
export class TarFlaw extends Error {
  override readonly name = "TarFlaw";
}

/** Reads an archive in chunks of any size; keeps less than a block in memory. */
export class TarReader {
  #header = Buffer.alloc(BLOCK_BYTES);
  #headerBytes = 0;
  #dataLeft = 0;
  #paddingLeft = 0;
  #isOver = false;

  /** The final block of zeros was read: later bytes are ignored. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** @throws TarFlaw */
  push(chunk: Uint8Array): readonly TarEvent[] {
    const events: TarEvent[] = [];
    for (let at = 0; at < chunk.length && !this.#isOver; ) {
      const left = chunk.length - at;
      if (this.#dataLeft > 0) {
        const count = Math.min(left, this.#dataLeft);
        events.push({ kind: "data", bytes: chunk.subarray(at, at + count) });
        this.#dataLeft -= count;
        at += count;
      } else if (this.#paddingLeft > 0) {
        const count = Math.min(left, this.#paddingLeft);
        this.#paddingLeft -= count;
        at += count;
      } else {
        const count = Math.min(left, BLOCK_BYTES - this.#headerBytes);
        this.#header.set(chunk.subarray(at, at + count), this.#headerBytes);
        this.#headerBytes += count;
        at += count;
        if (this.#headerBytes === BLOCK_BYTES) events.push(...this.#entry());
      }
    }
    return events;
  }

  #entry(): readonly TarEvent[] {
    this.#headerBytes = 0;
    const header = this.#header;
    if (header.every((byte) => byte === 0)) {
      this.#isOver = true;
      return [];
    }
    if (numberAt(header, 148, 8) !== checksumOf(header)) throw new TarFlaw("a header is damaged");
    const type = header.toString("latin1", 156, 157);
    const bytes = numberAt(header, 124, 12);
    if (type === FOLDER_TYPE && bytes === 0) return [];
    const path = pathOf(header);
    if (!FILE_TYPES.includes(type)) throw new TarFlaw(`${shown(path)} is neither a file nor a folder`);
    this.#dataLeft = bytes;
    this.#paddingLeft = (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
    return [{ kind: "file", path, bytes }];
  }
}

function checksumOf(header: Buffer): number {
  const sum = header.reduce((total, byte) => total + byte, 0);
  // The checksum field itself counts as spaces.
  return header.subarray(148, 156).reduce((total, byte) => total - byte + 0x20, sum);
}

/** Octal digits; GNU writes larger numbers in binary. @throws TarFlaw */
function numberAt(header: Buffer, at: number, length: number): number {
  const isBinary = header.readUInt8(at) === 0x80;
  if (isBinary && length === 12) {
    const [high, low] = [header.readUIntBE(at + 1, 5), header.readUIntBE(at + 6, 6)];
    if (high === 0 && Number.isSafeInteger(low)) return low;
  }
  const digits = /^ *([0-7]+)[ \0]*$/.exec(header.toString("latin1", at, at + length))?.[1];
  if (digits === undefined) throw new TarFlaw("a header is damaged");
  return Number.parseInt(digits, 8);
}

/** The path in the archive, without a leading `./`. */
function pathOf(header: Buffer): string {
  const isUstar = header.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isUstar ? textAt(header, 345, 155) : "";
  const name = textAt(header, 0, 100);
  return (prefix === "" ? name : `${prefix}/${name}`).replace(/^\.\//, "");
}

function textAt(header: Buffer, at: number, length: number): string {
  return header.toString("utf8", at, at + length).split("\0", 1)[0] ?? "";
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, 60));
}
