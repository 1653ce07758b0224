import type { DurationMs, EpochMs } from "../../model/time.ts";
import { contains, type Window } from "../../model/window.ts";
import type { EndlessStream } from "./listener.ts";
import { type Air, Multiplex } from "./multiplex.ts";
import { PACKET_BYTES } from "./packet.ts";
import type { AiredService } from "./tables.ts";

/** A fault of one service's requests: each of the next `times` requests has it. */
export type RequestMishap =
  | { readonly kind: "refused"; readonly status: number; readonly times: number }
  /** Accepted but never answered: a connection without a server behind it. */
  | { readonly kind: "half-open"; readonly times: number }
  /** Answered at once; the first packet comes after `ms`. */
  | { readonly kind: "slow-start"; readonly ms: DurationMs; readonly times: number }
  /** Answered with another service: tables, picture and sound. */
  | { readonly kind: "wrong-service"; readonly service: AiredService["triplet"]; readonly times: number };

/** A fault of one service's stream. Instants are broadcast time, the same for every reader. */
export type StreamMishap =
  /** Streams that are open then send nothing more, and stay open. */
  | { readonly kind: "stall"; readonly at: EpochMs }
  /** Streams that are open then break off. */
  | { readonly kind: "disconnect"; readonly at: EpochMs }
  /** Each n-th picture packet of a stream is not sent. */
  | { readonly kind: "loss"; readonly every: number; readonly during: Window }
  /** Streams that are open then lose each n-th picture packet from then on. */
  | { readonly kind: "worn"; readonly at: EpochMs; readonly every: number }
  /** Each n-th picture packet has no sync byte. */
  | { readonly kind: "sync-damage"; readonly every: number; readonly during: Window }
  /** Picture and sound are scrambled and flagged as such (transport_scrambling_control). */
  | { readonly kind: "scrambled"; readonly during: Window }
  /** Picture and sound are scrambled but not flagged; from the start of one picture or sound unit to that of another. */
  | { readonly kind: "masked"; readonly during: Window }
  /** PCR and PTS jump without an announcement. */
  | { readonly kind: "clock-jump"; readonly at: EpochMs; readonly byMs: DurationMs }
  /** Picture and sound move to other PIDs, in a new version of the PMT. */
  | { readonly kind: "pids-move"; readonly at: EpochMs }
  /** The PMT moves to another PID, in a new version of the PAT. */
  | { readonly kind: "pmt-moves"; readonly at: EpochMs };

export type Mishap = RequestMishap | StreamMishap;

/** Damaged and missing packets of one service, over all readers. */
export interface Damage {
  lost: number;
  syncDamaged: number;
  scrambled: number;
  /** Broadcast time of each stream's first packet. */
  readonly began: EpochMs[];
}

/** Offset of moved PIDs: beyond those of 32 services. */
const PIDS_APART = 0x800;
const FOREVER = Number.POSITIVE_INFINITY;
const EVEN_KEY = 0x80;
const HAS_PAYLOAD = 0x10;

/** A service on the air, with its faults. */
export class ServiceMishaps {
  readonly damage: Damage = { lost: 0, syncDamaged: 0, scrambled: 0, began: [] };
  readonly #service: AiredService;
  readonly #air: Air;
  readonly #requests: { readonly mishap: RequestMishap; left: number }[] = [];
  readonly #stream: StreamMishap[] = [];

  constructor(service: AiredService, air: Air) {
    this.#service = service;
    this.#air = air;
  }

  add(mishap: Mishap): void {
    if ("times" in mishap) this.#requests.push({ mishap, left: mishap.times });
    else this.#stream.push(mishap);
  }

  /** The fault of the current request. */
  request(): RequestMishap | undefined {
    const next = this.#requests.find(({ left }) => left > 0);
    if (next !== undefined) next.left -= 1;
    return next?.mishap;
  }

  /** Time at which a stream opened at `now` breaks off. */
  breaksOffAt(now: EpochMs): EpochMs {
    const instants = this.#stream.flatMap((mishap) => (mishap.kind === "disconnect" ? [mishap.at] : []));
    return Math.min(FOREVER, ...instants.filter((at) => at > now));
  }

