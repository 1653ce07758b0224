import { describe, expect, it } from "vitest";
import type { Show } from "../../src/guide-server/data/show.ts";
import type { DoneEpisode, StoredTimer } from "../../src/guide-server/data/tables.ts";
import { QUALITIES } from "../../src/model/rule.ts";
import { DAY, HOUR, MINUTE } from "../../src/model/time.ts";
import type { Airing as AiringOf } from "../../src/rules/airing.ts";
import { compileRule, type OrderingRule as Rule, type Wanted } from "../../src/rules/compiled-rule.ts";
import { episodeOf } from "../../src/rules/episode.ts";
import { type Expansion, type ExpansionInput, expand } from "../../src/rules/expansion.ts";
import { RULE_LIMITS } from "../../src/rules/limits.ts";
import { localTimeIn } from "../../src/rules/local-time.ts";
import type { Order } from "../../src/rules/orders.ts";
import { RuleSet } from "../../src/rules/rule-set.ts";
import { NOW } from "../guide-server/hosted.ts";
import { fc } from "../properties.ts";

type Airing = AiringOf<Show>;

function setOf(rules: readonly Rule[]): RuleSet {
  return new RuleSet(rules.map(compileRule), localTimeIn("UTC"));
}

function ruleMatches(rule: Rule, airing: Airing): boolean {
  return setOf([rule]).wanting(airing).length > 0;
}

interface Household {
  readonly rules: readonly Rule[];
  readonly airings: readonly Airing[];
  readonly timers: readonly StoredTimer[];
  readonly done: ReadonlyMap<string, Pick<DoneEpisode, "at" | "became">>;
}

function wishesOf(household: Household, now = NOW): ExpansionInput<StoredTimer, Show> {
  const shows = new Map(household.airings.map(({ show }) => [show.id, show]));
  const set = setOf(household.rules);
  return {
    timers: household.timers,
    airings: household.airings.map((airing) => ({
      ...airing,
      episode: episodeOf(airing.show),
      rules: set.wanting(airing),
    })),
    doneOf: (episode) => household.done.get(episode),
    episodeOfTimer: (timer) => {
      const show = shows.get(timer.showId);
      return timer.episode ?? (show === undefined ? undefined : episodeOf(show));
    },
    now,
  };
}

function timerOf(
  id: string,
  { episode, show, seriesRecordingId, keywordId, rule }: Order<Show>,
): StoredTimer {
  return {
    id,
    accountId: "1",
    deviceId: 1,
    channelId: show.channelId,
    showId: show.id,
    name: show.title,
    start: show.start,
    durationMinutes: show.durationMinutes,
    action: "record",
    state: "waiting",
    message: "",
    extra: {},
    createdAt: NOW,
    told: [],
    episode,
    ...(seriesRecordingId === undefined ? {} : { seriesRecordingId }),
    ...(keywordId === undefined ? {} : { keywordId }),
    ...(rule === undefined ? {} : { ruleId: rule.id }),
  };
}

/** The timers afterwards, those that it left alone among them. */
function applied(
  { timers }: Household,
  { orders, continued, withdrawn }: Expansion<StoredTimer, Show>,
): readonly StoredTimer[] {
  const gone = new Set(withdrawn.map(({ id }) => id));
  const moved = new Map(continued.map(({ timer, order }) => [timer.id, timerOf(timer.id, order)]));
  const next = 1 + Math.max(0, ...timers.map(({ id }) => Number(id)));
  return [
    ...timers.filter(({ id }) => !gone.has(id)).map((timer) => moved.get(timer.id) ?? timer),
    ...orders.map((order, index) => timerOf(String(next + index), order)),
  ];
}

const CHANNELS = 4;
const airing: fc.Arbitrary<Airing> = fc
  .record({
    channelId: fc.integer({ min: 1, max: CHANNELS }),
    series: fc.constantFrom("10", "20"),
    episode: fc.constantFrom("", "s1e1", "s1e2", "crid:a"),
    // Some have begun, some are beyond what is looked at.
    at: fc.integer({ min: -4, max: 48 * 30 }),
  })
  .map(({ channelId, series, episode, at }) => {
    const show: Show = {
      id: (at + 10) * 100 + channelId,
      channelId,
      seriesId: series,
      episodeId: episode === "" || episode.startsWith("crid:") ? episode : `${series} ${episode}`,
      start: NOW + at * 30 * MINUTE,
      durationMinutes: 60,
      title: series === "10" ? "Harbour Stories" : "Stories of the Night",
      subtitle: "",
      desc: "",
      category: [],
      eitId: 1,
      rating: "",
      date: "",
      updatedAt: NOW,
    };
    return { show, isHd: channelId > 2, networkId: channelId % 2 };
  });
