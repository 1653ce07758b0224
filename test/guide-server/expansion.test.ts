import { describe, expect, it } from "vitest";
import type { Show } from "../../src/guide-server/data/show.ts";
import type { DoneEpisode, Rule, StoredTimer } from "../../src/guide-server/data/tables.ts";
import { episodeOf } from "../../src/guide-server/domain/episode.ts";
import {
  type Expansion,
  type ExpansionInput,
  expand,
  type Order,
} from "../../src/guide-server/domain/expansion.ts";
import { type Airing, ruleMatches } from "../../src/guide-server/domain/rule-match.ts";
import { SERVER_LIMITS } from "../../src/guide-server/limits.ts";
import { RECORDING_QUALITIES } from "../../src/guide-wire/records.ts";
import { DAY, HOUR, MINUTE } from "../../src/model/time.ts";
import { fc } from "../properties.ts";
import { NOW } from "./hosted.ts";

const minuteOfDay = (at: number) => Math.floor((at % DAY) / MINUTE);

interface Household {
  readonly rules: readonly Rule[];
  readonly airings: readonly Airing[];
  readonly timers: readonly StoredTimer[];
  readonly done: ReadonlyMap<string, Pick<DoneEpisode, "at" | "became">>;
}

function wishesOf(household: Household, now = NOW): ExpansionInput {
  const shows = new Map(household.airings.map(({ show }) => [show.id, show]));
  return {
    ...household,
    doneOf: (episode) => household.done.get(episode),
    episodeOfTimer: (timer) => {
      const show = shows.get(timer.showId);
      return timer.episode ?? (show === undefined ? undefined : episodeOf(show));
    },
    minuteOfDay,
    now,
  };
}

function timerOf(id: string, { episode, show, seriesRecordingId, keywordId }: Order): StoredTimer {
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
  };
}

/** The timers afterwards, those that it left alone among them. */
function applied({ timers }: Household, { orders, continued, withdrawn }: Expansion): readonly StoredTimer[] {
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

const wants: fc.Arbitrary<Rule["wants"]> = fc.oneof(
  fc.constantFrom("10", "20").map((seriesId) => ({ kind: "series" as const, seriesId })),
  fc.constantFrom("stories", "harbour", "of night", "none").map((keyword) => ({
    kind: "keyword" as const,
    keyword,
  })),
);
const rules: fc.Arbitrary<readonly Rule[]> = fc
  .array(
    fc.record({
      wants,
      quality: fc.constantFrom(...RECORDING_QUALITIES),
      channelId: fc.option(fc.integer({ min: 1, max: CHANNELS }), { nil: undefined, freq: 3 }),
      startMinutes: fc.option(fc.integer({ min: 0, max: 1439 }), { nil: undefined, freq: 3 }),
    }),
    { maxLength: 4 },
  )
  .map((some) =>
    some.map(({ channelId, startMinutes, ...rule }, index) => ({
      ...rule,
      ...(channelId === undefined ? {} : { channelId }),
      ...(startMinutes === undefined ? {} : { startMinutes }),
      ...{ id: index + 1, accountId: "1", deviceId: 1, createdAt: NOW - DAY },
    })),
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
      const { episode: _e, seriesRecordingId: _s, keywordId: _k, ...own } = timer;
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
        const wanted = new Set(
          home.airings
            .filter(({ show }) => show.start > NOW && show.start < NOW + SERVER_LIMITS.expandAheadMs)
            .filter(({ show }) => !lost.has(show.id) && !manual.has(show.id))
            .filter((one) => home.rules.some((rule) => ruleMatches(rule, one, minuteOfDay)))
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
            const named = home.rules.filter(
              ({ id }) => id === timer.seriesRecordingId || id === timer.keywordId,
            );
            return (
              own !== undefined &&
              named.length > 0 &&
              named.every((rule) => ruleMatches(rule, own, minuteOfDay)) &&
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
        const ids = (each: Expansion) => ({
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
        const anyTime = some.map(({ startMinutes: _s, ...rule }) => rule);
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
const words = (keyword: string) => ({ kind: "keyword", keyword }) as const;

describe("an airing", () => {
  const rule = (quality: Rule["quality"]): Rule => ({
    ...{ id: 1, accountId: "1", deviceId: 1, createdAt: NOW, quality },
    wants: { kind: "series", seriesId: "10" },
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
    ["another series", { wants: { kind: "series", seriesId: "20" } }, false],
    ["its series", {}, true],
    ["only its episode", { wants: { kind: "series", seriesId: "10", only: onlyEpisode("10 s1e1") } }, true],
    ["only another", { wants: { kind: "series", seriesId: "10", only: onlyEpisode("10 s1e2") } }, false],
    ["words of its title, in any order and case", { wants: words("STORIES, Harbour!") }, true],
    ["parts of words", { wants: words("harb") }, false],
    ["its channel", { channelId: 2 }, true],
    ["another channel", { channelId: 3 }, false],
    ["another network", { networkId: 1 }, false],
    ["20 minutes later", { startMinutes: 14 * 60 + 20 }, true],
    ["40 minutes later", { startMinutes: 14 * 60 + 40 }, false],
  ] as const)("matches a rule that asks for %s, or not", (_what, asked, isWanted) => {
    const one = at(2, 5, true);
    const shown = { ...one, show: { ...one.show, title: "Harbour Stories" } };
    expect(ruleMatches({ ...rule("Prefer HD"), ...asked }, shown, minuteOfDay)).toBe(isWanted);
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