  /** The stream for a reader that connects at `now`. */
  stream(sound: EndlessStream, now: EpochMs): EndlessStream {
    if (this.#stream.length === 0) return sound;
    const broadcasts = this.#stream.flatMap((mishap) => this.#broadcast(mishap));
    const damages = this.#stream.flatMap((mishap) => this.#damage(mishap, now));
    return {
      indexAt: (at) => sound.indexAt(at),
      instantOf: (index) => sound.instantOf(index),
      packets: (from, to) => {
        const parts: Buffer[] = [];
        for (let index = from; index < to; index += 1) {
          const at = sound.instantOf(index);
          const source = broadcasts.findLast(({ during }) => contains(during, at))?.stream ?? sound;
          const packet = source.packets(index, index + 1);
          if (damages.every((damage) => damage(packet, at))) parts.push(packet);
        }
        return Buffer.concat(parts);
      },
    };
  }

  /** The stream for a reader that gets another service than requested. */
  wrongServiceStream(triplet: AiredService["triplet"]): EndlessStream {
    return this.#other({ triplet, name: `Not ${this.#service.name}` }, { version: 1 });
  }

  #other(change: Partial<AiredService>, air: Partial<Air> = {}): EndlessStream {
    return new Multiplex([{ ...this.#service, ...change }], { ...this.#air, ...air });
  }

  /** The replacement streams of a fault, with their times. */
  #broadcast(mishap: StreamMishap): readonly { readonly during: Window; readonly stream: EndlessStream }[] {
    const { triplet, pids } = this.#service;
    const { pmt, picture, sound } = pids;
    const other = (change: Partial<AiredService>, air?: Partial<Air>) => this.#other(change, air);
    switch (mishap.kind) {
      case "clock-jump":
        return [{ during: from(mishap.at), stream: other({ triplet }, { clockShiftMs: mishap.byMs }) }];
      case "pids-move": {
        const moved = { pmt, picture: picture + PIDS_APART, sound: sound + PIDS_APART };
        return [{ during: from(mishap.at), stream: other({ pids: moved }, { version: 1 }) }];
      }
      case "pmt-moves": {
        const moved = { pmt: pmt + PIDS_APART, picture, sound };
        return [{ during: from(mishap.at), stream: other({ pids: moved }, { version: 1 }) }];
      }
      default:
        return [];
    }
  }

  /** The effect of a fault on each packet; `false`: the packet is not sent. */
  #damage(mishap: StreamMishap, now: EpochMs): readonly ((packet: Buffer, at: EpochMs) => boolean)[] {
    const { damage } = this;
    switch (mishap.kind) {
      case "stall":
        return now < mishap.at ? [(_packet, at) => at < mishap.at] : [];
      case "worn":
        if (now >= mishap.at) return [];
        return this.#damage({ kind: "loss", every: mishap.every, during: from(mishap.at) }, now);
      case "loss":
      case "sync-damage": {
        let pictures = 0;
        return [
          (packet, at) => {
            if (!contains(mishap.during, at) || !this.#isPicture(packet)) return true;
            pictures += 1;
            if (pictures % mishap.every !== 0) return true;
            if (mishap.kind === "loss") {
              damage.lost += 1;
              return false;
            }
            damage.syncDamaged += 1;
            packet[0] = 0;
            return true;
          },
        ];
      }
      case "scrambled":
        return [
          (packet, at) => {
            if (!contains(mishap.during, at) || !this.#carries(packet)) return true;
            damage.scrambled += 1;
            scramble(packet);
            return true;
          },
        ];
      case "masked": {
        const masked = new Map<number, boolean>();
        return [
          (packet, at) => {
            if (!this.#carries(packet)) return true;
            const pid = pidOf(packet);
            if (beginsUnit(packet) || !masked.has(pid)) masked.set(pid, contains(mishap.during, at));
            if (masked.get(pid) !== true) return true;
            damage.scrambled += 1;
            garble(packet);
            return true;
          },
        ];
      }
      default:
        return [];
    }
  }

  #isPicture(packet: Buffer): boolean {
    return pidOf(packet) === this.#service.pids.picture && hasPayload(packet);
  }

  #carries(packet: Buffer): boolean {
    return this.#isPicture(packet) || pidOf(packet) === this.#service.pids.sound;
  }
}

function from(start: EpochMs): Window {
  return { start, stop: FOREVER };
}

function pidOf(packet: Buffer): number {
  return packet.readUInt16BE(1) & 0x1fff;
}

function hasPayload(packet: Buffer): boolean {
  return ((packet[3] ?? 0) & HAS_PAYLOAD) !== 0;
}

/** payload_unit_start_indicator */
function beginsUnit(packet: Buffer): boolean {
  return ((packet[1] ?? 0) & 0x40) !== 0;
}

function scramble(packet: Buffer): void {
  packet[3] = (packet[3] ?? 0) | EVEN_KEY;
  garble(packet);
}

/** No cipher, but as unreadable; the adaptation field stays clear, as the norm demands (ISO/IEC 13818-1 §2.4.3.3). */
function garble(packet: Buffer): void {
  const start = ((packet[3] ?? 0) & 0x20) === 0 ? 4 : 5 + (packet[4] ?? 0);
  for (let at = start; at < PACKET_BYTES; at += 1) packet[at] = (packet[at] ?? 0) ^ 0x5a;
}
