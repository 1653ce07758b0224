import { expect, it } from "vitest";
import { casesOf } from "../../lane.ts";
import { compareRemedies } from "./tried-out.ts";

const INSTANCES = casesOf({ sample: 30, all: 2000 });

it("remedies are the smallest sufficient ones within the range of priorities, and their absence is reported", () => {
  const seen = compareRemedies(INSTANCES);
  expect(seen.withdraw).toBeGreaterThan(INSTANCES / 3);
  expect(seen["raise-priority"]).toBeGreaterThan(INSTANCES / 6);
  expect(seen.none).toBeGreaterThan(INSTANCES / 30);
});
