import { MINUTE } from "../../../model/time.ts";

/** Limits of resume positions. */
export const PROGRESS_LIMITS = {
  /** Positions are written at most this often, to spare flash memory. A power cut loses the positions since the last write. */
  writeMs: MINUTE,
  /** Positions of one viewer; the oldest is removed when a further one is stored. */
  positions: 500,
  /** Viewers with positions; those of the viewer who was away longest are removed for a further one. */
  viewers: 30,
  /** A position in the last part of a recording counts as its end. */
  endShare: 0.05,
} as const;
