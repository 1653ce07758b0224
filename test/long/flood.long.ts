import { expect, it } from "vitest";
import { MINUTE, SECOND } from "../../src/model/time.ts";
import { recordThroughFlood } from "../main-job/flood.ts";

it("a minute of a thousand wrong passwords a second and megabytes of XML affects no recording", async () => {
  const flooded = await recordThroughFlood(MINUTE);
  process.stdout.write(`${JSON.stringify(flooded)}\n`);
  expect(Object.keys(flooded.ready)).toEqual(["200"]);
  expect(Object.keys(flooded.known)).toEqual(["200"]);
  expect(flooded.answers[401]).toBeLessThanOrEqual(10);
  expect(flooded.sent / (flooded.ms / SECOND)).toBeGreaterThan(900);
});
