import { expect, it } from "vitest";
import { promiseJobsDone } from "../../../src/kit/time/promises.ts";
import type { TunerDriver } from "../../../src/model/ports.ts";
import { multiplexKey, type Triplet, tripletKey } from "../../../src/model/service.ts";
import { keepMultiplexOpen } from "../../../src/recorder/tune/keep-multiplex-open.ts";
import { TUNE_LIMITS } from "../../../src/recorder/tune/limits.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";

const ONE: Triplet = { onid: 1, tsid: 1, sid: 1 };
const SIBLING: Triplet = { onid: 1, tsid: 1, sid: 2 };
const ELSEWHERE: Triplet = { onid: 1, tsid: 2, sid: 3 };
const signal = new AbortController().signal;

/** A tuner whose sessions are seen: which services are open, in order, and when it was left without any. */
function seen(atOnce = Number.POSITIVE_INFINITY) {
  const clock = createVirtualClock(0, promiseJobsDone);
  const open: string[] = [];
  /** When it was left without any use. */
  const idle: number[] = [];
  const driver: TunerDriver = {
    facts: { id: "a", kind: "mock", services: "any", servicesAtOnce: () => atOnce, warmUpMs: 0 },
    async open(service) {
      const key = tripletKey(service);
      if (open.some((other) => !other.startsWith(`${multiplexKey(service)}/`)))
        throw new Error("two multiplexes");
      if (open.length >= atOnce) throw new Error("one service too many");
      open.push(key);
      return {
        source: { url: `sim://${key}`, programme: "single" },
        async [Symbol.asyncDispose]() {
          open.splice(open.indexOf(key), 1);
          if (open.length === 0) idle.push(clock.now());
        },
      };
    },
    async [Symbol.asyncDispose]() {},
  };
  return { clock, open, idle, driver: keepMultiplexOpen(driver, clock) };
}

it("R-24 a tuner stays tuned for a moment, for an immediate next recording", async () => {
  const { driver, clock, open, idle } = seen();
  const first = await driver.open(ONE, signal);
  await first[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
  await clock.advance(TUNE_LIMITS.lingerMs - 1);
  expect(open).toEqual(["1/1/1"]);
  const second = await driver.open(ONE, signal);
  // Never was nothing open: the tuner stayed where it was.
  expect(idle).toEqual([]);
  await clock.advance(TUNE_LIMITS.lingerMs * 2);
  expect(open).toEqual(["1/1/1"]);
  await second[Symbol.asyncDispose]();
  await clock.advance(TUNE_LIMITS.lingerMs);
  expect(open).toEqual([]);
});

it("R-21 an idle open multiplex is released after its moment, and with the driver", async () => {
  const { driver, clock, open } = seen();
  await (await driver.open(ONE, signal))[Symbol.asyncDispose]();
  await clock.advance(TUNE_LIMITS.lingerMs);
  expect(open).toEqual([]);
  await (await driver.open(ONE, signal))[Symbol.asyncDispose]();
  await driver[Symbol.asyncDispose]();
  expect(open).toEqual([]);
});

it("an idle open multiplex yields to another one, and to a service too many", async () => {
  const wide = seen();
  await (await wide.driver.open(ONE, signal))[Symbol.asyncDispose]();
  await wide.driver.open(ELSEWHERE, signal);
  expect(wide.open).toEqual(["1/2/3"]);
  const narrow = seen(1);
  await (await narrow.driver.open(ONE, signal))[Symbol.asyncDispose]();
  await narrow.driver.open(SIBLING, signal);
  expect(narrow.open).toEqual(["1/1/2"]);
});

it("another service finds its multiplex open, and used services stay", async () => {
  const { driver, clock, open } = seen();
  const first = await driver.open(ONE, signal);
  await (await driver.open(SIBLING, signal))[Symbol.asyncDispose]();
  expect(open).toEqual(["1/1/1", "1/1/2"]);
  await clock.advance(TUNE_LIMITS.lingerMs);
  expect(open).toEqual(["1/1/1"]);
  await driver[Symbol.asyncDispose]();
  expect(open).toEqual(["1/1/1"]);
  await first[Symbol.asyncDispose]();
});
