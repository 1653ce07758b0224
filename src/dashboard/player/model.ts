/** A part of a timeline. */
export interface Span {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** A subtitle track of the broadcast. Players show teletext as WebVTT; the page draws bitmaps. */
export interface SubtitleFacts {
  readonly id: string;
  readonly kind: "teletext" | "bitmap";
  readonly name: string;
}

/** The answer of `tracks`, as far as the page needs it. */
export interface StreamFacts {
  /** Missing data: its place in the time of the playlist, which has no room for it, and its length. */
  readonly gaps: readonly { readonly startSeconds: number; readonly lengthSeconds: number }[];
  readonly isLive: boolean;
  readonly subtitles?: readonly SubtitleFacts[];
}

/** A choice between tracks. */
export interface Track {
  readonly name: string;
}

export interface Tracks {
  readonly of: readonly Track[];
  /** Position of the chosen one; -1: none. */
  readonly chosen: number;
}
