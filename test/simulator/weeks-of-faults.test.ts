import { describe, it } from "vitest";
import { casesOf, IS_LONG } from "../lane.ts";
import { surviveWeek, surviveWeeks } from "./weeks.ts";

describe("R-01 … R-45 weeks with every kind of fault", () =>
  surviveWeeks(1, casesOf({ sample: 1, all: 200 })));

describe.runIf(IS_LONG)("weeks that once revealed a fault of the recorder", () => {
  it("R-42 two recordings that wait for one tuner do not send a new report every second", () =>
    surviveWeek(213));
  it("R-15 an entry that was unreadable at first is recorded once it is readable", () => surviveWeek(218));
});
