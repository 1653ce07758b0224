import { crc32 } from "node:zlib";

/** Separates the value from its checksum; JSON never contains it. */
const BEFORE_SUM = "\t";

/** One line of text, with its checksum; without the line's end. */
export function lineOf(content: unknown): string {
  const json = JSON.stringify(content);
  return `${json}${BEFORE_SUM}${crc32(json)}`;
}

/** @returns `undefined` if the line is cut off or was changed: one that parses may still be damaged */
export function readLine(line: string): unknown {
  const [json = "", sum] = line.split(BEFORE_SUM);
  return sum === String(crc32(json)) ? JSON.parse(json) : undefined;
}

/** For a text whose SHA-256 is right. */
export function readUnchecked(line: string): unknown {
  const [json = ""] = line.split(BEFORE_SUM);
  return JSON.parse(json);
}
