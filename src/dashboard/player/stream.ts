import { ask, isMissing } from "../state/api.ts";

/** A recording, or a live service. */
export type Stream =
  | { readonly kind: "recording"; readonly id: string }
  /** `service` is ONID-TSID-SID, decimal. */
  | { readonly kind: "live"; readonly service: string };

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
  readonly gaps: readonly { readonly startSeconds: number; readonly lengthSeconds: number }[];
  readonly isLive: boolean;
  readonly subtitles?: readonly SubtitleFacts[];
}

/** The address of a stream, without a slash at its end. */
export function addressOf(stream: Stream): string {
  return stream.kind === "live"
    ? `/v1/live/${stream.service}`
    : `/v1/recordings/${encodeURIComponent(stream.id)}`;
}

/**
 * The facts about a stream; `undefined` from a recorder without them. A live service is tuned first.
 *
 * @throws Refusal for example if no tuner is free
 */
export async function factsOf(stream: Stream): Promise<StreamFacts | undefined> {
  try {
    return await ask<StreamFacts>("GET", `${addressOf(stream)}/hls/tracks`);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
