import type { Genre } from "./rule.ts";
import type { EpochMs } from "./time.ts";

/** The guide's data about a broadcast besides title and time. Unknown fields are absent. */
export interface Programme {
  readonly subtitle?: string;
  readonly description?: string;
  readonly season?: number;
  readonly episode?: number;
  readonly seriesId?: string;
  readonly episodeId?: string;
  readonly categories?: readonly string[];
  /** By the content code of the broadcast, otherwise by a category. */
  readonly genre?: Genre;
  readonly rating?: string;
  /** Year or day of production, as the guide writes it. */
  readonly date?: string;
}

/** By the show's id. */
export type Programmes = Readonly<Record<string, Programme>>;

export interface ProgrammeOrder {
  /** At least one: the guide is asked by channel. */
  readonly channelIds: readonly string[];
  /** The shows of interest; the channels' other shows are dropped. */
  readonly showIds: ReadonlySet<string>;
  /** Only what has changed since then, by the service's clock; absent: all. */
  readonly since?: EpochMs;
}

export interface ProgrammeAnswer {
  /** The requested shows that the service knows and has not withdrawn. */
  readonly programmes: Programmes;
  /** The value to send with the next request, by the service's clock. */
  readonly updatedTo?: EpochMs;
}
