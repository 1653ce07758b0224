import type { RuleOrder } from "../../src/model/rule.ts";
import { DAY, type EpochMs, HOUR, MINUTE } from "../../src/model/time.ts";
import type { Chance } from "../../src/simulator/weeks/chance.ts";

/** One broadcast in a generated month. */
export interface MonthAiring {
  readonly channelId: number;
  readonly series: number;
  readonly title: string;
  readonly subtitle: string;
  readonly desc: string;
  readonly genre: string;
  /** Absent: the guide does not number this series. */
  readonly episode: number | undefined;
  readonly minutes: number;
  readonly firstStart: EpochMs;
  /** From `at` on, the guide has this start. */
  readonly moved: { readonly at: EpochMs; readonly start: EpochMs } | undefined;
}

const SERIES = 100;
const CHANNELS = 9;

/** The start that the guide has at a time; without one, the start on the air. */
export function placed({ firstStart, moved }: MonthAiring, now = Number.POSITIVE_INFINITY): EpochMs {
  return moved !== undefined && now >= moved.at ? moved.start : firstStart;
}

/** Weekly series with simulcasts and repeats; some broadcasts move, and some series have no numbers. */
export function monthGuide(chance: Chance, begin: EpochMs, days: number): readonly MonthAiring[] {
  const airings: MonthAiring[] = [];
  const isFree = (channelId: number, start: EpochMs) =>
    !airings.some(
      (one) =>
        one.channelId === channelId &&
        Math.abs(placed(one) - start) < 2 * HOUR &&
        Math.abs(one.firstStart - start) < 5 * HOUR,
    );
  const add = (airing: Omit<MonthAiring, "moved">) => {
    if (!isFree(airing.channelId, airing.firstStart)) return;
    const byMs = chance.percent(20) ? chance.pick([-30, 10, 25]) * MINUTE : 0;
    const start = airing.firstStart + byMs;
    // The listings are read every twelve hours.
    const at = airing.firstStart - chance.pick([14, 30, 80]) * HOUR;
    const isMoved = byMs !== 0 && isFree(airing.channelId, start);
    airings.push({ ...airing, moved: isMoved ? { at, start } : undefined });
  };
  for (let series = 0; series < SERIES; series += 1) {
    const channelId = chance.int(1, CHANNELS);
    const simulcast = chance.percent(40) ? (channelId % CHANNELS) + 1 : undefined;
    const [hour, minutes] = [chance.int(6, 22), chance.pick([25, 45, 60])];
    const isNumbered = series % 8 !== 7;
    const weekday = chance.int(1, 7);
    for (let week = 0; week * 7 + weekday < days; week += 1) {
      const start = begin + (week * 7 + weekday) * DAY + hour * HOUR;
      const one = {
        ...{ series, title: `Serie Nummer ${series}`, minutes, genre: `Sorte ${series}` },
        subtitle: chance.percent(20) ? "Das Spezial" : "",
        desc: `Folge ${week} mit Anker${series}`,
        episode: isNumbered ? week : undefined,
      };
      add({ ...one, channelId, firstStart: start });
      if (simulcast !== undefined) add({ ...one, channelId: simulcast, firstStart: start });
      for (let repeats = chance.int(0, 2); repeats > 0; repeats -= 1) {
        const later = start + chance.int(1, 5) * DAY + chance.int(-4, 0) * HOUR;
        if (later < begin + days * DAY)
          add({ ...one, channelId: chance.int(1, CHANNELS), firstStart: later });
      }
    }
  }
  return [...airings, ...weather(begin, days)];
}

/** A show a day on each channel that nobody wants, past the month too: a listing never ends. */
function weather(begin: EpochMs, days: number): readonly MonthAiring[] {
  return Array.from({ length: (days + 20) * CHANNELS }, (_, index) => ({
    ...{
      channelId: 1 + (index % CHANNELS),
      series: -1,
      title: "Wetter",
      subtitle: "",
      desc: "",
      genre: "Wetter",
    },
    ...{ episode: undefined, minutes: 20, moved: undefined },
    firstStart: begin + Math.floor(index / CHANNELS) * DAY + 10 * MINUTE,
  }));
}

interface MonthRule {
  readonly order: RuleOrder;
  /** Whether it wants a broadcast at its last start; the other airings of an episode do not matter. */
  readonly wants: (airing: MonthAiring, start: EpochMs) => boolean;
}

type Way = Partial<RuleOrder> & {
  readonly also?: (airing: MonthAiring, start: EpochMs) => boolean;
};

const weekdayOf = (at: EpochMs) => ((Math.floor(at / DAY) + 3) % 7) + 1;
const minuteOf = (at: EpochMs) => (at % DAY) / MINUTE;

/** Two rules for each series, of all kinds. */
export function rulesOf(seriesId: (title: string) => string | undefined): readonly MonthRule[] {
  return Array.from({ length: 2 * SERIES }, (_, index): MonthRule => {
    const series = index % SERIES;
    const id = seriesId(`Serie Nummer ${series}`);
    const text = { words: `nummer ${series}` };
    const ways: readonly Way[] = [
      text,
      {
        expression: `^serie nummer ${series}$`,
        weekdays: [1, 2, 3, 4, 5],
        also: (_airing, at) => weekdayOf(at) <= 5,
      },
      { ...(id === undefined ? text : { seriesId: id }), quality: "Prefer SD" },
      { words: `anker${series}`, within: "all" },
      { genres: [`Sorte ${series}`], newOnly: true },
      {
        ...text,
        between: { from: 18 * 60, until: 60 },
        also: (_airing, at) => minuteOf(at) >= 18 * 60 || minuteOf(at) < 60,
      },
      { ...text, without: '"das spezial"', also: ({ subtitle }) => subtitle === "" },
      { ...text, minMinutes: 40, keep: 3, folder: "Series", also: ({ minutes }) => minutes >= 40 },
      {
        words: `"serie nummer ${series}"`,
        channelIds: [1, 2, 3, 4, 5],
        also: ({ channelId }) => channelId <= 5,
      },
      { expression: `folge \\d mit anker${series}$`, within: "all", airing: "first", priority: 60 },
      { ...text, maxMinutes: 30, beforeMinutes: 2, afterMinutes: 5, also: ({ minutes }) => minutes <= 30 },
    ];
    const way: Way = ways[(index * 7 + Math.floor(index / SERIES) * 3) % ways.length] ?? text;
    const { also = () => true, ...order } = way;
    return {
      order: { name: `Rule ${index}`, quality: "Prefer HD", ...order },
      wants: (airing, at) => airing.series === series && also(airing, at),
    };
  });
}
