import { describe, expect, it } from "vitest";
import type { Evidence } from "../../src/model/evidence.ts";
import { HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
import { verdictOf } from "../../src/model/verdict.ts";

const AT = Date.UTC(2026, 10, 20, 20, 0);
const WHOLE: Evidence = {
  bytes: 1e9,
  segments: 1,
  eventMs: HOUR,
  eventCoveredMs: HOUR,
  windowMs: HOUR + 4 * MINUTE,
  windowCoveredMs: HOUR + 4 * MINUTE,
  continuityErrors: 0,
  transportErrors: 0,
  scrambledPackets: 0,
  clockBreaks: 0,
  damagedPackets: 0,
  junkBytes: 0,
  gaps: [],
};
const MANY = { continuityErrors: 9999, junkBytes: 9999 };
const gap = (ms: number) => [{ start: AT, stop: AT + ms }];

describe("the verdict on a recording", () => {
  it.each([
    ["perfect", "everything is there", {}],
    ["perfect", "a moment of the padding is missing", { gaps: gap(999) }],
    ["good", "a second of the padding is missing", { gaps: gap(SECOND) }],
    ["good", "a moment of the event is missing", { eventCoveredMs: HOUR - 2 }],
    ["good", "one packet is missing", { continuityErrors: 1 }],
    ["good", "one packet is damaged", { transportErrors: 1 }],
    ["good", "one packet is scrambled", { scrambledPackets: 1 }],
    ["good", "the clock broke once", { clockBreaks: 1 }],
    ["good", "a packet has a wrong sync byte", { damagedPackets: 1 }],
    ["good", "one byte of junk lies between packets", { junkBytes: 1 }],
    ["good", "a second in each minute has flaws", { ...MANY, flawedMs: 60 * SECOND }],
    ["damaged", "more of it has", { ...MANY, flawedMs: 60 * SECOND + 1 }],
    ["good", "there are only flaws that nobody sees", { ...MANY, flawedMs: 0 }],
    ["damaged", "more than 2 % of its bytes are no packets", { flawedMs: 0, junkBytes: 0.021e9 }],
    ["damaged", "more than 2 % of its packets are damaged", { flawedMs: 0, damagedPackets: 112_000 }],
    ["good", "an earlier version found a flaw a minute", { continuityErrors: 60 }],
    ["damaged", "it found more", { continuityErrors: 56, transportErrors: 5 }],
    ["good", "the counters of its tables stand still", { tableErrors: 60_000 }],
    ["damaged", "too little of the event is there", { eventCoveredMs: 0.979 * HOUR }],
    ["good", "enough of it is", { eventCoveredMs: 0.98 * HOUR }],
    ["damaged", "half of the event is there", { eventCoveredMs: 0.5 * HOUR }],
    ["unusable", "less than half is", { eventCoveredMs: 0.499 * HOUR }],
    ["unusable", "nothing is", { eventCoveredMs: 0 }],
  ] as const)("is %s when %s", (verdict, _when, change) => {
    expect(verdictOf({ ...WHOLE, ...change }, 0.98)).toBe(verdict);
  });

  it("counts started minutes, so that one second does not damage a short recording", () => {
    const short = { ...WHOLE, eventMs: 5000, eventCoveredMs: 5000, windowCoveredMs: 7000 };
    expect(verdictOf({ ...short, ...MANY, flawedMs: SECOND }, 0.98)).toBe("good");
    expect(verdictOf({ ...short, ...MANY, flawedMs: 2 * SECOND }, 0.98)).toBe("damaged");
  });
});
