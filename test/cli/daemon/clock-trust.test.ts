import { expect, it } from "vitest";
import { clockTrust } from "../../../src/cli/daemon/clock-trust.ts";
import { silentLog } from "../../../src/kit/log.ts";
import type { KernelClock } from "../../../src/model/clock-trust.ts";
import { DAY, HOUR, SECOND } from "../../../src/model/time.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";

async function server() {
  const clock = createVirtualClock(Date.UTC(2026, 10, 20, 20));
  const warnings: unknown[] = [];
  let kernel: KernelClock = "silent";
  const isTrusted = await clockTrust({
    clock,
    log: { ...silentLog, warn: (_text, facts) => void warnings.push(facts?.["text"]) },
    signal: new AbortController().signal,
    askKernel: async () => kernel,
    uptime: () => clock.monotonicMs(),
  });
  return { clock, warnings, isTrusted, kernelSays: (said: KernelClock) => (kernel = said) };
}

it("R-36 no timer is withdrawn after the clock jumps a year ahead until the kernel confirms the time", async () => {
  const { clock, warnings, isTrusted, kernelSays } = await server();
  await clock.advance(HOUR);
  expect(await isTrusted()).toBe(true);
  clock.step(366 * DAY);
  expect(await isTrusted()).toBe(false);
  await clock.advance(30 * DAY);
  expect(await isTrusted()).toBe(false);
  expect(warnings).toEqual([expect.stringContaining("it was set forward by 366 days")]);
  kernelSays("synchronised");
  expect(await isTrusted()).toBe(true);
});

it("R-36 no timer is withdrawn before NTP has set the clock; a difference of a second does not matter", async () => {
  const { clock, isTrusted, kernelSays } = await server();
  kernelSays("unsynchronised");
  expect(await isTrusted()).toBe(false);
  kernelSays("synchronised");
  expect(await isTrusted()).toBe(true);
  kernelSays("silent");
  clock.step(2 * SECOND);
  expect(await isTrusted()).toBe(true);
});
