/** The recorders whose recordings, timers and rules can be imported. */
export const ORIGINS = ["tvheadend", "vdr", "mythtv"] as const;
export type Origin = (typeof ORIGINS)[number];

/**
 * The part of a library entry that another recorder recorded. Its files belong to that recorder: they are never changed, moved or
 * removed, and nothing is written beside them.
 */
export interface Imported {
  readonly from: Origin;
  /** Names it within that recorder. */
  readonly id: string;
  readonly description?: string;
  /** The position of its last viewer. */
  readonly resumeSeconds?: number;
  /** The files after the first one, in order. */
  readonly more: readonly { readonly file: string; readonly bytes: number }[];
}
