import type { PlacedPacket } from "../pid-counters.ts";

/** The structure of a unit (PES packet) of picture or sound, judged without decoding. */
export interface UnitLook {
  /** Nothing in it looks as if a decoder could use it. */
  readonly isHollow: boolean;
  /** Its transport packets; Infinity where their number means nothing. */
  readonly packets: number;
  /** Offset of its end in the file. */
  readonly endAt: number;
}

/** Looks at one unit after the other of an elementary stream. */
export interface Looker {
  /** Whether it must see the further packets of the unit. */
  readonly isOpen: boolean;
  begin(bytes: Uint8Array, at: number): void;
  goOn(bytes: Uint8Array, at: number): void;
  /** Packets of the stream were lost. */
  lost(): void;
  /**
   * @param last the last packet of the unit
   * @returns whether the unit is hollow
   */
  end(last: PlacedPacket, packets: number): boolean;
  /** Whether the number of packets in a unit means something. */
  readonly countsPackets: boolean;
}
