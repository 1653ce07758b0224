import type { RecordingId } from "./recording.ts";
import type { Triplet } from "./service.ts";
import type { EpochMs } from "./time.ts";
import type { Window } from "./window.ts";

/** The recorders whose recordings, timers and rules can be imported. */
export const ORIGINS = ["tvheadend", "vdr", "mythtv"] as const;
export type Origin = (typeof ORIGINS)[number];

/** Their names for people. */
export const ORIGIN_NAMES: Readonly<Record<Origin, string>> = {
  tvheadend: "Tvheadend",
  vdr: "VDR",
  mythtv: "MythTV",
};

/**
 * The part of a library entry that another recorder made. Its file belongs to that recorder: it is never changed, moved or
 * removed, and gets no sidecars.
 */
export interface Imported {
  readonly from: Origin;
  /** Its id in that recorder. A recording of several files has an entry for each. */
  readonly id: string;
  readonly description?: string;
  /** The position at which it was last watched. */
  readonly resumeSeconds?: number;
}

/** A file of another recorder for the library. */
export interface ImportOrder extends Imported {
  readonly title: string;
  readonly subtitle?: string;
  readonly channelName: string;
  readonly service?: Triplet;
  readonly event: Window;
  /** A real path: no symbolic links. */
  readonly file: string;
  readonly bytes: number;
  readonly modifiedAt: EpochMs;
  readonly isDamaged: boolean;
  readonly isWatched: boolean;
}

/** The result of an order. `there`: the library had it already. `why` is a sentence. */
export type ImportResult =
  | { readonly id: string; readonly result: "added" | "there"; readonly recordingId: RecordingId }
  | { readonly id: string; readonly result: "refused"; readonly why: string };
