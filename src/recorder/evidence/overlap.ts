import { open } from "node:fs/promises";
import { LIMITS } from "../../model/limits.ts";
import { PACKET_BYTES, pidAt, SYNC } from "../../mpeg-ts/packets.ts";
import { unreadable } from "./file-inspection.ts";

export interface OverlapQuestion {
  /** Written first, and perhaps still being written when the second one began. */
  readonly first: string;
  readonly second: string;
  /** Of picture, sound and clock: tables are sent again and again, and some receivers make them anew. */
  readonly pids: ReadonlySet<number>;
}

export interface Overlap {
  /** So many bytes of the first file come before what is in the second one too. */
  readonly bytesBefore: number;
  /** What follows them in the first file is what the second one begins with: nothing is missing between. */
  readonly isSeamless: boolean;
}

/**
 * The end of the first file, as far as it is in the second one too: every packet of the PIDs, byte for byte and in the same order.
 * `undefined` where its last packet is not in there.
 *
 * At most `LIMITS.overlapBytes` of either are looked at; of a longer overlap some stays in both.
 *
 * @throws RecorderdError FILE_UNREADABLE
 */
export async function findOverlap({ first, second, pids }: OverlapQuestion): Promise<Overlap | undefined> {
  const end = await readPart(first, "end");
  const beginning = await readPart(second, "beginning");
  const found = compared(end.bytes, beginning.bytes, pids);
  return found === undefined ? undefined : { ...found, bytesBefore: end.from + found.bytesBefore };
}

interface Part {
  /** Where in the file it begins. */
  readonly from: number;
  readonly bytes: Buffer;
}

async function readPart(file: string, which: "end" | "beginning"): Promise<Part> {
  try {
    await using handle = await open(file, "r");
    const { size } = await handle.stat();
    const length = Math.min(size, LIMITS.overlapBytes);
    const from = which === "end" ? size - length : 0;
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await handle.read(bytes, { length, position: from });
    return { from, bytes: bytes.subarray(0, bytesRead) };
  } catch (error) {
    throw unreadable(file, error instanceof Error ? error.message : String(error), error);
  }
}

/** From the last packet backwards, each one is looked for before the place where the one after it was found. */
function compared(end: Buffer, beginning: Buffer, pids: ReadonlySet<number>): Overlap | undefined {
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
  // What is between them is in both as well: tables, where they are not made anew.
  while (isSame(end, at - PACKET_BYTES, beginning, inBeginning - PACKET_BYTES)) {
    at -= PACKET_BYTES;
    inBeginning -= PACKET_BYTES;
  }
  return { bytesBefore: at, isSeamless };
}

/** Where packets of each content are, ascending. */
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

/** Where whole packets of the PIDs are, ascending. */
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
