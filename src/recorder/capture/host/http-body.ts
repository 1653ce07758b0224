/** Receives a part of the body: `bytes[from]` to `bytes[to - 1]`. */
export type TakeBody = (bytes: Buffer, from: number, to: number) => void;

/** Reads the body of an answer from the bytes after its head. */
export interface BodyReader {
  /**
   * May move the content of `bytes`.
   *
   * @returns whether the body has ended
   */
  read(bytes: Buffer, from: number, to: number): boolean;
}

/** @param lengthBytes `undefined` if the body ends with the connection */
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
/** Limits for the line with a chunk's length and extensions, and for its digits. */
const LINE_BYTES_MAX = 1024;
const DIGITS_MAX = 12;

/**
 * Reads a chunked body (RFC 9112 §7.1); ignores its trailer. Content of many small chunks is moved together and passed on at once:
 * a call costs more than moving bytes.
 *
 * @throws Error if the body is not chunked
 */
export function chunkedBody(take: TakeBody): BodyReader {
  /** Bytes left of the current chunk, including its line end. */
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

/** Reads the line with a chunk's length byte by byte: with many small chunks, a string per line would dominate the cost. */
class LengthLine {
  length = 0;
  #bytes = 0;
  #digits = 0;
  #part: "before" | "digits" | "behind" | "extension" = "before";

  /**
   * @returns whether this byte completes the line
   * @throws Error if it is no such line
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
  return new Error("the answer is not chunked as declared");
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = (byte | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : undefined;
}

/** Space, or tab to carriage return. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
