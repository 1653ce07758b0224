import { open } from "node:fs/promises";
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
 * Finds the end of the first file in the second one: every packet of the PIDs, byte for byte, in order. `undefined` if its last
 * packet is not there.
 *
 * It searches at most `EVIDENCE_LIMITS.overlapBytes` of each; the rest of a longer overlap stays in both.
 *
 * @throws RecorderdError FILE_UNREADABLE
 */
export async function findOverlap({ first, second, pids }: OverlapQuestion): Promise<Overlap | undefined> {
  const end = await readPart(first, "end");
  const beginning = await readPart(second, "beginning");
  const found = compareEnds(end.bytes, beginning.bytes, pids);
  return found === undefined ? undefined : { ...found, bytesBefore: end.from + found.bytesBefore };
}

interface Part {
  /** Offset in the file. */
  readonly from: number;
  readonly bytes: Buffer;
}

async function readPart(file: string, which: "end" | "beginning"): Promise<Part> {
  try {
    await using handle = await open(file, "r");
    const { size } = await handle.stat();
    const length = Math.min(size, EVIDENCE_LIMITS.overlapBytes);
    const from = which === "end" ? size - length : 0;
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await handle.read(bytes, { length, position: from });
    return { from, bytes: bytes.subarray(0, bytesRead) };
  } catch (error) {
    throw unreadable(file, error instanceof Error ? error.message : String(error), error);
  }
}

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
