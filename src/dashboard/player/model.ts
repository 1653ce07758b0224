/** A part of a timeline. */
export interface Span {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** A subtitle track of the broadcast. Players show teletext as WebVTT; the page draws bitmaps. */
export interface SubtitleFacts extends Track {
  readonly id: string;
  readonly kind: "teletext" | "bitmap";
}

/** The answer of `tracks`, as far as the page needs it. */
export interface StreamFacts {
  /** Missing data: its place in the time of the playlist, which has no room for it, and its length. */
  readonly gaps: readonly { readonly startSeconds: number; readonly lengthSeconds: number }[];
  readonly isLive: boolean;
  readonly audio?: readonly { readonly name: string; readonly codec: string }[];
  readonly subtitles?: readonly SubtitleFacts[];
}

/** A track of sound or subtitles. */
export interface Track {
  /** The recorder's own name, in English; no other track of its kind has it. */
  readonly name: string;
  /** RFC 5646, such as `de`. */
  readonly language?: string;
  readonly isDescription?: boolean;
  readonly isForHardOfHearing?: boolean;
}

export interface Tracks {
  readonly of: readonly Track[];
  /** Position of the chosen one; -1: none. */
  readonly chosen: number;
}
