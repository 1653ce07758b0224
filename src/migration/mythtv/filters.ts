/** The filters of a rule: bits of `record.filter`, rows of `recordfilter`. */
export const FILTER = {
  newEpisode: 0,
  identifiable: 1,
  firstShowing: 2,
  primeTime: 3,
  commercialFree: 4,
  highDefinition: 5,
  thisEpisode: 6,
  thisSeries: 7,
  thisTime: 8,
  thisDayAndTime: 9,
  thisChannel: 10,
} as const;

/** Those without counterpart. */
const LACKING: ReadonlyMap<number, string> = new Map([
  [FILTER.identifiable, "the limit to identified episodes"],
  [FILTER.commercialFree, "the limit to channels without commercials"],
  [FILTER.thisEpisode, "the limit to one episode"],
]);

export function filtersOf(bits: number): ReadonlySet<number> {
  return new Set(Array.from({ length: 31 }, (_, bit) => bit).filter((bit) => (bits & (1 << bit)) !== 0));
}

/** The conditions of these filters that we do not have. The title stands for the series. */
export function lackingIn(filters: ReadonlySet<number>): readonly string[] {
  const known: readonly number[] = Object.values(FILTER);
  return [...filters].flatMap((filter) => {
    const lacking = known.includes(filter) ? LACKING.get(filter) : `its filter number ${filter}`;
    return lacking === undefined ? [] : [lacking];
  });
}
