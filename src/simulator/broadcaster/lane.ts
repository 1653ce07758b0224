import assert from "node:assert";
import type { Clip } from "./clip.ts";
import { nullPacket, PACKET_BYTES, pcrPacket } from "./packet.ts";
import { PTS_OFFSET, pictureUnits, soundUnits, type Unit } from "./pes.ts";

/**
 * A lane is the share of one service in a stream: one slot of a packet each 1.6 ms (940 kbit/s), the same in every loop of 8 s.
 * 625 slots are a second exactly, so that slot 0 of every loop and the time tables lie on full seconds.
 */
export const SLOTS_PER_LOOP = 5000;
export const SLOTS_PER_SECOND = 625;
/** In 90 kHz. */
export const SLOT_TICKS = 144;

/** The content of a slot. */
export const NOTHING = 0;
export const PICTURE = 1;
export const SOUND = 2;
export const PCR = 3;
export const PAT = 4;
export const PMT = 5;
export const SDT = 6;
export const TDT = 7;
export const EIT = 8;
export const NIT = 9;
const KINDS = 10;

/** Packets of one service's EIT present/following: two for each section. */
export const EIT_PACKETS = 4;
const EIT_SLOT = 70;
const LOOP_TICKS = SLOTS_PER_LOOP * SLOT_TICKS;
/** Delay from a picture's or sound's place in the loop to its presentation, in 90 kHz. */
const DELAY = 72_000;
/** How long before its presentation it may be sent: the buffer that a receiver must have. */
const PICTURE_AHEAD = 72_000;
const SOUND_AHEAD = 27_000;

export interface Lane {
  /** The content of each slot. */
  readonly kinds: Uint8Array;
  /** A packet template for each slot. Slots of tables hold null packets. */
  readonly packets: Buffer;
  /** Number of earlier slots of the same kind in the loop; for a PCR: of the picture. */
  readonly before: Uint16Array;
  /** Number of slots of each kind. */
  readonly perLoop: Uint16Array;
  /** Offset of a PTS within the packet, 0 for none, and how far after the slot it lies, in 90 kHz. */
  readonly ptsOffsets: Uint8Array;
  readonly ptsAfter: Int32Array;
}

/** PCR every 32 ms, PAT and PMT every 80 ms, SDT, NIT, TDT and EIT every second; no two in one slot. */
function reservedKind(slot: number): number {
  const inSecond = slot % SLOTS_PER_SECOND;
  if (inSecond === 0) return TDT;
  if (slot % 20 === 4) return PCR;
  if (slot % 50 === 1) return PAT;
  if (slot % 50 === 2) return PMT;
  if (inSecond === 30) return SDT;
  if (inSecond === 40) return NIT;
  return inSecond >= EIT_SLOT && inSecond < EIT_SLOT + EIT_PACKETS ? EIT : NOTHING;
}

/** Distributes the clip over one loop. */
export function layOut(clip: Clip): Lane {
  const kinds = Uint8Array.from({ length: SLOTS_PER_LOOP }, (_, slot) => reservedKind(slot));
  const lane: Lane = {
    kinds,
    packets: Buffer.concat(Array.from(kinds, (kind) => (kind === PCR ? pcrPacket() : nullPacket()))),
    before: new Uint16Array(SLOTS_PER_LOOP),
    perLoop: new Uint16Array(KINDS),
    ptsOffsets: new Uint8Array(SLOTS_PER_LOOP),
    ptsAfter: new Int32Array(SLOTS_PER_LOOP),
  };
  fillSlots(lane, [
    { kind: PICTURE, parts: parts(pictureUnits(clip), PICTURE_AHEAD), sent: 0 },
    { kind: SOUND, parts: parts(soundUnits(clip), SOUND_AHEAD), sent: 0 },
  ]);
  count(lane);
  return lane;
}

/** A packet of an elementary stream, with its earliest and latest send time in the loop, in 90 kHz. */
interface Part {
  readonly packet: Buffer;
  readonly opens: number;
  readonly due: number;
  readonly startsUnit: boolean;
}

function parts(units: readonly Unit[], ahead: number): readonly Part[] {
  return units.flatMap(({ ticks, packets }) =>
    packets.map((packet, index) => ({
      packet,
      opens: ticks + DELAY - ahead,
      due: ticks + DELAY,
      startsUnit: index === 0,
    })),
  );
}

/** Sends its parts in order, loop after loop. */
interface Sender {
  readonly kind: number;
  readonly parts: readonly Part[];
  /** Over all loops. */
  sent: number;
}

/**
 * Fills the free slots, earliest deadline first. Parts of one loop may be sent in the next, so a first loop determines the
 * carry-over, and the second one is laid out; it must leave the same carry-over.
 */
function fillSlots(lane: Lane, senders: readonly Sender[]): void {
  const free = Array.from(lane.kinds, (kind) => kind === NOTHING);
  const behind = [0, 1].map((loop) => {
    for (let slot = 0; slot < SLOTS_PER_LOOP; slot += 1) {
      const next = free[slot] === true ? nextPart(senders, loop * LOOP_TICKS + slot * SLOT_TICKS) : undefined;
      if (next !== undefined && loop === 1) put(lane, { slot, ...next });
    }
    return senders.map(({ parts, sent }) => sent - (loop + 1) * parts.length);
  });
  assert.deepEqual(behind[1], behind[0], "the clip does not fit: each loop leaves more behind");
}

interface SentPart {
  readonly kind: number;
  readonly part: Part;
  /** From now until it is due, in 90 kHz. */
  readonly after: number;
}

/** Takes the next part of the sender that is most urgent, if any may send at `now` (90 kHz). */
function nextPart(senders: readonly Sender[], now: number): SentPart | undefined {
  let chosen: { readonly sender: Sender; readonly part: Part; readonly after: number } | undefined;
  for (const sender of senders) {
    const loop = Math.floor(sender.sent / sender.parts.length);
    const part = sender.parts[sender.sent % sender.parts.length];
    if (part === undefined || part.opens + loop * LOOP_TICKS > now) continue;
    const after = part.due + loop * LOOP_TICKS - now;
    if (chosen === undefined || after < chosen.after) chosen = { sender, part, after };
  }
  if (chosen === undefined) return undefined;
  const { sender, part, after } = chosen;
  sender.sent += 1;
  assert(after > SLOT_TICKS, "the clip does not fit: a part of it comes too late");
  return { kind: sender.kind, part, after };
}

function put(lane: Lane, { slot, kind, part, after }: SentPart & { readonly slot: number }): void {
  lane.kinds[slot] = kind;
  part.packet.copy(lane.packets, slot * PACKET_BYTES);
  if (!part.startsUnit) return;
  lane.ptsOffsets[slot] = payloadOffset(part.packet) + PTS_OFFSET;
  lane.ptsAfter[slot] = after;
}

function payloadOffset(packet: Buffer): number {
  const hasAdaptation = ((packet[3] ?? 0) & 0x20) !== 0;
  return hasAdaptation ? 5 + (packet[4] ?? 0) : 4;
}

function count(lane: Lane): void {
  for (const [slot, kind] of lane.kinds.entries()) {
    const counted = kind === PCR ? PICTURE : kind;
    lane.before[slot] = lane.perLoop[counted] ?? 0;
    lane.perLoop[kind] = (lane.perLoop[kind] ?? 0) + 1;
  }
}
