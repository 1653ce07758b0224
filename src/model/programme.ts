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