const airings = fc.uniqueArray(airing, { maxLength: 40, selector: ({ show }) => show.id });

const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 3 });
/** A field of which some values are absent. */
function field<K extends string, T>(name: K, value: T | undefined): { readonly [k in K]?: T } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [k in K]?: T };
}
const ofSeries = fc.constantFrom("10", "20").map(
  (seriesId): Partial<Rule> => ({
    kind: "series",
    wants: { seriesId },
  }),
);
const ofKeyword = fc
  .constantFrom("stories", "harbour", "of night", "none")
  .map((words): Partial<Rule> => ({ kind: "keyword", wants: { words } }));
const ofRule = fc
  .record({
    words: fc.constantFrom("stories", "night", "HARBOUR"),
    weekdays: some(fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 3 })),
    newOnly: some(fc.constant(true as const)),
    airing: some(fc.constant("first" as const)),
    isPaused: fc.constantFrom(undefined, undefined, undefined, true as const),
  })
  .map(
    ({ words, weekdays, newOnly, airing, isPaused }): Partial<Rule> => ({
      kind: "rule",
      wants: { words, ...field("weekdays", weekdays) },
      ...field("newOnly", newOnly),
      ...field("airing", airing),
      ...field("isPaused", isPaused),
    }),
  );
const rules: fc.Arbitrary<readonly Rule[]> = fc
  .array(
    fc.record({
      kind: fc.oneof(ofSeries, ofKeyword, ofRule),
      quality: fc.constantFrom(...QUALITIES),
      channelId: some(fc.integer({ min: 1, max: CHANNELS })),
      startMinutes: some(fc.integer({ min: 0, max: 1439 })),
    }),
    { maxLength: 4 },
  )
  .map((several) =>
    several.map(({ kind, quality, channelId, startMinutes }, index): Rule => {
      const place = {
        ...field("channelIds", channelId === undefined ? undefined : [channelId]),
        ...field("startMinutes", startMinutes),
      };
      const wants: Wanted = { ...kind.wants, ...place };
      return { kind: "rule", ...kind, wants, quality, id: index + 1, createdAt: NOW - DAY };
    }),
  );
const done = fc
  .array(fc.tuple(fc.constantFrom("10 s1e1", "20 s1e2", "crid:a"), fc.constantFrom("recorded", "declined")))
  .map((some) => new Map(some.map(([episode, became]) => [episode, { at: NOW, became }] as const)));

/** Some timers came of other rules and another guide, some of them are over, running, lost or a person's. */
const household: fc.Arbitrary<Household> = fc
  .record({ rules, airings, done, before: rules, other: airings, states: fc.infiniteStream(fc.nat(9)) })
  .map(({ before, other, states, ...now }) => {
    const earlier: Household = { rules: before, airings: other, timers: [], done: new Map() };
    const timers = applied(earlier, expand(wishesOf(earlier))).map((timer): StoredTimer => {
      const kind = states.next().value;
      if (kind === 0) return { ...timer, state: "failed" };
      if (kind === 1) return { ...timer, state: "running" };
      if (kind === 2) return { ...timer, state: "completed" };
      if (kind === 3) return { ...timer, action: "forget" };
      if (kind !== 4) return timer;
      const { episode: _e, seriesRecordingId: _s, keywordId: _k, ruleId: _r, ...own } = timer;
      return own;
    });
    return { ...now, timers };
  });

const RUNS = { numRuns: 300 };
const open = (timer: StoredTimer) =>
  timer.action === "record" && timer.episode !== undefined && timer.state === "waiting" && timer.start > NOW;
const standing = (timer: StoredTimer) => timer.action === "record" && timer.state !== "failed";

