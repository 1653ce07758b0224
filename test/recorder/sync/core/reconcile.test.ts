import { describe, expect, it } from "vitest";
import { MINUTE } from "../../../../src/model/time.ts";
import type { Timer, TimerList } from "../../../../src/model/timer.ts";
import { isKnownList, reconcile } from "../../../../src/recorder/sync/core/reconcile.ts";
import { fc } from "../../../properties.ts";
import { EIGHT, timer } from "../../engine/runtime/world.ts";

const someTimer: fc.Arbitrary<Timer> = fc
  .record({
    id: fc.integer({ min: 1, max: 8 }).map(String),
    startMin: fc.integer({ min: 0, max: 100 }),
    action: fc.constantFrom("record" as const, "forget" as const),
    name: fc.constantFrom("News", "Film"),
  })
  .map(({ id, startMin, action, name }) =>
    timer(id, {
      name,
      action,
      event: { start: EIGHT + startMin * MINUTE, stop: EIGHT + (startMin + 30) * MINUTE },
    }),
  );
const listOf = (timers: readonly Timer[]): TimerList => ({ timers, malformed: [] });
const byId = (timers: readonly Timer[]) => Object.fromEntries(timers.map((one) => [one.id, one]));

describe("reconcile", () => {
  it("finds no change between a list and itself", () => {
    fc.assert(
      fc.property(fc.uniqueArray(someTimer, { selector: ({ id }) => id }), (timers) => {
        const held = byId(timers.filter(({ action }) => action !== "forget"));
        return reconcile(held, listOf(Object.values(held))).length === 0;
      }),
    );
  });

  it("R-14 a list is known exactly where it has no change and every entry can be read", () => {
    fc.assert(
      fc.property(
        fc.array(someTimer),
        fc.array(someTimer),
        fc.boolean(),
        fc.boolean(),
        (before, list, isSame, isTorn) => {
          const held = byId(before.filter(({ action }) => action !== "forget"));
          const timers = isSame ? Object.values(held) : list;
          const malformed = isTorn ? [{ id: "9", reason: "It cannot be read." }] : [];
          const isKnown = !isTorn && reconcile(held, listOf(timers)).length === 0;
          // Twice, as the answer about the very same timers is kept, but not for another plan.
          const answers = [held, held, {}, held].map((known) => isKnownList(known, { timers, malformed }));
          return answers.every((answer, at) =>
            at === 2 ? answer === (!isTorn && timers.length === 0) : answer === isKnown,
          );
        },
      ),
    );
  });

  it("R-13 gives the same changes for every order of a list, with the withdrawals first", () => {
    fc.assert(
      fc.property(
        fc.array(someTimer),
        fc.array(someTimer),
        fc.infiniteStream(fc.nat()),
        (before, list, chance) => {
          const held = byId(before.filter(({ action }) => action !== "forget"));
          const shuffled = list
            .map((one) => ({ one, at: chance.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ one }) => one);
          const changes = reconcile(held, listOf(list));
          const lastForget = changes.findLastIndex(({ kind }) => kind === "withdrawn");
          const firstOther = changes.findIndex(({ kind }) => kind !== "withdrawn");
          return (
            JSON.stringify(changes) === JSON.stringify(reconcile(held, listOf(shuffled))) &&
            (firstOther === -1 || lastForget < firstOther)
          );
        },
      ),
    );
  });

  it("applies nothing from an empty list", () => {
    expect(reconcile({ "1": timer("1") }, listOf([]))).toEqual([]);
  });

  it("ignores our own state, echoed by the service", () => {
    expect(reconcile({ "1": timer("1") }, listOf([timer("1", { state: "running" })]))).toEqual([]);
  });

  it("finds a change where the rule of a timer has changed", () => {
    const rule = { id: 3, keep: 2, priority: 60, folder: "Kids" };
    const held = { "1": timer("1", { rule }) };
    const kinds = (next: Timer) => reconcile(held, listOf([next])).map(({ kind }) => kind);
    expect(kinds(timer("1", { rule: { ...rule } }))).toEqual([]);
    for (const other of [{ id: 4 }, { keep: 3 }, { priority: 70 }, { folder: "Films" }]) {
      expect(kinds(timer("1", { rule: { ...rule, ...other } }))).toEqual(["changed"]);
    }
    expect(kinds(timer("1"))).toEqual(["changed"]);
  });

  it("prefers a forget to a record of the same id", () => {
    const list = listOf([timer("1", { action: "forget" }), timer("1")]);
    expect(reconcile({}, list).map(({ kind }) => kind)).toEqual(["withdrawn"]);
  });
});
