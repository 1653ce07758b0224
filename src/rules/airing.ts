import { type EpochMs, MINUTE } from "../model/time.ts";

/** The fields of a show that identify it and place it. */
export interface AiredShow {
  readonly id: number;
  readonly channelId: number;
  /** Empty without a series. */
  readonly seriesId: string;
  /** Empty without any mark of the episode. */
  readonly episodeId: string;
  readonly start: EpochMs;
  readonly durationMinutes: number;
  readonly title: string;
  /** The guide calls it a repeat. */
  readonly isRepeat?: true | undefined;
  /** It is no longer broadcast at this time. */
  readonly gone?: true | undefined;
}

/** A show with everything that conditions read. */
export interface DescribedShow extends AiredShow {
  readonly subtitle: string;
  readonly desc: string;
  /** `eit` is the content code, such as `0x14`. @see EN 300 468 §6.2.9 */
  readonly category: readonly { readonly name: string; readonly eit?: string | undefined }[];
}

/** The time and the channel of a show. */
export type PlacedShow = Pick<AiredShow, "channelId" | "start" | "durationMinutes">;

/** A show with the facts of its channel that rules check. */
export interface Airing<S extends PlacedShow = AiredShow> {
  readonly show: S;
  readonly isHd: boolean;
  readonly networkId: number | undefined;
}

/** By start, then by channel and id, so that the order of reading does not matter. */
export function byTime(a: { readonly show: AiredShow }, b: { readonly show: AiredShow }): number {
  return a.show.start - b.show.start || a.show.channelId - b.show.channelId || a.show.id - b.show.id;
}

export function endOf({ start, durationMinutes }: Pick<AiredShow, "start" | "durationMinutes">): EpochMs {
  return start + durationMinutes * MINUTE;
}
