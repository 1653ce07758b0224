import type { StreamFacts } from "../../model/inspection.ts";
import type { PlacedPacket } from "../pid-counters.ts";
import { PICTURE_SYNTAXES, PictureLooker } from "./picture-looker.ts";
import { FRAME_LENGTHS } from "./sound-frames.ts";
import { SoundLooker } from "./sound-looker.ts";
import type { Looker, UnitLook } from "./unit-look.ts";

/** No unit has begun. */
const NONE = -1;

interface Looking {
  readonly codec: string;
  readonly looker: Looker;
  /** Packets of the PID before the unit. */
  packetsBefore: number;
}

/** Looks at the units of all picture and sound streams of a service whose codec is known here. */
export class UnitLooks {
  #byPid = new Map<number, Looking>();

  get pids(): Iterable<number> {
    return this.#byPid.keys();
  }

  follow(streams: readonly StreamFacts[]): void {
    const before = this.#byPid;
    this.#byPid = new Map();
    for (const { pid, codec } of streams) {
      const known = before.get(pid);
      const looker = known?.codec === codec ? known.looker : lookerOf(codec);
      if (known?.codec === codec) this.#byPid.set(pid, known);
      else if (looker !== undefined) this.#byPid.set(pid, { codec, looker, packetsBefore: NONE });
    }
  }

  /**
   * The look of the unit before another one begins.
   *
   * @param packets of the PID so far
   */
  end(
    pid: number,
    {
      last,
      packets,
      endAt,
    }: { readonly last: PlacedPacket; readonly packets: number; readonly endAt: number },
  ): UnitLook | undefined {
    const looking = this.#byPid.get(pid);
    if (looking === undefined || looking.packetsBefore < 0) return undefined;
    const { looker, packetsBefore } = looking;
    looking.packetsBefore = NONE;
    const isHollow = looker.end(last, packets - packetsBefore);
    return {
      isHollow,
      packets: looker.countsPackets ? packets - packetsBefore : Number.POSITIVE_INFINITY,
      endAt,
    };
  }

  /**
   * @param packets of the PID, with the one at `at`
   * @returns whether further packets of the unit must be seen
   */
  begin(pid: number, packets: number, { bytes, at }: PlacedPacket): boolean {
    const looking = this.#byPid.get(pid);
    if (looking === undefined) return false;
    looking.packetsBefore = packets - 1;
    looking.looker.begin(bytes, at);
    return looking.looker.isOpen;
  }

  /** @returns whether further packets of the unit must be seen */
  goOn(pid: number, bytes: Uint8Array, at: number): boolean {
    const looker = this.#byPid.get(pid)?.looker;
    looker?.goOn(bytes, at);
    return looker?.isOpen === true;
  }

  lost(pid: number): void {
    this.#byPid.get(pid)?.looker.lost();
  }

  isOpen(pid: number): boolean {
    return this.#byPid.get(pid)?.looker.isOpen === true;
  }
}

function lookerOf(codec: string): Looker | undefined {
  const syntax = PICTURE_SYNTAXES[codec];
  if (syntax !== undefined) return new PictureLooker(syntax);
  const lengthOf = FRAME_LENGTHS[codec];
  return lengthOf === undefined ? undefined : new SoundLooker(lengthOf);
}
