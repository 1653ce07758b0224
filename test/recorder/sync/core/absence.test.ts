import { describe, expect, it } from "vitest";
import { MINUTE } from "../../../../src/model/time.ts";
import type { Timer, TimerList } from "../../../../src/model/timer.ts";
import {
  type AbsenceMemory,
  countAbsence,
  NOTHING_MISSING,
} from "../../../../src/recorder/sync/core/absence.ts";
import { fc } from "../../../properties.ts";
import { EIGHT, timer } from "../../engine/runtime/world.ts";

const POLICY = { shareMin: 0.5, confirmPolls: 3, confirmMs: 10 * MINUTE };
const FOUR = ["1", "2", "3", "4"];
const NOON = EIGHT - 8 * 60 * MINUTE;

const eventOf = (id: string) => {
  const start = EIGHT + Number(id) * 60 * MINUTE;
  return { start, stop: start + 30 * MINUTE };
};
const timers = (ids: readonly string[]): readonly Timer[] =>
  ids.map((id) => timer(id, { event: eventOf(id) }));
const listOf = (ids: readonly string[], more: Partial<TimerList> = {}): TimerList => ({
  timers: timers(ids),
  malformed: [],
  ...more,
});

/** Polls a service every five minutes, as a recorder that holds four timers. */
class Polls {
  memory: AbsenceMemory = NOTHING_MISSING;
  minute = 0;
  readonly held: Readonly<Record<string, Timer>>;

  constructor(held: readonly string[] = FOUR) {
    this.held = Object.fromEntries(timers(held).map((one) => [one.id, one]));
  }

  poll(list: TimerList, afterMinutes = 5, now = NOON): readonly string[] {
    this.minute += afterMinutes;
    const { memory, confirmed } = countAbsence({
      memory: this.memory,
      held: this.held,
      list,
      policy: POLICY,
      now: now + this.minute * MINUTE,
      monotonicMs: this.minute * MINUTE,
    });
    this.memory = memory;
    return confirmed;
  }

  get alarm(): boolean {
    return this.memory.shortList !== undefined;
  }
}

describe("R-12 a timer that is absent from the list", () => {
  it("is withdrawn after three further polls without it", () => {
    const polls = new Polls();
    const found = [1, 2, 3, 4].map(() => polls.poll(listOf(["1", "2", "3"])));
    expect(found).toEqual([[], [], [], ["4"]]);
    expect(polls.alarm).toBe(false);
  });

  it("is not withdrawn for any number of polls within some minutes", () => {
    const polls = new Polls();
    for (let tries = 0; tries < 9; tries += 1) expect(polls.poll(listOf(["1", "2", "3"]), 1)).toEqual([]);
    expect(polls.poll(listOf(["1", "2", "3"]), 2)).toEqual(["4"]);
  });

  it("restarts its count after the timer reappears", () => {
    const polls = new Polls();
    for (let tries = 0; tries < 20; tries += 1) {
      expect(polls.poll(listOf(tries % 3 === 2 ? FOUR : ["1", "2", "3"]))).toEqual([]);
    }
  });

  it("counts as present if its entry is unreadable, or if an unreadable entry has no id", () => {
    const polls = new Polls();
    for (let tries = 0; tries < 9; tries += 1) {
      expect(polls.poll(listOf(["1", "2", "3"], { malformed: [{ id: "4", reason: "torn" }] }))).toEqual([]);
      expect(polls.poll(listOf([], { malformed: [{ reason: "torn" }] }))).toEqual([]);
    }
    expect(polls.alarm).toBe(false);
  });

  it("counts as present if its event has a new id", () => {
    const polls = new Polls(["1"]);
    const renamed = [timer("77", { event: eventOf("1") })];
    for (let tries = 0; tries < 9; tries += 1)
      expect(polls.poll(listOf([], { timers: renamed }))).toEqual([]);
    expect(polls.alarm).toBe(false);
  });

  it("is ignored once its event is over", () => {
    const polls = new Polls(["1"]);
    for (let tries = 0; tries < 9; tries += 1) {
      expect(polls.poll(listOf([]), 5, eventOf("1").stop)).toEqual([]);
      expect(polls.alarm).toBe(false);
    }
  });
});

describe("R-12 a list", () => {
  it.each([[[]], [["1"]]])("with %j of four timers is a short list until it is complete again", (ids) => {
    const polls = new Polls();
    expect(polls.poll(listOf(ids))).toEqual([]);
    expect(polls.memory.shortList).toEqual({ since: NOON + 5 * MINUTE, listed: ids.length, held: 4 });
    polls.poll(listOf(ids));
    expect(polls.memory.shortList?.since).toBe(NOON + 5 * MINUTE);
    expect(polls.poll(listOf(FOUR))).toEqual([]);
    expect(polls.alarm).toBe(false);
  });

  it("without timers is accepted after three further polls, and the alarm ends", () => {
    const polls = new Polls();
    const found = [1, 2, 3, 4, 5].map(() => polls.poll(listOf([])));
    expect(found).toEqual([[], [], [], FOUR, FOUR]);
    expect(polls.alarm).toBe(false);
  });

  it("that answered 404 raises the alarm and withdraws nothing, however often it comes", () => {
    const polls = new Polls();
    const missing = listOf([], { isNotFound: true });
    expect(Array.from({ length: 9 }, () => polls.poll(missing)).flat()).toEqual([]);
    expect(polls.memory.shortList).toEqual({ since: NOON + 5 * MINUTE, listed: 0, held: 4 });
    const [first] = [1, 2, 3, 4].map(() => polls.poll(listOf([])));
    expect([first, polls.alarm]).toEqual([[], false]);
    polls.poll(listOf(FOUR));
    polls.poll(missing);
    expect([polls.poll(listOf(FOUR)), polls.alarm]).toEqual([[], false]);
  });

  it("without timers does not confirm an absence that valid lists began", () => {
    const polls = new Polls();
    for (let tries = 0; tries < 3; tries += 1) polls.poll(listOf(["1", "2", "3"]));
    expect(polls.poll(listOf([]))).toEqual([]);
    expect(polls.poll(listOf(["1", "2", "3"]))).toEqual([]);
  });

  it("R-13 means the same in any order", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(FOUR), fc.shuffledSubarray(FOUR), (first, second) => {
        const [one, other] = [new Polls(), new Polls()];
        one.poll(listOf(first));
        other.poll(listOf([...first].sort()));
        const a = one.poll(listOf(second));
        const b = other.poll(listOf([...second].sort()));
        return JSON.stringify([a, one.memory]) === JSON.stringify([b, other.memory]);
      }),
    );
  });

  it("never withdraws a timer that is in one of the last four lists, whatever the lists", () => {
    const ids = fc.array(fc.subarray(FOUR), { maxLength: 30 });
    fc.assert(
      fc.property(ids, (lists) => {
        const polls = new Polls();
        return lists.every((list, at) => {
          const lately = new Set(lists.slice(Math.max(0, at - 3), at + 1).flat());
          return polls.poll(listOf(list)).every((id) => at >= 3 && !lately.has(id));
        });
      }),
    );
  });
});
