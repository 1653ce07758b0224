import { describe, expect, it } from "vitest";
import { type Airing, type KnownAiring, matchAirings } from "../../../src/guide-server/xmltv/match.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../src/model/time.ts";
import { fc } from "../../properties.ts";

const airing = (start: number, title: string, episode = ""): Airing => ({
  start,
  stop: start + 30 * MINUTE,
  title,
  episode,
});
const known = (id: number, start: number, title: string, episode = ""): KnownAiring => ({
  ...airing(start, title, episode),
  id,
});

const someAirings = fc.array(
  fc.record({
    slot: fc.integer({ min: 0, max: 40 }),
    title: fc.constantFrom("News", "The Salt Road", "Salt Road", "Quiz"),
    episode: fc.constantFrom("", "s1e1", "s1e2"),
  }),
  { maxLength: 30 },
);
const placed = (slots: readonly { slot: number; title: string; episode: string }[]) =>
  slots.map(({ slot, title, episode }) => airing(slot * 30 * MINUTE, title, episode));
const withIds = (airings: readonly Airing[]) => airings.map((each, index) => ({ ...each, id: 100 + index }));

describe("broadcasts of a listing", () => {
  it("match at most one known broadcast each, whatever the listings", () => {
    fc.assert(
      fc.property(someAirings, someAirings, (before, after) => {
        const ids = matchAirings(withIds(placed(before)), placed(after)).filter((id) => id !== undefined);
        return new Set(ids).size === ids.length && ids.every((id) => id >= 100 && id < 100 + before.length);
      }),
    );
  });

  it("all match if the listing is the same, in any order", () => {
    const distinct = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 40 });
    fc.assert(
      fc.property(distinct, (slots) => {
        const airings = slots.map((slot) => airing(slot * 30 * MINUTE, `Title ${slot % 3}`, `e${slot % 5}`));
        const ids = matchAirings(withIds(airings), [...airings].reverse());
        return ids.every((id, index) => id === 100 + airings.length - 1 - index);
      }),
    );
  });

  it("follow a late evening, each by its title", () => {
    const evening = ["News", "Quiz", "Film"].map((title, index) => airing(index * HOUR, title));
    const late = evening.map((each) => ({ ...each, start: each.start + 25 * MINUTE }));
    expect(matchAirings(withIds(evening), late)).toEqual([100, 101, 102]);
  });

  it("follow an episode for days, and not beyond", () => {
    const before = [known(1, 0, "Road", "s1e1"), known(2, 20 * DAY, "Road", "s1e2")];
    expect(matchAirings(before, [airing(2 * DAY, "Road", "s1e1")])).toEqual([1]);
    expect(matchAirings(before, [airing(9 * DAY, "Road", "s1e1")])).toEqual([undefined]);
  });

  it("never match another episode of the same title, or another programme at the same time", () => {
    expect(matchAirings([known(1, 0, "Road", "s1e1")], [airing(HOUR, "Road", "s1e2")])).toEqual([undefined]);
    expect(matchAirings([known(1, 0, "Quiz")], [airing(0, "Film")])).toEqual([undefined]);
  });

  it("match under a longer title", () => {
    expect(matchAirings([known(1, 0, "Salt Road")], [airing(0, "NEW: Salt Road")])).toEqual([1]);
  });

  it("are matched in bounded memory if a channel shows one title every second", () => {
    const hours = Array.from({ length: 20_000 }, (_, index) => airing(index * SECOND, "Shop"));
    const shifted = hours.map((each) => ({ ...each, start: each.start + SECOND / 2 }));
    expect(matchAirings(withIds(hours), shifted).filter((id) => id === undefined)).toEqual([]);
  });

  it("are matched in good time if a channel shows one title all year", () => {
    const year = Array.from({ length: 17_520 }, (_, index) => airing(index * 30 * MINUTE, "Shop"));
    const shifted = year.map((each) => ({ ...each, start: each.start + 7 * MINUTE }));
    expect(matchAirings(withIds(year), shifted).filter((id) => id === undefined)).toEqual([]);
  });
});
