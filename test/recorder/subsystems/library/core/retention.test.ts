import { describe, expect, it } from "vitest";
import type { LibraryEntry } from "../../../../../src/model/library.ts";
import {
  dueForRemoval,
  type RetentionPolicy,
} from "../../../../../src/recorder/subsystems/library/core/retention.ts";
import { fc } from "../../../../properties.ts";
import { entry, NOW } from "../entries.ts";

function gone(entries: readonly LibraryEntry[], policy: RetentionPolicy, freeBytes?: number): string[] {
  const question = freeBytes === undefined ? { now: NOW } : { freeBytes, now: NOW };
  return dueForRemoval(entries, policy, question).map((removal) => removal.entry.recordingId);
}

describe("retention", () => {
  it("removes nothing without configuration", () => {
    expect(gone([entry("a", { daysAgo: 3000, watched: true })], {}, 0)).toEqual([]);
  });

  it("removes by age, with a separate age for watched ones, and names the reason", () => {
    const entries = [
      entry("old", { daysAgo: 30 }),
      entry("new", { daysAgo: 29 }),
      entry("seen", { daysAgo: 2, watched: true }),
    ];
    expect(gone(entries, { days: 30, watchedDays: 2 })).toEqual(["old", "seen"]);
    const [first] = dueForRemoval(entries, { days: 30 }, { now: NOW });
    expect(first?.reason).toBe("older than 30 days");
  });

  it("keeps what somebody plays now, and gives it up last where a recording needs the room", () => {
    const entries = [
      entry("played", { daysAgo: 30, watched: true }),
      entry("film", { daysAgo: 3 }),
      entry("new", { daysAgo: 1 }),
    ];
    const isPlayed = (id: string) => id === "played";
    const removed = (policy: RetentionPolicy, more: object = {}) =>
      dueForRemoval(entries, policy, { now: NOW, isPlayed, ...more }).map(({ entry }) => entry.recordingId);
    expect(removed({ days: 20, watchedDays: 0, keepPerSeries: 0 })).toEqual(["film", "new"]);
    expect(removed({ freeBytes: 1 }, { freeBytes: 0 })).toEqual(["film"]);
    expect(removed({ freeBytes: 1e12 }, { freeBytes: 0 })).toEqual(["film", "new", "played"]);
  });

  it("keeps the newest of a series, or of a title without one", () => {
    const entries = [
      entry("s1", { series: "7", daysAgo: 3, name: "One" }),
      entry("s2", { series: "7", daysAgo: 1, name: "Two" }),
      entry("s3", { series: "7", daysAgo: 2, name: "Three" }),
      // Ids of the guide's series are no ids of series recordings.
      entry("g1", { guideSeries: "7", series: "7", daysAgo: 4 }),
      entry("g2", { guideSeries: "7", daysAgo: 5 }),
      entry("g3", { guideSeries: "7", daysAgo: 6 }),
      entry("n1", { name: "News", daysAgo: 1 }),
      entry("n2", { name: "NEWS", daysAgo: 2 }),
      entry("n3", { name: "news", daysAgo: 3 }),
      entry("other", { name: "Film", daysAgo: 100 }),
    ];
    expect(gone(entries, { keepPerSeries: 2 })).toEqual(["s1", "g3", "n3"]);
  });

  it("keeps the newest of a rule that says how many, whatever their titles, and leaves the others to the configuration", () => {
    const rule = { id: 3, keep: 2 };
    const entries = [
      entry("r1", { rule, daysAgo: 4, name: "One" }),
      entry("r2", { rule, daysAgo: 3, name: "Two" }),
      entry("r3", { rule, daysAgo: 2, name: "Three" }),
      entry("kept", { rule, daysAgo: 9, protected: true }),
      // Other rules, with no number of their own.
      entry("n1", { rule: { id: 4 }, daysAgo: 1, name: "News" }),
      entry("n2", { rule: { id: 5 }, daysAgo: 2, name: "News" }),
      entry("n3", { daysAgo: 3, name: "News" }),
    ];
    expect(gone(entries, {})).toEqual(["r1"]);
    expect(gone(entries, { keepPerSeries: 1 })).toEqual(["r1", "n2", "n3"]);
    expect(dueForRemoval(entries, {}, {})[0]?.reason).toBe("only the newest 2 of rule 3 are kept");
  });

  it("follows the newest recording of a rule that was changed", () => {
    const entries = [
      entry("old", { rule: { id: 3, keep: 9 }, daysAgo: 3 }),
      entry("older", { rule: { id: 3, keep: 1 }, daysAgo: 4 }),
      entry("new", { rule: { id: 3, keep: 2 }, daysAgo: 2 }),
    ];
    expect(gone(entries, {})).toEqual(["older"]);
    expect(gone([...entries, entry("last", { rule: { id: 3 } })], {})).toEqual([]);
  });

  it("frees just enough space, watched ones first, then the oldest", () => {
    const entries = [
      entry("oldest", { daysAgo: 9 }),
      entry("seen", { daysAgo: 1, watched: true }),
      entry("older", { daysAgo: 5 }),
    ];
    expect(gone(entries, { freeBytes: 5000 }, 5000)).toEqual([]);
    expect(gone(entries, { freeBytes: 5000 }, 4500)).toEqual(["seen"]);
    expect(gone(entries, { freeBytes: 5000 }, 3500)).toEqual(["seen", "oldest"]);
  });

  it("counts removals by age as freed space", () => {
    const entries = [entry("old", { daysAgo: 40 }), entry("new")];
    expect(gone(entries, { days: 30, freeBytes: 1000 }, 0)).toEqual(["old"]);
  });

  it("frees no space while the free space is unknown", () => {
    expect(gone([entry("a")], { freeBytes: 1e12 })).toEqual([]);
  });

  it("never touches protected or ending recordings, whatever the rules", () => {
    const any = fc.record({
      id: fc.integer({ min: 0, max: 9 }),
      daysAgo: fc.nat(100),
      watched: fc.boolean(),
      kept: fc.boolean(),
    });
    const rules = fc.record({ days: fc.nat(50), watchedDays: fc.nat(50), keepPerSeries: fc.constant(1) });
    fc.assert(
      fc.property(fc.uniqueArray(any, { selector: ({ id }) => id }), rules, (all, policy) => {
        const entries = all.map(({ id, daysAgo, watched, kept }) =>
          entry(String(id), { daysAgo, watched, protected: kept, name: "News" }),
        );
        const removed = dueForRemoval(entries, { ...policy, freeBytes: 1e9 }, { freeBytes: 0, now: NOW });
        return removed.every((removal) => !removal.entry.protected);
      }),
    );
  });
});
