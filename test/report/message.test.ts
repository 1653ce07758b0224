import { expect, it } from "vitest";
import type { Evidence, Recording } from "../../src/model/recording.ts";
import { DAY, HOUR, MINUTE } from "../../src/model/time.ts";
import { lossText, spanText } from "../../src/report/message.ts";

const AT = Date.UTC(2026, 10, 20, 20, 5);
const berlin = { timeZone: "Europe/Berlin" };

it("R-01 a span of a day or more names its days: times alone would be those of minutes", () => {
  expect(spanText({ start: AT, stop: AT + 2 * DAY + 95 * MINUTE }, berlin)).toBe("20 Nov 21:05–22 Nov 22:40");
  expect(spanText({ start: AT, stop: AT + DAY }, berlin)).toBe("20 Nov 21:05–21 Nov 21:05");
});

it("a shorter span is given by its times, across midnight too", () => {
  expect(spanText({ start: AT, stop: AT + 95 * MINUTE }, berlin)).toBe("21:05–22:40");
  expect(spanText({ start: AT, stop: AT + 23 * HOUR }, berlin)).toBe("21:05–20:05");
});

const WHOLE: Evidence = {
  file: "/recordings/news.ts",
  bytes: 1e9,
  segments: 1,
  eventMs: HOUR,
  eventCoveredMs: HOUR,
  windowMs: HOUR,
  windowCoveredMs: HOUR,
  continuityErrors: 0,
  transportErrors: 0,
  scrambledPackets: 0,
  gaps: [],
};

it.each([
  ["2 damaged packets, 940 bytes of junk", { damagedPackets: 2, junkBytes: 940 }],
  ["1 damaged packet", { damagedPackets: 1, junkBytes: 0 }],
  ["1 byte of junk", { damagedPackets: 0, junkBytes: 1 }],
  ["3 damaged packets", { junkPackets: 3 }],
  ["no errors", { damagedPackets: 0, junkBytes: 0 }],
])("a message tells damaged packets from junk: %s", (text, damage) => {
  const recording = { state: "completed", evidence: { ...WHOLE, ...damage } } as Recording;
  expect(lossText(recording, berlin)).toBe(`Damaged (${text})`);
});
