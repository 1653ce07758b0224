import { expect, it } from "vitest";
import { MINUTE, SECOND } from "../../src/model/time.ts";
import { recordThroughFlood } from "./flood.ts";

it("a minute of a thousand wrong passwords a second and megabytes of XML affects no recording", async () => {
  const flooded = await recordThroughFlood(MINUTE);
  process.stdout.write(`${JSON.stringify(flooded)}\n`);
  expect(Object.keys(flooded.ready)).toEqual(["200"]);
  expect(Object.keys(flooded.known)).toEqual(["200"]);
  // The limit is the same as for logins one after the other: ten of a name.
  expect(flooded.answers[401]).toBeGreaterThan(0);
  expect(flooded.answers[401]).toBeLessThanOrEqual(10);
  expect(flooded.answers[429]).toBeGreaterThan(100);
  expect(flooded.answers[200]).toBeUndefined();
  expect(flooded.sent / (flooded.ms / SECOND)).toBeGreaterThan(900);
});
