/** Takes a piece of the body: `bytes[from]` to `bytes[to - 1]`. */
export type TakeBody = (bytes: Buffer, from: number, to: number) => void;

/** Reads the body of an answer out of what comes after its head. */
export interface BodyReader {
  /**
   * May move what is in `bytes`.
   *
   * @returns whether the body has ended
   */
  read(bytes: Buffer, from: number, to: number): boolean;
}

/** @param lengthBytes `undefined` where the body ends with the connection */
export function plainBody(lengthBytes: number | undefined, take: TakeBody): BodyReader {
  let left = lengthBytes ?? Number.POSITIVE_INFINITY;
  return {
    read(bytes, from, to) {
      const end = Math.min(to, from + left);
      left -= end - from;
      if (end > from) take(bytes, from, end);
      return left === 0;
    },
  };
}

const LINE_FEED = 0x0a;
const SEMICOLON = 0x3b;
/** Of the length of a chunk with its extensions, and of the digits in it. */
const LINE_BYTES_MAX = 1024;
const DIGITS_MAX = 12;

/**
 * A body in chunks (RFC 9112 §7.1). Its trailer is not read. What came of many small chunks is moved together and taken at once: taking
 * it costs more than moving it.
 *
 * @throws Error where it is none
 */
export function chunkedBody(take: TakeBody): BodyReader {
  /** Of the chunk that is read, with the line end behind it. */
  let left = 0;
  let line = new LengthLine();

  return {
    read(bytes, from, to) {
      let gathered = from;
      try {
        for (let at = from; at < to; ) {
          if (left > 2) {
            const end = Math.min(to, at + left - 2);
            if (at > gathered) bytes.copyWithin(gathered, at, end);
            gathered += end - at;
            left -= end - at;
            at = end;
          } else if (left > 0) {
            const end = Math.min(to, at + left);
            left -= end - at;
            at = end;
          } else {
            const isWhole = line.take(bytes[at] ?? 0);
            at += 1;
            if (!isWhole) continue;
            if (line.length === 0) return true;
            left = line.length + 2;
            line = new LengthLine();
          }
        }
        return false;
      } finally {
        if (gathered > from) take(bytes, from, gathered);
      }
    },
  };
}

/** The line with a chunk's length. Read byte by byte: a text for each of many small chunks would cost more than all else. */
class LengthLine {
  length = 0;
  #bytes = 0;
  #digits = 0;
  #part: "before" | "digits" | "behind" | "extension" = "before";

  /**
   * @returns whether it is whole with this byte
   * @throws Error where it is no such line
   */
  take(byte: number): boolean {
    this.#bytes += 1;
    if (this.#bytes > LINE_BYTES_MAX) throw notInChunks();
    if (byte === LINE_FEED) {
      if (this.#digits === 0) throw notInChunks();
      return true;
    }
    if (this.#part === "extension") return false;
    const digit = hexDigit(byte);
    if (digit !== undefined && this.#part !== "behind") this.#add(digit);
    else if (byte === SEMICOLON && this.#digits > 0) this.#part = "extension";
    else if (!isBlank(byte)) throw notInChunks();
    else if (this.#part === "digits") this.#part = "behind";
    return false;
  }

  #add(digit: number): void {
    this.#part = "digits";
    this.#digits += 1;
    if (this.#digits > DIGITS_MAX) throw notInChunks();
    this.length = this.length * 16 + digit;
  }
}

function notInChunks(): Error {
  return new Error("the answer is not in chunks, as it says");
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = (byte | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : undefined;
}

/** Space, and tab to carriage return. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
