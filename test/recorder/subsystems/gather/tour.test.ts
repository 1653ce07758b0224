import { describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { type ErrorCode, RecorderdError } from "../../../../src/model/errors.ts";
import { type Triplet, tripletKey, unknownMultiplex } from "../../../../src/model/service.ts";
import { DAY, HOUR, MINUTE } from "../../../../src/model/time.ts";
import { GATHER_LIMITS } from "../../../../src/recorder/subsystems/gather/limits.ts";
import { Tour } from "../../../../src/recorder/subsystems/gather/tour.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { EIGHT, receiving, tripletOf, tuner } from "../../engine/runtime/world.ts";

/** Six channels on three multiplexes; what was listened to, with the minute. */
function touring({
  tuners = [tuner("a", receiving(1, 2, 3, 4, 5, 6))],
  isWanted = (): boolean => true,
  tells = (service: Triplet) => [1, 2, 3, 4, 5, 6].map(tripletOf).filter(({ tsid }) => tsid === service.tsid),
  refusal = (_: Triplet, __: number): ErrorCode | undefined => undefined,
  wanted = [1, 2, 3, 4, 5, 6].map(tripletOf),
} = {}) {
  const clock = createVirtualClock(EIGHT);
  const over = new AbortController();
  const visits: { readonly minute: number; readonly service: string }[] = [];
  let open = 0;
  let openMost = 0;
  const running = new Tour({
    isWanted,
    services: () => wanted,
    tuners: () => tuners,
    listen: async (service, signal) => {
      const code = refusal(service, visits.length);
      visits.push({ minute: Math.round(clock.monotonicMs() / MINUTE), service: tripletKey(service) });
      if (code !== undefined) throw new RecorderdError(code, "Refused.");
      open += 1;
      openMost = Math.max(openMost, open);
      await clock.sleep(GATHER_LIMITS.idleListenMs, signal);
      open -= 1;
      return new Set(tells(service).map(tripletKey));
    },
    clock,
    chance: () => 1,
    log: silentLog,
    limits: GATHER_LIMITS,
  }).run(over.signal);
  return {
    clock,
    visits,
    services: () => visits.map(({ service }) => service),
    openMost: () => openMost,
    end: async () => {
      over.abort();
      await running;
    },
  };
}

describe("the tour of idle tuners", () => {
  it("visits each multiplex once, one after the other, and again six hours later", async () => {
    const here = touring();
    await here.clock.advance(6 * HOUR - MINUTE);
    expect(here.services()).toEqual(["4112/1/1", "4112/2/3", "4112/3/5"]);
    await here.clock.advance(HOUR);
    expect(here.services().slice(3)).toEqual(["4112/1/1", "4112/2/3", "4112/3/5"]);
    expect(here.openMost()).toBe(1);
    await here.end();
  });

  it("visits each channel if a stream covers only one", async () => {
    const here = touring({ tells: (service) => [service] });
    await here.clock.advance(6 * HOUR - MINUTE);
    expect(here.services().toSorted()).toEqual([1, 2, 3, 4, 5, 6].map((n) => tripletKey(tripletOf(n))));
    await here.end();
  });

  it("tries another channel six hours after an empty visit", async () => {
    const here = touring({ tells: () => [] });
    await here.clock.advance(7 * HOUR);
    expect(here.services()).toEqual([1, 3, 5, 2, 4, 6].map((n) => tripletKey(tripletOf(n))));
    await here.end();
  });

  it("skips multiplexes that no tuner is known to receive", async () => {
    const here = touring({ tuners: [tuner("a", receiving(3)), tuner("b")] });
    await here.clock.advance(HOUR);
    expect(here.services()).toEqual(["4112/2/3"]);
    await here.end();
  });

  it("does not begin while the service does not accept EIT", async () => {
    let isWanted = false;
    const here = touring({ isWanted: () => isWanted });
    await here.clock.advance(DAY);
    expect(here.visits).toEqual([]);
    isWanted = true;
    await here.clock.advance(2 * MINUTE);
    expect(here.visits.length).toBeGreaterThan(0);
    await here.end();
  });

  it("tries another multiplex a minute after no tuner was idle, and the same one after ten", async () => {
    const here = touring({ refusal: (_, count) => (count < 4 ? "TUNER_BUSY" : undefined) });
    await here.clock.advance(30 * MINUTE);
    expect(here.visits.map(({ minute, service }) => `${minute} ${service}`)).toEqual([
      "1 4112/1/1",
      "2 4112/2/3",
      "3 4112/3/5",
      "11 4112/1/1",
      "12 4112/2/3",
      "13 4112/3/5",
      "21 4112/1/1",
    ]);
    await here.end();
  });

  it("continues at once if an unknown frequency is empty, and returns there after six hours", async () => {
    const wanted = [0, 1, 2].map(unknownMultiplex);
    const tuners = [{ ...tuner("a"), services: new Set(wanted.map(tripletKey)) }];
    const here = touring({ wanted, tuners, refusal: () => "STREAM_NO_DATA" });
    await here.clock.advance(7 * HOUR);
    const all = wanted.map(tripletKey);
    expect(here.visits.map(({ minute }) => minute)).toEqual([1, 1, 1, 361, 361, 361]);
    expect(here.services()).toEqual([...all, ...all]);
    await here.end();
  });

  it("pauses ever longer without data, an hour at most", async () => {
    const here = touring({ refusal: () => "TUNER_UNREACHABLE" });
    await here.clock.advance(DAY);
    const minutes = here.visits.map(({ minute }) => minute);
    // Each multiplex an hour after it failed at the earliest.
    expect(minutes.slice(0, 3)).toEqual([1, 2, 4]);
    const pauses = minutes.slice(1).map((minute, index) => minute - (minutes[index] ?? 0));
    expect(Math.min(...pauses.slice(7))).toBe(60);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(61);
    await here.end();
  });
});
