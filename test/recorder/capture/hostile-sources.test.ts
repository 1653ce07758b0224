import { expect, it } from "vitest";
import { hostileEvening, hostMemoryLimitMiB } from "./hostile-evening.ts";

/** In portions of 20 ms. The floods fill every buffer in much less; `npm run test:long` takes five minutes. */
const THREE_SECONDS = 150;

it("thirty hostile sources in the capture host cost eight others no packet", async () => {
  const { good, hostile, hosts, hostPeakMiB } = await hostileEvening(THREE_SECONDS);
  expect(good).toHaveLength(8);
  expect(good.filter(({ isWhole }) => !isWhole)).toEqual([]);
  expect(hosts).toHaveLength(1);
  expect(hostPeakMiB).toBeLessThan(hostMemoryLimitMiB(38));
  for (const name of ["preliminary", "endless-header", "endless-field", "changing-tables"]) {
    expect(hostile[name]?.[0]).toBe("STREAM_EXCESSIVE");
  }
  expect(Object.values(hostile).flat()).not.toContain("CAPTURE_DIED");
});
