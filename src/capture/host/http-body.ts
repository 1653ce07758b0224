/** Takes a piece of the body: `bytes[from]` to `bytes[to - 1]`. */
export type TakeBody = (bytes: Buffer, from: number, to: number) => void;

/** Reads the body of an answer out of what comes after its head. */
export interface BodyReader {
  /** @returns whether the body has ended */
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
/** The length of a chunk with its extensions. */
const LINE_LENGTH_MAX = 1024;

/**
 * A body in chunks (RFC 9112 §7.1). Its trailer is not read.
 *
 * @throws Error where it is none
 */
export function chunkedBody(take: TakeBody): BodyReader {
  /** Of the chunk that is read, with the line end behind it. */
  let left = 0;
  let line = "";

  function lengthOf(text: string): number {
    const digits = /^\s*([0-9a-f]{1,12})\s*(;|$)/i.exec(text.trimEnd())?.[1];
    if (digits === undefined) throw new Error("the answer is not in chunks, as it says");
    return Number.parseInt(digits, 16);
  }

  return {
    read(bytes, from, to) {
      for (let at = from; at < to; ) {
        if (left > 2) {
          const end = Math.min(to, at + left - 2);
          take(bytes, at, end);
          left -= end - at;
          at = end;
        } else if (left > 0) {
          const end = Math.min(to, at + left);
          left -= end - at;
          at = end;
        } else {
          const found = bytes.indexOf(LINE_FEED, at);
          const end = found < 0 || found >= to ? to : found + 1;
          line += bytes.toString("latin1", at, end);
          at = end;
          if (line.length > LINE_LENGTH_MAX) throw new Error("the answer is not in chunks, as it says");
          if (!line.endsWith("\n")) continue;
          const length = lengthOf(line);
          line = "";
          if (length === 0) return true;
          left = length + 2;
        }
      }
      return false;
    },
  };
}
