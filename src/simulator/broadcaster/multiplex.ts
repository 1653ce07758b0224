import assert from "node:assert";
import { type EpochMs, SECOND } from "../../model/time.ts";
import {
  EIT,
  EIT_PACKETS,
  type Lane,
  NIT,
  NOTHING,
  PAT,
  PCR,
  PICTURE,
  PMT,
  SDT,
  SLOT_TICKS,
  SLOTS_PER_LOOP,
  SLOTS_PER_SECOND,
  SOUND,
  TDT,
} from "./lane.ts";
import type { EndlessStream } from "./listener.ts";
import { CLOCK_WRAP, PACKET_BYTES, stamp, writePcr, writePts } from "./packet.ts";
import { PresentFollowingTable, type Schedule } from "./present-following.ts";
import { sectionPackets } from "./section.ts";
import {
  type AiredService,
  EIT_PID,
  NIT_PID,
  nitSection,
  PAT_PID,
  patSection,
  pmtSection,
  SDT_PID,
  sdtSection,
  TDT_PID,
  tdtSection,
} from "./tables.ts";

/** A PAT of one packet can list this many; a limit of this simulation, not of the norm. */
export const SERVICES_MAX = 32;
/** A lane has 5 slots in 8 ms. */
const SLOTS = 5;
const SLOTS_MS = 8;
const PCR_PER_TICK = 300;
const PCR_OFFSET = 6;
const TICKS_PER_MS = 90;

/** The content on the air and its presentation. */
export interface Air {
  readonly lane: Lane;
  readonly schedule: Schedule;
  /** Version of PAT, PMT, NIT and SDT, 0 to 31; 0 when absent. */
  readonly version?: number;
  /** Lead of its clock (PCR, PTS) over UTC; none when absent. */
  readonly clockShiftMs?: number;
}

/**
 * An endless transport stream as a function of time: packet `n` is the same bytes whenever and however often it is made, and
 * belongs to one instant of UTC. Its clock (PCR) is UTC itself: 27 MHz ticks since 1970, modulo 2^33 · 300.
 *
 * With k services, packet n is that of service n mod k in slot ⌊n / k⌋ since 1970.
 */
export class Multiplex implements EndlessStream {
  readonly #lane: Lane;
  readonly #services: readonly AiredService[];
  /** In 90 kHz, not negative. */
  readonly #shiftTicks: number;
  readonly #pat: Buffer;
  readonly #nit: Buffer;
  readonly #pmts: readonly Buffer[];
  readonly #sdts: readonly Buffer[];
  readonly #eits: readonly PresentFollowingTable[];

  /** @param services 1 to 32, of one multiplex, with distinct PIDs and sids */
  constructor(services: readonly AiredService[], { lane, schedule, version = 0, clockShiftMs = 0 }: Air) {
    const [first] = services;
    assert(first !== undefined && services.length <= SERVICES_MAX, "a multiplex has 1 to 32 services");
    this.#lane = lane;
    this.#services = services;
    this.#shiftTicks = ((clockShiftMs * TICKS_PER_MS) % CLOCK_WRAP) + CLOCK_WRAP;
    this.#pat = onePacket(patSection({ tsid: first.triplet.tsid, version }, services));
    this.#nit = onePacket(nitSection({ ...first.triplet, version }, services));
    this.#pmts = services.map((service) => onePacket(pmtSection(service, version)));
    this.#sdts = services.map((_, index) => onePacket(sdtSection(services, { index, version })));
    this.#eits = services.map(({ triplet }) => new PresentFollowingTable(triplet, schedule));
  }

