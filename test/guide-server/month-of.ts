import type { Quality } from "../../src/model/rule.ts";
import { DAY, type EpochMs, HOUR, MINUTE } from "../../src/model/time.ts";
import { type Chance, chanceOf } from "../../src/simulator/weeks/chance.ts";

/** One broadcast of an episode. Its data in the guide change until it is on the air. */
export interface Airing {
  showId: number;
  readonly channelId: number;
  readonly seriesId: string;
  readonly episode: string;
  readonly title: string;
  /** The start that is first announced. */
  readonly planned: EpochMs;
  start: EpochMs;
  readonly minutes: number;
}

export type Wish = { readonly quality: Quality } & (
  | { readonly kind: "series"; readonly seriesId: string }
  | { readonly kind: "keyword"; readonly keyword: string }
);

/** Without a change: another day of the guide is published. */
interface Happening {
  readonly at: EpochMs;
  readonly change?: { readonly airing: Airing; readonly start: EpochMs; readonly rekeyed: boolean };
}

export interface Month {
  readonly airings: readonly Airing[];
  readonly wishes: readonly Wish[];
  readonly changes: readonly Happening[];
}

const TITLES = [
  "Low Tide",
  "High Water",
  "Salt Road",
  "Harbour Lights",
  "Night Ferry",
  "Cold Shore",
  "Lighthouse",
];

/** Seven series in so many days: daily or weekly, on one channel or two at once, with repeats; five are wanted, one by its title. */
export function monthOf(seed: number, begin: EpochMs, days: number): Month {
  const chance = chanceOf(seed, "month");
  const grid = new Grid();
  for (const [index, title] of TITLES.entries()) addSeries(grid, chance, { index, title, begin, days });
  const airings = grid.airings;
  const changes = airings.flatMap((airing) => happening(grid, chance, { airing, begin }) ?? []);
  const published = Array.from({ length: days + 6 }, (_, day) => ({ at: begin + day * DAY + 3 * HOUR }));
  const qualities = ["Prefer HD", "Prefer SD", "Prefer HD", "Prefer SD"] as const;
  return {
    airings,
    wishes: [
      ...qualities.map((quality, index) => ({ kind: "series" as const, seriesId: idOf(index), quality })),
      { kind: "keyword", keyword: "ferry night", quality: "Prefer HD" },
    ],
    changes: [...changes, ...published].sort((a, b) => a.at - b.at),
  };
}

function idOf(index: number): string {
  return String(500 + index);
}

/** The channels' schedule: one event at a time on each. */
class Grid {
  readonly airings: Airing[] = [];

  isFree(channelId: number, start: EpochMs, except?: Airing): boolean {
    return !this.airings.some(
      (airing) =>
        airing !== except && airing.channelId === channelId && Math.abs(airing.start - start) < 2 * HOUR,
    );
  }

  add(airing: Omit<Airing, "showId" | "planned">): void {
    if (!this.isFree(airing.channelId, airing.start)) return;
    this.airings.push({ ...airing, showId: 1 + this.airings.length, planned: airing.start });
  }
}

interface SeriesSpec {
  readonly index: number;
  readonly title: string;
  readonly begin: EpochMs;
  readonly days: number;
}

function addSeries(grid: Grid, chance: Chance, { index, title, begin, days }: SeriesSpec): void {
  const everyDays = chance.pick([1, 2, 7]);
  const channelId = chance.int(1, 6);
  const simulcast = chance.percent(60) ? chance.int(7, 9) : undefined;
  const hour = chance.int(19, 20);
  const minutes = chance.pick([25, 45, 60, 90]);
  for (let day = 1 + (index % 3); day < days; day += everyDays) {
    const start = begin + day * DAY + hour * HOUR;
    const one = { seriesId: idOf(index), episode: `e${day}`, title, start, minutes };
    grid.add({ ...one, channelId });
    if (simulcast !== undefined) grid.add({ ...one, channelId: simulcast });
    for (let repeats = chance.int(0, 2); repeats > 0; repeats -= 1) {
      const later = begin + (day + chance.int(1, 5)) * DAY + chance.int(8, 22) * HOUR;
      grid.add({ ...one, channelId: chance.int(1, 9), start: later });
    }
  }
}

/** One in four moves, has another id, or both, some time before it is on. */
function happening(
  grid: Grid,
  chance: Chance,
  { airing, begin }: { readonly airing: Airing; readonly begin: EpochMs },
): Happening | undefined {
  if (!chance.percent(25)) return undefined;
  const byMs = chance.percent(60) ? chance.pick([-45, -15, 5, 20, 90]) * MINUTE : 0;
  const start = grid.isFree(airing.channelId, airing.start + byMs, airing)
    ? airing.start + byMs
    : airing.start;
  const rekeyed = start === airing.start || chance.percent(50);
  const before = chance.pick([HOUR, 5 * HOUR, DAY, 4 * DAY]);
  const at = Math.max(begin + HOUR, Math.min(start, airing.start) - before);
  return at >= start ? undefined : { at, change: { airing, start, rekeyed } };
}
