import { crc32 } from "node:zlib";

/** At the end of the text, so that it can be written in chunks. */
const SUM = /,"crc32":(\d{1,10})\}$/;

/** The text of a JSON object in chunks, with the CRC-32 of the preceding text as its last property. */
export function* withChecksum(pieces: Iterable<string>): Generator<string, void, undefined> {
  let sum = 0;
  let last = "";
  for (const piece of pieces) {
    sum = crc32(last, sum);
    if (last !== "") yield last;
    last = piece;
  }
  const rest = last.slice(0, -1);
  yield `${rest},"crc32":${crc32(rest, sum)}}`;
}

/**
 * Checks that a text is unchanged: one that parses may still be damaged.
 *
 * @returns whether there is a checksum; a text of an earlier program has none
 * @throws Error if the text was changed
 */
export function verifyChecksum(text: string): boolean {
  const found = SUM.exec(text);
  if (found === null) return false;
  if (crc32(text.slice(0, found.index)) !== Number(found[1]))
    throw new Error("it has changed since it was written");
  return true;
}