describe("the expansion of rules into timers", () => {
  it("books every wanted episode exactly once, unless it is recorded or scheduled", () => {
    fc.assert(
      fc.property(household, (home) => {
        const wishes = wishesOf(home);
        const timers = applied(home, expand(wishes)).filter(standing);
        const lost = new Set(
          home.timers.filter(({ state }) => state === "failed").map(({ showId }) => showId),
        );
        const manual = new Set(
          home.timers.filter((one) => standing(one) && !open(one)).map((one) => one.showId),
        );
        // Rules that want only some airings of an episode may get none of it.
        const lasting = home.rules.filter(({ newOnly, airing }) => newOnly !== true && airing !== "first");
        const wanted = new Set(
          home.airings
            .filter(({ show }) => show.start > NOW && show.start < NOW + RULE_LIMITS.expandAheadMs)
            .filter(({ show }) => !lost.has(show.id) && !manual.has(show.id))
            .filter((one) => lasting.some((rule) => ruleMatches(rule, one)))
            .map(({ show }) => episodeOf(show))
            .filter((episode) => !home.done.has(episode)),
        );
        const counts = [...wanted].map(
          (episode) => timers.filter((timer) => wishes.episodeOfTimer(timer) === episode).length,
        );
        const fresh = timers.filter(open).map(({ episode }) => episode);
        return counts.every((count) => count >= 1) && new Set(fresh).size === fresh.length;
      }),
      RUNS,
    );
  });

  it("has no timer without a matching rule, and none for a recorded episode", () => {
    fc.assert(
      fc.property(household, (home) =>
        applied(home, expand(wishesOf(home)))
          .filter(open)
          .every((timer) => {
            const own = home.airings.find(({ show }) => show.id === timer.showId);
            const named = home.rules.filter(({ id }) =>
              [timer.seriesRecordingId, timer.keywordId, timer.ruleId].includes(id),
            );
            return (
              own !== undefined &&
              named.length > 0 &&
              named.every((rule) => ruleMatches(rule, own)) &&
              !home.done.has(timer.episode ?? "")
            );
          }),
      ),
      RUNS,
    );
  });

  it("changes nothing when repeated", () => {
    fc.assert(
      fc.property(household, (home) => {
        const timers = applied(home, expand(wishesOf(home)));
        const again = expand(wishesOf({ ...home, timers }));
        const same = again.continued.every(
          ({ timer, order }) => JSON.stringify(timerOf(timer.id, order)) === JSON.stringify(timer),
        );
        return again.orders.length === 0 && again.withdrawn.length === 0 && same;
      }),
      RUNS,
    );
  });

  it("does not depend on the order of rules, shows and timers", () => {
    fc.assert(
      fc.property(household, (home) => {
        const turned: Household = {
          ...home,
          rules: [...home.rules].reverse(),
          airings: [...home.airings].reverse(),
          timers: [...home.timers].reverse(),
        };
        const ids = (each: Expansion<StoredTimer, Show>) => ({
          orders: each.orders,
          kept: Object.fromEntries(each.continued.map(({ timer, order }) => [timer.id, order])),
          withdrawn: each.withdrawn.map(({ id }) => id).sort(),
        });
        expect(ids(expand(wishesOf(turned)))).toEqual(ids(expand(wishesOf(home))));
        return true;
      }),
      RUNS,
    );
  });

  it("keeps the id of a timer whose show has moved, has another id, or both", () => {
    const shifts = fc.infiniteStream(
      fc.record({ minutes: fc.integer({ min: -60, max: 120 }), renamed: fc.boolean() }),
    );
    fc.assert(
      fc.property(rules, airings, shifts, (some, guide, shift) => {
        // One airing of each episode: where there are two, the other may be the first now.
        const first = guide.filter(
          ({ show }, index) =>
            show.episodeId !== "" &&
            show.start > NOW + 2 * HOUR &&
            show.start < NOW + 27 * DAY &&
            guide.findIndex((other) => episodeOf(other.show) === episodeOf(show)) === index,
        );
        const anyTime = some.map(({ wants: { startMinutes: _s, weekdays: _w, ...wants }, ...rule }) => ({
          ...rule,
          wants,
        }));
        const home: Household = { rules: anyTime, airings: first, timers: [], done: new Map() };
        const timers = applied(home, expand(wishesOf(home)));
        const moved = first.map((one): Airing => {
          const { minutes, renamed } = shift.next().value;
          const { id, start } = one.show;
          const show = { ...one.show, id: renamed ? id + 1e6 : id, start: start + minutes * MINUTE };
          return { ...one, show };
        });
        const again = applied({ ...home, timers }, expand(wishesOf({ ...home, airings: moved, timers })));
        const byEpisode = (list: readonly StoredTimer[]) =>
          list.map((one) => `${one.episode} ${one.id}`).sort();
        const follows = again.every(
          ({ showId, start }) => moved.find(({ show }) => show.id === showId)?.show.start === start,
        );
        return follows && JSON.stringify(byEpisode(again)) === JSON.stringify(byEpisode(timers));
      }),
      RUNS,
    );
  });
});

const onlyEpisode = (episode: string) => ({ showId: 77, episode });

