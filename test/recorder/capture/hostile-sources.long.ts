import { expect, it } from "vitest";
import { hostileEvening, hostMemoryLimitMiB } from "./hostile-evening.ts";

const FIVE_MINUTES = 15_000;

it("thirty hostile sources in the capture host cost eight others no packet in five minutes", {
  timeout: 3_600_000,
}, async () => {
  const { good, hostile, hosts, hostPeakMiB } = await hostileEvening(FIVE_MINUTES);
  const causes = Object.entries(hostile).map(([name, all]) => `${name}: ${[...new Set(all)].join(", ")}`);
  process.stdout.write(`the host held ${Math.round(hostPeakMiB)} MiB at most\n${causes.join("\n")}\n`);
  expect(good).toHaveLength(8);
  expect(good.filter(({ isWhole }) => !isWhole)).toEqual([]);
  expect(hosts).toHaveLength(1);
  expect(hostPeakMiB).toBeLessThan(hostMemoryLimitMiB(38));
  expect(Object.values(hostile).flat()).not.toContain("CAPTURE_DIED");
});
