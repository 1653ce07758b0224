import { expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "../../src/model/time.ts";
import { spanText } from "../../src/report/message.ts";

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
