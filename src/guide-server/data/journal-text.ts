import { crc32 } from "node:zlib";
import { RecorderdError } from "../../model/errors.ts";

/*
 * The text of a journal, which held the records before they had a database: lines of `<checksum> <JSON>`. The first
 * line gives the number of snapshot entries that follow; each line after them is a group of changes written together.
 * Every checksum (CRC-32, eight hexadecimal digits) continues that of the line before, so that a missing or misplaced
 * line is detected like a damaged one.
 */

const FORMAT = "recorderd guide journal";
/**
 * Version 1 had one password for each account (data/upgrade.ts). Versions 1 and 2 did not record the device of
 * services and logs.
 */
const VERSION = 4;

interface Header {
  readonly format: string;
  readonly version: number;
  /** Lines of the snapshot, written together and synced before the file got its name. */
  readonly snapshot: number;
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, "0");
}

export interface JournalContent {
  /** The entries after the header, in order, each with its line number in the file. */
  readonly entries: readonly { readonly line: number; readonly value: unknown }[];
  /** The length of an unacknowledged group that a crash cut off. */
  readonly tornBytes: number;
  /** The version of the program that began the file. */
  readonly version: number;
}

/**
 * Reads a journal. A torn last group is left out: its end is missing or, after a power loss, parts of it are zeros
 * and no valid line follows. Any other difference from the written text is damage.
 *
 * @throws RecorderdError STORE_DAMAGED naming file and line, STORE_TOO_NEW
 */
export function readJournal(bytes: Buffer, file: string): JournalContent {
  const entries: { readonly line: number; readonly value: unknown }[] = [];
  let checksum = 0;
  let snapshot = 0;
  let version = VERSION;
  let at = 0;
  for (let line = 1; at < bytes.length; line += 1) {
    const read = readLine(bytes, at, checksum);
    if (read === undefined) {
      const rest = bytes.subarray(at);
      if (line === 1 || entries.length < snapshot || !isTorn(rest)) throw damaged(file, line);
      return { entries, tornBytes: rest.length, version };
    }
    if (line === 1) ({ snapshot, version } = headerOf(read.value, file));
    else entries.push({ line, value: read.value });
    checksum = read.checksum;
    at = read.next;
  }
  if (at === 0 || entries.length < snapshot) throw damaged(file, entries.length + 2);
  return { entries, tornBytes: 0, version };
}

interface Line {
  readonly value: unknown;
  readonly checksum: number;
  readonly next: number;
}

function readLine(bytes: Buffer, at: number, before: number): Line | undefined {
  const end = bytes.indexOf(0x0a, at);
  if (end < at + 10) return undefined;
  const json = bytes.subarray(at + 9, end);
  const checksum = crc32(json, before);
  if (bytes.toString("latin1", at, at + 9) !== `${hex(checksum)} `) return undefined;
  return { value: JSON.parse(json.toString("utf8")), checksum, next: end + 1 };
}

/**
 * Without a line end the write was cut off. Zeros without a valid line after them mean that the file grew before its
 * content was on the disk.
 */
function isTorn(rest: Buffer): boolean {
  if (!rest.includes(0x0a)) return true;
  return rest.includes(0x00) && !hasGoodLine(rest);
}

/** Whether a line after the first is intact, checked against the checksum of the line before it. */
function hasGoodLine(rest: Buffer): boolean {
  let before = 0;
  for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a, end + 1)) {
    const checksum = Number.parseInt(rest.toString("latin1", before, before + 8), 16) || 0;
    if (readLine(rest, end + 1, checksum) !== undefined) return true;
    before = end + 1;
  }
  return false;
}

function headerOf(value: unknown, file: string): Pick<Header, "snapshot" | "version"> {
  const { format, version, snapshot } = value as Partial<Header>;
  if (format !== FORMAT || typeof version !== "number" || version < 1 || typeof snapshot !== "number") {
    throw new RecorderdError(
      "STORE_DAMAGED",
      `${file}, line 1: this is not a guide journal. Use the program that wrote it, or another folder.`,
      { file, line: 1 },
    );
  }
  if (version <= VERSION) return { snapshot, version };
  throw new RecorderdError(
    "STORE_TOO_NEW",
    `${file} was written by a later version: use that one, or another folder.`,
    { file },
  );
}

export function damaged(file: string, line: number): RecorderdError {
  return new RecorderdError(
    "STORE_DAMAGED",
    `${file}, line ${line}: this acknowledged line is damaged. Put a backup in its place, or move the file away to start without it.`,
    { file, line },
  );
}
