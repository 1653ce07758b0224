import type { EpochMs } from "./time.ts";

/** What the guide tells of a broadcast besides its title and its time. Whatever it does not tell is absent. */
export interface Programme {
  readonly subtitle?: string;
  readonly description?: string;
  readonly season?: number;
  readonly episode?: number;
  readonly seriesId?: string;
  readonly episodeId?: string;
  readonly categories?: readonly string[];
  readonly rating?: string;
  /** Year or day of production, as the guide writes it. */
  readonly date?: string;
}

/** By the show's id. */
export type Programmes = Readonly<Record<string, Programme>>;

/** Which programme data is asked for. */
export interface ProgrammeOrder {
  /** The guide is asked by channel. At least one. */
  readonly channelIds: readonly string[];
  /** Of the answer these are kept, whatever else the channels broadcast. */
  readonly showIds: ReadonlySet<string>;
  /** Only what has changed since then, by the service's clock; absent: all. */
  readonly since?: EpochMs;
}

export interface ProgrammeAnswer {
  /** Of the shows that were asked for, those that the service knows and has not taken back. */
  readonly programmes: Programmes;
  /** What to ask for the next time, by the service's clock. */
  readonly updatedTo?: EpochMs;
}
