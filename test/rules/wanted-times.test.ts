import { describe, expect, it } from "vitest";
import { DAY, MINUTE } from "../../src/model/time.ts";
import { compileRule, fitsPlace } from "../../src/rules/compiled-rule.ts";
import { localTimeIn } from "../../src/rules/local-time.ts";
import { WantedTimes } from "../../src/rules/wanted-times.ts";
import { fc } from "../properties.ts";
import { NOW, ZONE } from "./generated-guide.ts";

const TIME_OF = localTimeIn(ZONE);

const minute = fc.nat(24 * 60 - 1);
const times = fc
  .record({
    weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 2 })),
    between: fc.option(fc.record({ from: minute, until: minute })),
    startMinutes: fc.option(minute),
  })
  .map(({ weekdays, between, startMinutes }) => ({
    ...(weekdays === null ? {} : { weekdays }),
    ...(between === null ? {} : { between }),
    ...(startMinutes === null ? {} : { startMinutes }),
  }));

function ruleOf(wants: object) {
  return compileRule({
    kind: "rule",
    id: 1,
    createdAt: 0,
    quality: "Prefer HD",
    wants: { words: "a", ...wants },
  });
}

describe("the times that rules want", () => {
  it("begin and end a part of a span that has every wanted start, also when the clocks change", () => {
    let narrowed = 0;
    fc.assert(
      fc.property(
        fc.array(times, { minLength: 1, maxLength: 2 }),
        fc.nat(9),
        fc.nat(DAY),
        (some, day, offset) => {
          const rules = some.map(ruleOf);
          const startFrom = NOW + day * DAY + offset;
          const span = { startFrom, startBefore: startFrom + DAY };
          const part = new WantedTimes(rules, TIME_OF).partOf(span);
          const starts = Array.from({ length: 24 * 60 }, (_, index) => startFrom + index * MINUTE);
          const wanted = starts.filter((start) =>
            rules.some((rule) => {
              const show = { channelId: 1, start, durationMinutes: 30 };
              return fitsPlace(rule, { show, isHd: true, networkId: undefined }, TIME_OF);
            }),
          );
          expect(
            wanted.filter(
              (start) => part === undefined || start < part.startFrom || start >= part.startBefore,
            ),
          ).toEqual([]);
          if (part === undefined || part.startBefore - part.startFrom < DAY) narrowed += 1;
        },
      ),
    );
    expect(narrowed).toBeGreaterThan(0);
  });

  it("are all where a rule names none", () => {
    const span = { startFrom: NOW, startBefore: NOW + DAY };
    const rules = [ruleOf({}), ruleOf({ weekdays: [1] })];
    expect(new WantedTimes(rules, TIME_OF).partOf(span)).toEqual(span);
  });
});