describe("an airing", () => {
  const rule = (quality: Rule["quality"]): Rule => ({
    ...{ kind: "series", id: 1, createdAt: NOW, quality },
    wants: { seriesId: "10" },
  });
  const at = (channelId: number, hours: number, isHd: boolean): Airing => {
    const [sample] = fc.sample(airing, { numRuns: 1, seed: 1 });
    const show = { ...(sample as Airing).show, seriesId: "10", episodeId: "10 s1e1", channelId };
    return { show: { ...show, id: channelId, start: NOW + hours * HOUR }, isHd, networkId: 0 };
  };
  const guide = [at(1, 5, false), at(2, 5, true), at(3, 4, false), at(4, 40, true)];

  it.each([
    ["Prefer HD", guide, 2],
    ["HD Only", guide, 2],
    ["Prefer SD", guide, 3],
    ["SD Only", guide, 3],
    // An HD channel shows it days later: the first is taken.
    ["Prefer HD", [at(1, 5, false), at(4, 40, true)], 1],
    ["HD Only", [at(1, 5, false), at(4, 40, true)], 4],
    ["SD Only", [at(2, 5, true)], undefined],
  ] as const)("is chosen among several of an episode by %s", (quality, some, channelId) => {
    const home = { rules: [rule(quality)], airings: some, timers: [], done: new Map() };
    const { orders } = expand(wishesOf(home));
    expect(orders.map(({ show }) => show.channelId)).toEqual(channelId === undefined ? [] : [channelId]);
  });

  it.each([
    ["another series", { seriesId: "20" }, false],
    ["its series", { seriesId: "10" }, true],
    ["only its episode", { seriesId: "10", only: onlyEpisode("10 s1e1") }, true],
    ["only another", { seriesId: "10", only: onlyEpisode("10 s1e2") }, false],
    ["words of its title, in any order and case", { words: "STORIES, Harbour!" }, true],
    ["parts of words", { words: "harb" }, false],
    ["its channel", { channelIds: [1, 2] }, true],
    ["another channel", { channelIds: [3] }, false],
    ["another network", { networkId: 1 }, false],
    ["20 minutes later", { startMinutes: 14 * 60 + 20 }, true],
    ["40 minutes later", { startMinutes: 14 * 60 + 40 }, false],
  ] as const)("matches a rule that asks for %s, or not", (_what, asked, isWanted) => {
    const one = at(2, 5, true);
    const shown = { ...one, show: { ...one.show, title: "Harbour Stories" } };
    const seriesOrWords = "words" in asked ? {} : { seriesId: "10" };
    const wants: Wanted = { ...seriesOrWords, ...asked };
    expect(ruleMatches({ ...rule("Prefer HD"), wants }, shown)).toBe(isWanted);
  });

  it.each([
    ["its episode comes on another channel two days later, as another show", { id: 9, channelId: 4 }, 53],
    ["its show is another episode by now", { episodeId: "10 s2e9" }, 5],
  ])("keeps its timer when %s", (_what, change, hours) => {
    const first = at(1, 5, false);
    const home = { rules: [rule("Prefer SD")], airings: [first], timers: [], done: new Map() };
    const timers = applied(home, expand(wishesOf(home)));
    const start = NOW + hours * HOUR;
    const moved = { ...first, show: { ...first.show, title: "Other", start, ...change } };
    const { continued, orders, withdrawn } = expand(wishesOf({ ...home, airings: [moved], timers }));
    expect([orders, withdrawn]).toEqual([[], []]);
    expect(continued).toMatchObject([{ timer: { id: timers[0]?.id }, order: { show: moved.show } }]);
  });

  it.each([
    ["e5", 200, true],
    ["e5-6", 200, true],
    ["e5p2", 200, true],
    ["e5", 170, false],
    ["s1e5", 2000, false],
    ["subtitle:the e5", 2000, false],
    ["dd:0012", 2000, false],
  ])("with the mark %s is wanted %i days after its episode was recorded: %s", (mark, days, isWanted) => {
    const one = at(1, 5, false);
    const episodeId = `10 ${mark}`;
    const home = {
      ...{ rules: [rule("SD Only")], airings: [{ ...one, show: { ...one.show, episodeId } }], timers: [] },
      done: new Map([[episodeId, { at: NOW - days * DAY, became: "recorded" as const }]]),
    };
    expect(expand(wishesOf(home)).orders).toHaveLength(isWanted ? 1 : 0);
  });

  it("is sought once more after the recorder failed, or sent no report for a day", () => {
    const [first, second] = [at(1, 5, false), at(2, 40, false)];
    const home = { rules: [rule("SD Only")], airings: [first, second], timers: [], done: new Map() };
    const [timer] = applied(home, expand(wishesOf(home)));
    const then = (state: StoredTimer["state"], hours: number) => {
      const timers = timer === undefined ? [] : [{ ...timer, state }];
      return expand(wishesOf({ ...home, timers }, NOW + hours * HOUR)).orders.map(({ show }) => show.id);
    };
    expect(then("failed", 6)).toEqual([2]);
    expect(then("pending", 7)).toEqual([]);
    expect(then("pending", 31)).toEqual([2]);
    expect(then("completed", 31)).toEqual([]);
  });
});
