import type { FileHandle } from "node:fs/promises";
import { open } from "../../kit/files/steady-fs.ts";
import { PACKET_BYTES, pidAt, SYNC } from "../../mpeg-ts/packets.ts";
import { unreadable } from "./file-inspection.ts";
import { EVIDENCE_LIMITS } from "./limits.ts";

export interface OverlapQuestion {
  /** The earlier file; may still have been growing when the second one began. */
  readonly first: string;
  readonly second: string;
  /** The PIDs of picture, sound and clock: tables repeat, and some receivers rewrite them. */
  readonly pids: ReadonlySet<number>;
}

export interface Overlap {
  /** Bytes of the first file before the overlap. */
  readonly bytesBefore: number;
  /** The overlap reaches from there to the second file's begin: nothing is missing between. */
  readonly isSeamless: boolean;
}

/**
 * Finds the end of the first file in the second one: every packet of the PIDs, byte for byte, in order; of a long end, one in a
 * thousand may be missing. `undefined` if its last packet is not there.
 *
 * @throws RecorderdError FILE_UNREADABLE
 */
export async function findOverlap({ first, second, pids }: OverlapQuestion): Promise<Overlap | undefined> {
  const end = await readPart(first, "end");
  const beginning = await readPart(second, "beginning");
  const found = compareEnds(end.bytes, beginning.bytes, pids);
  if (found !== undefined) return { ...found, bytesBefore: end.from + found.bytesBefore };
  return beginning.bytes.length < EVIDENCE_LIMITS.overlapBytes
    ? undefined
    : await findLongOverlap({ first, second, pids }, beginning.bytes);
}

/** The same for an overlap that is too long for the memory: a capture went on for minutes although its attempt was given up. */
async function findLongOverlap(
  { first, second, pids }: OverlapQuestion,
  beginning: Buffer,
): Promise<Overlap | undefined> {
  const places = packetsOf(beginning, pids);
  for (const number of ANCHORS) {
    const place = places[number];
    if (place === undefined) continue;
    const stop = place + PACKET_BYTES;
    const anchor = await lastPlace(first, beginning.subarray(place, stop), second);
    if (anchor === undefined) continue;
    if (!(await contains({ file: second, from: place }, { file: first, from: anchor }, pids)))
      return undefined;
    const before = await readPart(first, { stop: anchor + PACKET_BYTES });
    const found = compareEnds(before.bytes, beginning.subarray(0, stop), pids);
    return found && { ...found, bytesBefore: before.from + found.bytesBefore };
  }
  return undefined;
}

/** Packets of the second file to look for in the first, which may have lost one of them. */
const ANCHORS = [0, 1000, 5000] as const;

/**
 * Whether the first file has all that the second one has: its capture outlived that one.
 *
 * @throws RecorderdError FILE_UNREADABLE
 */
export async function isWithin({ first, second, pids }: OverlapQuestion): Promise<boolean> {
  const { bytes } = await readPart(second, "beginning");
  const places = packetsOf(bytes, pids);
  for (const number of FIRST_PACKETS) {
    const place = places[number];
    if (place === undefined) continue;
    const from = await lastPlace(first, bytes.subarray(place, place + PACKET_BYTES), first);
    if (from !== undefined) return await contains({ file: first, from }, { file: second, from: place }, pids);
  }
  return false;
}

/** The first packet, and others in its place if the first file has lost it. */
const FIRST_PACKETS = [0, 1, 10] as const;

interface Part {
  /** Offset in the file. */
  readonly from: number;
  readonly bytes: Buffer;
}

async function readPart(file: string, which: "end" | "beginning" | { readonly stop: number }): Promise<Part> {
  return await reading(file, async (handle) => {
    const { size } = await handle.stat();
    const stop = which === "end" ? size : which === "beginning" ? EVIDENCE_LIMITS.overlapBytes : which.stop;
    const from = which === "beginning" ? 0 : Math.max(0, stop - EVIDENCE_LIMITS.overlapBytes);
    return { from, bytes: await bytesOf(handle, from, Math.min(size, stop) - from) };
  });
}

async function bytesOf(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, { length, position });
  return bytes.subarray(0, bytesRead);
}

async function reading<T>(file: string, read: (handle: FileHandle) => Promise<T>): Promise<T> {
  try {
    await using handle = await open(file, "r");
    return await read(handle);
  } catch (error) {
    throw unreadable(file, error instanceof Error ? error.message : String(error), error);
  }
}

/** The last place of a packet in the first file, as far from its end as the second one is long. */
async function lastPlace(first: string, packet: Buffer, second: string): Promise<number | undefined> {
  const { size: longest } = await reading(second, (handle) => handle.stat());
  return await reading(first, async (handle) => {
    const { size } = await handle.stat();
    const least = Math.max(0, size - longest);
    for (let stop = size; stop > least; ) {
      const from = Math.max(least, stop - EVIDENCE_LIMITS.overlapBytes);
      const place = (await bytesOf(handle, from, stop - from)).lastIndexOf(packet);
      if (place >= 0) return from + place;
      // It may lie across the border of two parts.
      stop = from === least ? from : from + PACKET_BYTES - 1;
    }
    return undefined;
  });
}

interface Rest {
  readonly file: string;
  readonly from: number;
}

/**
 * Whether the rest of one file has the packets of the other's, in order, up to its last one. It may lack one in a thousand: a receiver
 * that lost a single packet must not make minutes of a recording play twice.
 */