  indexAt(at: EpochMs): number {
    return Math.ceil((at * SLOTS * this.#services.length) / SLOTS_MS);
  }

  instantOf(index: number): EpochMs {
    return (index * SLOTS_MS) / (SLOTS * this.#services.length);
  }

  packets(from: number, to: number): Buffer {
    const bytes = Buffer.allocUnsafe((to - from) * PACKET_BYTES);
    for (let index = from; index < to; index += 1) this.#write(bytes, (index - from) * PACKET_BYTES, index);
    return bytes;
  }

  /** Runs for every packet of every reader: copies and stamps, with minimal allocation. */
  #write(bytes: Buffer, at: number, index: number): void {
    const count = this.#services.length;
    const slot = Math.floor(index / count);
    const nth = index - slot * count;
    const inLoop = slot % SLOTS_PER_LOOP;
    const loop = (slot - inLoop) / SLOTS_PER_LOOP;
    const lane = this.#lane;
    const kind = lane.kinds[inLoop] ?? NOTHING;
    const service = this.#services[nth];
    assert(service !== undefined, "a packet belongs to one of the services");
    const { pids } = service;
    /** Packets of this kind in this lane before this one, since 1970. */
    const before = loop * (lane.perLoop[kind === PCR ? PICTURE : kind] ?? 0) + (lane.before[inLoop] ?? 0);
    lane.packets.copy(bytes, at, inLoop * PACKET_BYTES, (inLoop + 1) * PACKET_BYTES);
    switch (kind) {
      case PICTURE:
        stamp(bytes, at, pids.picture, before);
        this.#writePts(bytes, at, slot);
        break;
      case SOUND:
        stamp(bytes, at, pids.sound, before);
        this.#writePts(bytes, at, slot);
        break;
      case PCR: {
        // Without payload the counter stays what it was. ISO/IEC 13818-1 §2.4.3.3.
        stamp(bytes, at, pids.picture, before - 1);
        const withinSlot = Math.round((SLOT_TICKS * PCR_PER_TICK * nth) / count);
        const base = (slot * SLOT_TICKS + this.#shiftTicks) % CLOCK_WRAP;
        writePcr(bytes, at + PCR_OFFSET, base * PCR_PER_TICK + withinSlot);
        break;
      }
      case PMT:
        this.#writeTable(bytes, at, { packet: this.#pmts[nth], pid: pids.pmt, counter: before });
        break;
      // The tables of all services share their PIDs. PAT, NIT and TDT are those of the whole stream, sent in the first lane.
      case PAT:
        if (nth === 0) this.#writeTable(bytes, at, { packet: this.#pat, pid: PAT_PID, counter: before });
        break;
      case NIT:
        if (nth === 0) this.#writeTable(bytes, at, { packet: this.#nit, pid: NIT_PID, counter: before });
        break;
      case TDT:
        if (nth === 0) this.#writeTime(bytes, at, { second: slot / SLOTS_PER_SECOND, counter: before });
        break;
      case SDT:
        this.#writeTable(bytes, at, {
          packet: this.#sdts[nth],
          pid: SDT_PID,
          counter: before * count + nth,
        });
        break;
      case EIT:
        this.#writeEvents(bytes, at, { slot, counter: before * count + nth });
        break;
    }
  }

  #writePts(bytes: Buffer, at: number, slot: number): void {
    const inLoop = slot % SLOTS_PER_LOOP;
    const offset = this.#lane.ptsOffsets[inLoop] ?? 0;
    if (offset === 0) return;
    writePts(bytes, at + offset, slot * SLOT_TICKS + this.#shiftTicks + (this.#lane.ptsAfter[inLoop] ?? 0));
  }

  #writeTable(
    bytes: Buffer,
    at: number,
    {
      packet,
      pid,
      counter,
    }: { readonly packet: Buffer | undefined; readonly pid: number; readonly counter: number },
  ): void {
    assert(packet !== undefined, "a slot of a table has its packet");
    packet.copy(bytes, at);
    stamp(bytes, at, pid, counter);
  }

  #writeTime(
    bytes: Buffer,
    at: number,
    { second, counter }: { readonly second: number; readonly counter: number },
  ): void {
    this.#writeTable(bytes, at, { packet: onePacket(tdtSection(second * SECOND)), pid: TDT_PID, counter });
  }

  /**
   * A section may not be interrupted, so the slots of all lanes together carry one service's sections first, then the next
   * one's.
   */
  #writeEvents(
    bytes: Buffer,
    at: number,
    { slot, counter }: { readonly slot: number; readonly counter: number },
  ): void {
    const second = Math.floor(slot / SLOTS_PER_SECOND);
    const inRound = counter % (EIT_PACKETS * this.#services.length);
    const packets = this.#eits[Math.floor(inRound / EIT_PACKETS)]?.packets(second);
    this.#writeTable(bytes, at, { packet: packets?.[inRound % EIT_PACKETS], pid: EIT_PID, counter });
  }
}

function onePacket(whole: Buffer): Buffer {
  const [packet] = sectionPackets(whole, 1);
  assert(packet !== undefined);
  return packet;
}
