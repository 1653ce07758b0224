import type { DurationMs } from "./time.ts";

/** A place in a recording at which a decoder can begin. */
export interface AccessPoint {
  /** Bytes of the recording before the transport packet in which its PES packet begins. */
  readonly offset: number;
  /** PTS of that PES packet: 33 bits, in ticks of 90 kHz. */
  readonly pts: number;
  /** Position on the recording's timeline, from its first PCR; never counts backwards. */
  readonly streamMs: DurationMs;
  /** Its PTS does not continue that of the point before: another clock, or missing data. */
  readonly isBreak: boolean;
  /** Position in `AccessIndex.tables` of the tables in force. */
  readonly tables: number;
}

/** The access points of a recording, finished or growing, in file order. */
export interface AccessIndex {
  readonly points: readonly AccessPoint[];
  /** PAT and PMT as whole transport packets, each change once. Their counters begin at 0. */
  readonly tables: readonly Uint8Array[];
  /** More points may follow. */
  readonly isGrowing: boolean;
  /** Size of the recording, or its size so far. */
  readonly bytes: number;
  /** Length of the timeline so far. */
  readonly durationMs: DurationMs;
}