async function contains(whole: Rest, part: Rest, pids: ReadonlySet<number>): Promise<boolean> {
  return await reading(whole.file, async (wholeHandle) =>
    reading(part.file, async (partHandle) => {
      const others = new Ahead(mediaPackets(wholeHandle, whole.from, pids));
      let [all, lacking] = [0, 0];
      let missed: Buffer[] = [];
      for await (const packet of mediaPackets(partHandle, part.from, pids)) {
        all += 1;
        const isThere = await others.skipTo(packet);
        if (!isThere) missed.push(packet);
        if (isThere || missed.length === IN_A_ROW_MAX) {
          // So many are not lost one by one: the other file has more in between.
          lacking += isThere ? missed.length : await others.lackingOf(missed);
          missed = [];
        }
        if (!isThere && others.isOver) return false;
      }
      return missed.length === 0 && lacking <= all / PACKETS_FOR_ONE_LACKING;
    }),
  );
}

const PACKETS_FOR_ONE_LACKING = 1000;
const IN_A_ROW_MAX = 50;
/** Packets among which a packet is looked for. */
const LOOK_AHEAD = 2000;

/** The packets of a file, of which some are looked at before their turn. */
class Ahead {
  readonly #packets: AsyncGenerator<Buffer, void>;
  readonly #seen: Buffer[] = [];
  #hasEnded = false;

  constructor(packets: AsyncGenerator<Buffer, void>) {
    this.#packets = packets;
  }

  /** Whether none is left. */
  get isOver(): boolean {
    return this.#hasEnded && this.#seen.length === 0;
  }

  /** Goes behind an equal packet if there is one soon; otherwise stays where it is. @returns whether there is one */
  async skipTo(packet: Buffer): Promise<boolean> {
    for (let place = 0; place < LOOK_AHEAD; place += 1) {
      const next = this.#seen[place] ?? (await this.#look());
      if (next === undefined) return false;
      if (!next.equals(packet)) continue;
      this.#seen.splice(0, place + 1);
      return true;
    }
    return false;
  }

  /** Goes behind the first of these packets, wherever it is, or to the end. @returns how many of the others do not follow soon */
  async lackingOf([first, ...others]: readonly Buffer[]): Promise<number> {
    for (;;) {
      const next = this.#seen[0] ?? (await this.#look());
      if (next === undefined) return others.length + 1;
      this.#seen.shift();
      if (first !== undefined && next.equals(first)) break;
    }
    let lacking = 0;
    for (const packet of others) if (!(await this.skipTo(packet))) lacking += 1;
    return lacking;
  }

  async #look(): Promise<Buffer | undefined> {
    const next = await this.#packets.next();
    if (next.done === true) {
      this.#hasEnded = true;
      return undefined;
    }
    this.#seen.push(next.value);
    return next.value;
  }
}

/** Whole packets of the PIDs, from `from` to the end of the file. */
async function* mediaPackets(
  handle: FileHandle,
  from: number,
  pids: ReadonlySet<number>,
): AsyncGenerator<Buffer, void> {
  let rest = Buffer.alloc(0);
  for (let position = from; ; ) {
    const read = await bytesOf(handle, position, READ_BYTES);
    position += read.length;
    const bytes = Buffer.concat([rest, read]);
    const isLast = read.length === 0;
    // A packet shows by the begin of the next one; the last packet of the file has none.
    const whole = isLast ? bytes.length : bytes.length - 2 * PACKET_BYTES;
    const places = packetsOf(bytes, pids).filter((place) => place < whole);
    for (const place of places) yield bytes.subarray(place, place + PACKET_BYTES);
    if (isLast) return;
    const last = places.at(-1);
    // The next part begins with a packet, too.
    rest = Buffer.from(bytes.subarray(last === undefined ? Math.max(0, whole) : last + PACKET_BYTES));
  }
}

const READ_BYTES = 1024 * 1024;

/** Matches packets backwards from the last one; each must lie before the match of its successor. */
function compareEnds(end: Buffer, beginning: Buffer, pids: ReadonlySet<number>): Overlap | undefined {
  const places = placesOf(beginning, pids);
  let at: number | undefined;
  let inBeginning = beginning.length;
  for (const packetAt of packetsOf(end, pids).toReversed()) {
    const found = places.get(contentOf(end, packetAt))?.findLast((place) => place < inBeginning);
    if (found === undefined) break;
    at = packetAt;
    inBeginning = found;
  }
  if (at === undefined) return undefined;
  const isSeamless = inBeginning === packetsOf(beginning, pids)[0];
  // Packets in between are in both too: tables, unless they are rewritten.
  while (isSame(end, at - PACKET_BYTES, beginning, inBeginning - PACKET_BYTES)) {
    at -= PACKET_BYTES;
    inBeginning -= PACKET_BYTES;
  }
  return { bytesBefore: at, isSeamless };
}

/** Positions of packets by content, ascending. */
function placesOf(bytes: Buffer, pids: ReadonlySet<number>): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const at of packetsOf(bytes, pids)) {
    const content = contentOf(bytes, at);
    const known = places.get(content);
    if (known === undefined) places.set(content, [at]);
    else known.push(at);
  }
  return places;
}

/** Positions of whole packets of the PIDs, ascending. */
function packetsOf(bytes: Buffer, pids: ReadonlySet<number>): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at + PACKET_BYTES <= bytes.length; ) {
    const next = at + PACKET_BYTES;
    const isPacket = bytes[at] === SYNC && (next === bytes.length || bytes[next] === SYNC);
    if (isPacket && pids.has(pidAt(bytes, at))) found.push(at);
    at = isPacket ? next : at + 1;
  }
  return found;
}

function contentOf(bytes: Buffer, at: number): string {
  return bytes.toString("latin1", at, at + PACKET_BYTES);
}

function isSame(a: Buffer, aAt: number, b: Buffer, bAt: number): boolean {
  if (aAt < 0 || bAt < 0) return false;
  return a.compare(b, bAt, bAt + PACKET_BYTES, aAt, aAt + PACKET_BYTES) === 0;
}
