import { expect, it } from "vitest";
import { promiseJobsDone } from "../../../../src/kit/time/promises.ts";
import type { TunerDriver } from "../../../../src/model/ports.ts";
import { MINUTE } from "../../../../src/model/time.ts";
import { RUNTIME_LIMITS } from "../../../../src/recorder/engine/runtime/limits.ts";
import { ReturnWatch } from "../../../../src/recorder/engine/runtime/return-watch.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { tuner } from "./world.ts";

function world() {
  const clock = createVirtualClock(0, promiseJobsDone);
  const back: number[] = [];
  const server = { isThere: false, looks: 0 };
  const driver: TunerDriver = {
    facts: tuner("a"),
    open: () => Promise.reject(new Error("not asked for")),
    answers: async () => {
      server.looks += 1;
      return server.isThere;
    },
    async [Symbol.asyncDispose]() {},
  };
  const watch = new ReturnWatch({ clock, onBack: async () => void back.push(clock.now()) });
  return { clock, back, server, driver, watch, ended: new AbortController() };
}

it("R-20 a returning server is detected within two seconds, once, however many recordings need it", async () => {
  const { clock, back, server, driver, watch, ended } = world();
  const missed = [
    watch.waitForReturn(driver, 30 * MINUTE, ended.signal),
    watch.waitForReturn(driver, 60 * MINUTE, ended.signal),
  ];
  const backAt = 45 * MINUTE + 100;
  await clock.advance(backAt);
  expect(back).toEqual([]);
  server.isThere = true;
  await clock.advance(2 * RUNTIME_LIMITS.serverLookMs);
  expect(back).toHaveLength(1);
  await Promise.all(missed);
  expect(server.looks).toBeLessThanOrEqual(backAt / RUNTIME_LIMITS.serverLookMs + 2);
});

it("a server is no longer polled if no recording needs its tuner, or if the daemon ends", async () => {
  const { clock, back, server, driver, watch, ended } = world();
  const first = watch.waitForReturn(driver, MINUTE, ended.signal);
  await clock.advance(2 * MINUTE);
  await first;
  const second = watch.waitForReturn(driver, 60 * MINUTE, ended.signal);
  await clock.advance(MINUTE);
  ended.abort();
  await second;
  const { looks } = server;
  await clock.advance(60 * MINUTE);
  expect(server.looks).toBe(looks);
  expect(back).toEqual([]);
});
