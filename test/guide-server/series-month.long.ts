import { describe, expect, it } from "vitest";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import { CHANNELS } from "../../src/simulator/weeks/setting.ts";
import type { Airing } from "./month-of.ts";
import { liveThroughMonth, type MonthResult, type Outcome, TOLD_AFTER_MS } from "./series-month.ts";

/** In two weeks, every kind of change and repeat meets several episodes of each series. */
const DAYS = 28;

const idOf = ({ seriesId, episode }: Airing) => `${seriesId} ${episode}`;
const stopOf = ({ start, minutes }: Airing) => start + minutes * MINUTE;
const multiplexOf = (channelId: number | string) =>
  CHANNELS.find(({ id }) => id === String(channelId))?.triplets[0]?.tsid;

/** Episodes of what the household has booked, with all their airings. */
function wantedOf({ month }: MonthResult): ReadonlyMap<string, readonly Airing[]> {
  const wanted = new Map<string, Airing[]>();
  for (const airing of month.airings) {
    const isWanted = month.wishes.some((wish) =>
      wish.kind === "series" ? wish.seriesId === airing.seriesId : airing.title === "Night Ferry",
    );
    if (isWanted) wanted.set(idOf(airing), [...(wanted.get(idOf(airing)) ?? []), airing]);
  }
  return wanted;
}

function recordedOf({ outcomes }: MonthResult): readonly Outcome[] {
  return outcomes.filter(({ recording }) => recording.state === "completed");
}

/** How many other multiplexes were recorded from while this one was on. */
function othersAt(result: MonthResult, airing: Airing): number {
  const margin = 5 * MINUTE;
  const others = recordedOf(result).filter(
    ({ recording }) =>
      recording.event.start < stopOf(airing) + margin && recording.event.stop > airing.start - margin,
  );
  const multiplexes = new Set(others.map(({ recording }) => multiplexOf(recording.channelId)));
  multiplexes.delete(multiplexOf(airing.channelId));
  return multiplexes.size;
}

function expectTrue(result: MonthResult): void {
  expect(result.bugs).toEqual([]);
  for (const { recording, airing } of recordedOf(result)) {
    // The recording matches the event that was on the air, not the first announcement.
    expect([recording.channelId, recording.event.start]).toEqual([String(airing?.channelId), airing?.start]);
  }
  const episodes = recordedOf(result).map(({ airing }) => (airing === undefined ? "?" : idOf(airing)));
  expect(new Set(episodes).size).toBe(episodes.length);
  expect(episodes.filter((episode) => !wantedOf(result).has(episode))).toEqual([]);
}

describe("a month of series that move, get new ids, repeat, and run on two channels at once", () => {
  it.each([1])(
    "gives each wanted episode exactly once with enough tuners: seed %i",
    { timeout: 600_000 },
    async (seed) => {
      const result = await liveThroughMonth({ seed, tuners: 3, days: DAYS });
      expectTrue(result);
      const wanted = [...wantedOf(result).keys()];
      const recorded = recordedOf(result).map(({ airing }) => (airing === undefined ? "?" : idOf(airing)));
      expect([...recorded].sort()).toEqual(wanted.sort());
      expect(wanted.length).toBeGreaterThan(15);
    },
  );

  it.each([5])(
    "gives each wanted episode at most once with one tuner, and exactly once if the tuner was free: seed %i",
    { timeout: 600_000 },
    async (seed) => {
      const result = await liveThroughMonth({ seed, tuners: 1, days: DAYS });
      expectTrue(result);
      const recorded = new Set(recordedOf(result).map(({ airing }) => airing && idOf(airing)));
      const lost = result.outcomes.filter(({ recording }) =>
        ["failed", "missed", "partial"].includes(recording.state),
      );
      for (const [episode, airings] of wantedOf(result)) {
        if (recorded.has(episode)) continue;
        const tried = lost.flatMap(({ airing }) =>
          airing !== undefined && idOf(airing) === episode ? [airing] : [],
        );
        const untried = airings.filter((airing) => !tried.includes(airing));
        // Every one that was tried was taken by another, and whatever came after its loss was known was tried.
        expect([episode, tried.length > 0, tried.every((airing) => othersAt(result, airing) > 0)]).toEqual([
          episode,
          true,
          true,
        ]);
        const known = Math.min(...tried.map(stopOf)) + TOLD_AFTER_MS;
        expect(untried.filter(({ start }) => start > known + HOUR)).toEqual([]);
      }
      expect(lost.length).toBeGreaterThan(0);
      // Some of what was lost was recorded on its next airing.
      expect(lost.some(({ airing }) => airing !== undefined && recorded.has(idOf(airing)))).toBe(true);
    },
  );
});
