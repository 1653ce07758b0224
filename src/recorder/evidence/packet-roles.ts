import { u8 } from "../../mpeg-ts/bytes.ts";
import { PID_COUNT } from "../../mpeg-ts/packets.ts";
import { isUnnamed } from "../../mpeg-ts/streams/codecs.ts";
import type { Programme } from "../../mpeg-ts/streams/timeline-beginning.ts";

export const TABLES = 1;
/** Audio or video that counts as payload. */
export const PAYLOAD = 2;
/** Unit starts are needed: a stream of the service with the timeline, or any stream until the service is known. */
export const TIMED = 4;
/** The beginning of a unit is searched for an access point: further packets decide. */
export const ACCESS = 8;
/** The structure of its units is looked at. */
export const LOOKED_AT = 16;
/** Further packets of the unit must be looked at, too. */
export const LOOKING = 32;

/** The flags of each PID: one lookup per packet decides what to do. */
export class PacketRoles {
  readonly flags = new Uint8Array(PID_COUNT);

  has(pid: number, flag: number): boolean {
    return (u8(this.flags, pid) & flag) !== 0;
  }

  turn(pid: number, flag: number, isOn: boolean): void {
    const others = u8(this.flags, pid) & ~flag;
    this.flags[pid] = others | (isOn ? flag : 0);
  }

  /**
   * Starts again from the tables.
   *
   * @param sid the service with the timeline, if it is known
   * @param isAnyTimed whether any stream may still belong to that service
   */
  assign({
    programmes,
    tablePids,
    sid,
    isAnyTimed,
  }: {
    readonly programmes: readonly Programme[];
    readonly tablePids: Iterable<number>;
    readonly sid: number | undefined;
    readonly isAnyTimed: boolean;
  }): void {
    this.flags.fill(isAnyTimed ? TIMED : 0);
    for (const { sid: own, map } of programmes) {
      for (const facts of map.streams) {
        const { pid, kind } = facts;
        if (kind === "audio" || kind === "video") this.turn(pid, PAYLOAD, true);
        if (own === sid && (kind !== "data" || isUnnamed(facts))) this.turn(pid, TIMED, true);
      }
    }
    for (const pid of tablePids) this.turn(pid, TABLES, true);
  }
}
