import { QUALITIES, type Rule } from "../../src/model/rule.ts";
import { DAY, HOUR, MINUTE } from "../../src/model/time.ts";
import { fc } from "../properties.ts";
import type { ReferenceShow } from "./reference.ts";

/** Days before the clocks of Europe are set back. */
export const NOW = Date.UTC(2026, 9, 20, 9, 17);
export const ZONE = "Europe/Berlin";
export const HD_CHANNELS = [4, 5];

const TITLES: Readonly<Record<string, readonly string[]>> = {
  "10": ["Küchen-Duell", "Küchen-Duell: Spezial"],
  "20": ["Nachtzug nach Lissabon"],
  "30": ["S.W.A.T.", "SWAT"],
  "40": ["Été à Paris"],
  "": ["Harbour News"],
};
const CATEGORIES = [
  [{ name: "Krimi" }],
  [{ name: "Drama", eit: "0x10" }],
  [{ name: "Fußball", eit: "0x43" }],
  [],
  [{ name: "News", eit: "0x20" }, { name: "Café" }],
];
const WORDS = ["boat", "garden", "storm", "Café", "Mörder", "night", "winner"];

const show: fc.Arbitrary<ReferenceShow> = fc
  .record({
    channelId: fc.integer({ min: 1, max: 5 }),
    seriesId: fc.constantFrom(...Object.keys(TITLES)),
    titleIndex: fc.nat(1),
    episode: fc.constantFrom("", "", "s1e1", "s1e2", "s1e3", "crid:a", "crid:b"),
    // Some are over, some are beyond what is expanded. Half hours make simulcasts likely.
    at: fc.integer({ min: -96, max: 48 * 31 }),
    shift: fc.constantFrom(0, 0, 0, 5),
    durationMinutes: fc.constantFrom(5, 25, 45, 90),
    subtitle: fc.constantFrom("", "Part 1", "Der Mörder"),
    desc: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(", ")),
    category: fc.constantFrom(...CATEGORIES),
    isRepeat: fc.constantFrom(undefined, undefined, undefined, true as const),
    gone: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, true as const),
  })
  .map(({ titleIndex, episode, at, shift, isRepeat, gone, ...rest }) => {
    const titles = TITLES[rest.seriesId] ?? [];
    const hasSeries = episode !== "" && !episode.startsWith("crid:");
    return {
      ...rest,
      id: (at + 100) * 10 + rest.channelId + shift * 10_000,
      episodeId: hasSeries ? `${rest.seriesId} ${episode}` : episode,
      start: Math.floor(NOW / (30 * MINUTE)) * 30 * MINUTE + at * 30 * MINUTE + shift * MINUTE,
      title: titles[titleIndex % titles.length] ?? "",
      ...(isRepeat === undefined ? {} : { isRepeat }),
      ...(gone === undefined ? {} : { gone }),
    };
  });
export const shows = fc.uniqueArray(show, {
  minLength: 20,
  maxLength: 60,
  size: "max",
  selector: ({ id }) => id,
});

/** A value in one case of so many, else none. */
const once = <T>(of: number, values: fc.Arbitrary<T>) =>
  fc.oneof({ weight: of - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: values });

const conditions = fc.oneof(
  fc.record({ words: fc.constantFrom("kuchen duell", "LISSABON", "s w", "ete", "harbour news", "swat") }),
  fc.record({
    words: fc.constantFrom("mörder", "storm boat", "cafe", "part"),
    within: fc.constant("all" as const),
  }),
  fc.record({ expression: fc.constantFrom("^kuchen-", "s\\.w\\.a", "(paris|lissabon)$", "été", "n.*w") }),
  fc.record({
    expression: fc.constantFrom("storm.*(night|boat)", "^harbour", "mörder"),
    within: fc.constant("all" as const),
  }),
  fc.record({ seriesId: fc.constantFrom("10", "20", "30") }),
  fc.record({ genres: fc.subarray(["movie", "sports", "krimi", "CAFE", "news"], { minLength: 1 }) }),
);

const rule = fc
  .record({
    conditions,
    quality: fc.constantFrom(...QUALITIES),
    isPaused: once(8, fc.constant(true as const)),
    without: once(5, fc.constantFrom("spezial", "winner garden")),
    channelIds: once(5, fc.subarray([1, 2, 3, 4, 5], { minLength: 1 })),
    weekdays: once(5, fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 2 })),
    between: once(
      5,
      fc.constantFrom({ from: 360, until: 1080 }, { from: 1320, until: 120 }, { from: 0, until: 0 }),
    ),
    minMinutes: once(5, fc.constantFrom(10, 45)),
    maxMinutes: once(5, fc.constantFrom(45, 60)),
    newOnly: once(3, fc.constant(true as const)),
    airing: once(5, fc.constant("first" as const)),
    createdDaysAgo: fc.constantFrom(1, 3),
  })
  .map(({ conditions, createdDaysAgo, ...optional }) => {
    const given = Object.entries(optional).filter(([, value]) => value !== undefined);
    return { ...conditions, ...Object.fromEntries(given), createdAt: NOW - createdDaysAgo * DAY };
  });
export const rules: fc.Arbitrary<readonly Rule[]> = fc
  .array(rule, { minLength: 1, maxLength: 6, size: "max" })
  .map((some) =>
    some.map(
      (one, index) => ({ ...one, id: index + 1, deviceId: 1, name: `Rule ${index}` }) as unknown as Rule,
    ),
  );

/** The same guide some time later: shows have moved, have other ids, or both; some are gone. */
export const changes = fc.array(
  fc.record({
    index: fc.nat(59),
    minutes: fc.constantFrom(0, -30, 15, 60, 300),
    rekeyed: fc.boolean(),
    gone: fc.constantFrom(false, false, false, true),
  }),
  { maxLength: 12, size: "max" },
);
export type GuideChange = ReturnType<typeof changes.generate>["value"][number];

export function changed(
  guide: readonly ReferenceShow[],
  some: readonly GuideChange[],
): readonly ReferenceShow[] {
  const byIndex = new Map(some.map((change) => [change.index, change]));
  return guide.map((one, index) => {
    const change = byIndex.get(index);
    if (change === undefined || one.start < NOW + 6 * HOUR) return one;
    if (change.gone) return { ...one, gone: true as const };
    return {
      ...one,
      id: change.rekeyed ? one.id + 1_000_000 : one.id,
      start: one.start + change.minutes * MINUTE,
    };
  });
}
