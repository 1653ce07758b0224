import { describe, expect, it } from "vitest";
import type { Rule } from "../../src/model/rule.ts";
import { DAY } from "../../src/model/time.ts";
import { compileRule } from "../../src/rules/compiled-rule.ts";
import { episodeOf } from "../../src/rules/episode.ts";
import { type Expansion, expand } from "../../src/rules/expansion.ts";
import { localTimeIn } from "../../src/rules/local-time.ts";
import type { ExpandedTimer } from "../../src/rules/orders.ts";
import { RuleSet } from "../../src/rules/rule-set.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";
import { changed, changes, HD_CHANNELS, NOW, rules, shows, ZONE } from "./generated-guide.ts";
import { type ReferenceShow, referenceTimers, type Settled } from "./reference.ts";

type Timer = ExpandedTimer & { readonly ruleId: number };

function guideOf(some: readonly ReferenceShow[]) {
  return { shows: some, hdChannels: HD_CHANNELS, zone: ZONE, now: NOW };
}

/** The result of src/rules for the same guide, with the timers of an earlier time. */
function expanded(
  guide: readonly ReferenceShow[],
  some: readonly Rule[],
  { settled, timers }: { readonly settled: Settled; readonly timers: readonly Timer[] },
): Expansion<Timer, ReferenceShow> {
  const set = new RuleSet(
    some.map(({ id, createdAt, name: _name, deviceId: _device, ...order }) =>
      compileRule({ ...order, kind: "rule", id, createdAt, wants: order }),
    ),
    localTimeIn(ZONE),
  );
  const done = new Map(settled.done.map(({ show, became, at }) => [episodeOf(show), { became, at }]));
  const ordered = guide.filter(({ id }) => settled.orderedShowIds.includes(id));
  const manual = ordered.map((show): Timer => ({ ...timerOf(show, 0), state: "running", ruleId: 0 }));
  return expand<Timer, ReferenceShow>({
    airings: guide.map((show) => {
      const airing = { show, isHd: HD_CHANNELS.includes(show.channelId), networkId: undefined };
      return { ...airing, episode: episodeOf(show), rules: set.wanting(airing) };
    }),
    timers: [...timers, ...manual],
    doneOf: (episode) => done.get(episode),
    episodeOfTimer: (timer) => timer.episode,
    now: NOW,
  });
}

function timerOf(show: ReferenceShow, ruleId: number): Timer {
  const { id, channelId, title: name, start, durationMinutes } = show;
  const place = { channelId, showId: id, name, start, durationMinutes };
  return { id: String(id), ...place, action: "record", state: "waiting", episode: episodeOf(show), ruleId };
}

function made({ orders, continued }: Expansion<Timer, ReferenceShow>): readonly Timer[] {
  return [...orders, ...continued.map(({ order }) => order)].map(({ show, rule }) =>
    timerOf(show, rule?.id ?? 0),
  );
}

function placesOf(timers: readonly Timer[]) {
  return timers.map(({ showId, ruleId }) => ({ showId, ruleId })).sort((a, b) => a.showId - b.showId);
}

const settledAmong = (guide: readonly ReferenceShow[]): fc.Arbitrary<Settled> =>
  fc
    .record({
      ordered: fc.array(fc.nat(59), { maxLength: 2 }),
      done: fc.array(
        fc.record({
          index: fc.nat(59),
          became: fc.constantFrom("recorded" as const, "declined" as const),
          daysAgo: fc.constantFrom(2, 4),
        }),
        { maxLength: 4 },
      ),
    })
    .map(({ ordered, done }) => ({
      orderedShowIds: ordered.flatMap((index) => guide[index]?.id ?? []),
      done: done.flatMap(({ index, became, daysAgo }) => {
        const show = guide[index];
        return show === undefined ? [] : [{ show, became, at: NOW - daysAgo * DAY }];
      }),
    }))
    // Two outcomes of one episode would need an order.
    .filter(({ done }) => new Set(done.map(({ show }) => episodeOf(show))).size === done.length);

const world = shows.chain((guide) =>
  fc.record({ guide: fc.constant(guide), rules, settled: settledAmong(guide), changes }),
);

describe("the expansion of rules", () => {
  it("agrees with a reference that shares no code with it, also after the guide has changed", () => {
    let timersSeen = 0;
    fc.assert(
      fc.property(world, ({ guide, rules: some, settled, changes: later }) => {
        const first = made(expanded(guide, some, { settled, timers: [] }));
        expect(placesOf(first)).toEqual(referenceTimers(guideOf(guide), some, settled));
        timersSeen += first.length;
        const next = changed(guide, later);
        const again = made(expanded(next, some, { settled, timers: first }));
        expect(placesOf(again)).toEqual(referenceTimers(guideOf(next), some, settled));
        const identified = again.filter(({ episode }) => !episode?.includes("@"));
        expect(new Set(identified.map(({ episode }) => episode)).size).toBe(identified.length);
      }),
      { numRuns: casesOf({ sample: 60, all: 1000 }) },
    );
    expect(timersSeen).toBeGreaterThan(300);
  });
});
