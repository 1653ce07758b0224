import { describe, expect, it } from "vitest";
import { MODEL_LIMITS } from "../../src/model/limits.ts";
import {
  isSetAside,
  type SetAside,
  setAsideNow,
  starvedBy,
  type Work,
  workLine,
  workOf,
} from "../../src/model/set-aside.ts";
import { DAY, HOUR } from "../../src/model/time.ts";
import { anyText, fc } from "../properties.ts";

const NOW = Date.UTC(2026, 10, 23);
const hook = (subject: string): Work => ({ kind: "hook", subject });
const TIMERS: Work = { kind: "guide-document", subject: "timers" };

describe("work that starved the loop", () => {
  it("is set aside for an hour, then twice as long each time, at most a day", () => {
    let list: readonly SetAside[] = [];
    const hours: number[] = [];
    for (let times = 0; times < 7; times += 1) {
      const at = NOW + times * DAY;
      list = starvedBy(list, TIMERS, at);
      hours.push(((list[0]?.until ?? 0) - at) / HOUR);
    }
    expect(hours).toEqual([1, 2, 4, 8, 16, 24, 24]);
  });

  it("is forgotten after a week", () => {
    const list = starvedBy([], TIMERS, NOW);
    expect(starvedBy(list, hook("1"), NOW + MODEL_LIMITS.setAsideForgetMs)).toHaveLength(1);
  });

  it("is recognised by its line, whatever its subject contains", () => {
    const work = hook(`ä"\n${"x".repeat(300)}`);
    const list = starvedBy([], workOf(workLine(work)) ?? TIMERS, NOW);
    expect(isSetAside(list, work, NOW)).toBe(true);
  });

  it("is set aside alone until three of its kind are", () => {
    const two = starvedBy(starvedBy([], hook("1"), NOW), hook("2"), NOW);
    expect(isSetAside(two, hook("1"), NOW)).toBe(true);
    expect(isSetAside(two, hook("4"), NOW)).toBe(false);
    const three = starvedBy(two, hook("3"), NOW);
    expect(isSetAside(three, hook("4"), NOW)).toBe(true);
    expect(isSetAside(three, TIMERS, NOW)).toBe(false);
    expect(isSetAside(three, hook("1"), NOW + HOUR)).toBe(false);
  });

  it("returns after at most a day, even if the clock was set meanwhile", () => {
    const list = starvedBy([], TIMERS, NOW);
    expect(setAsideNow(list, NOW - 30 * DAY)).toEqual([]);
  });

  it("has a limited number of entries: the oldest is forgotten", () => {
    let list: readonly SetAside[] = [];
    for (let each = 0; each < 1000; each += 1) list = starvedBy(list, hook(String(each)), NOW);
    expect(list).toHaveLength(MODEL_LIMITS.setAsideKept);
    expect(list.at(-1)).toMatchObject({ subject: "999" });
  });
});

describe("the line of suspended work", () => {
  it("is one short line of JSON, whatever its subject contains, and names the same kind when read again", () => {
    const anything = fc.oneof(anyText({ maxLength: 1000 }), fc.constant('\0"\\\n\ud800$`'));
    fc.assert(
      fc.property(anything, (subject) => {
        const line = workLine(hook(subject));
        return (
          JSON.stringify(line) === `"${line}"` &&
          Buffer.byteLength(line) < 200 &&
          workLine(workOf(line) ?? TIMERS) === line
        );
      }),
    );
  });

  it("of an unknown kind names nothing", () => {
    for (const line of ["", "hooks 1", "__proto__ 1", "\0"]) expect(workOf(line)).toBeUndefined();
  });
});
