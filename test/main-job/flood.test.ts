import { expect, it } from "vitest";
import { SECOND } from "../../src/model/time.ts";
import { recordThroughFlood } from "./flood.ts";

it("wrong passwords and megabytes from a stranger affect no recording, and are limited before they cost anything", async () => {
  const { answers, ready, known } = await recordThroughFlood(14 * SECOND);
  expect(Object.keys(ready)).toEqual(["200"]);
  expect(Object.keys(known)).toEqual(["200"]);
  // The limit is the same as for logins one after the other: ten of a name.
  expect(answers[401]).toBeGreaterThan(0);
  expect(answers[401]).toBeLessThanOrEqual(10);
  expect(answers[429]).toBeGreaterThan(100);
  expect(answers[200]).toBeUndefined();
});
