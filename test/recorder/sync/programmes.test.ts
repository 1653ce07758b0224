import { describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { type ErrorCode, RecorderdError } from "../../../src/model/errors.ts";
import { MODEL_LIMITS } from "../../../src/model/limits.ts";
import type { ProgrammeAnswer, ProgrammeOrder } from "../../../src/model/programme.ts";
import { HOUR, MINUTE } from "../../../src/model/time.ts";
import { SYNC_LIMITS } from "../../../src/recorder/sync/limits.ts";
import { fetchProgrammes, NOTHING_ASKED, type ProgrammeWant } from "../../../src/recorder/sync/programmes.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";
import { EIGHT } from "../engine/runtime/world.ts";

/** Polls by hand, against a guide that answers as told. */
class Asking {
  readonly clock = createVirtualClock(EIGHT);
  readonly orders: ProgrammeOrder[] = [];
  wants: readonly ProgrammeWant[] = [];
  answer: (order: ProgrammeOrder) => ProgrammeAnswer = () => ({ programmes: {}, updatedTo: EIGHT });
  readonly logged: string[] = [];
  #memory = NOTHING_ASKED;

  async poll(): Promise<readonly ProgrammeOrder[]> {
    const { clock, orders } = this;
    const programmes = async (order: ProgrammeOrder) => {
      orders.push(order);
      return this.answer(order);
    };
    const write = (message: string) => void this.logged.push(message);
    const parts = {
      account: { programmes },
      wants: () => this.wants,
      onProgrammes: async () => {},
      clock,
      chance: () => 0.5,
      log: { ...silentLog, info: write, warn: write },
    };
    this.#memory = await fetchProgrammes(parts, this.#memory, new AbortController().signal);
    return orders.splice(0);
  }

  /** Polls every five minutes. @returns how many requests that made */
  async pollFor(ms: number): Promise<number> {
    let requests = 0;
    for (let spent = 0; spent < ms; spent += 5 * MINUTE) {
      await this.clock.advance(5 * MINUTE);
      requests += (await this.poll()).length;
    }
    return requests;
  }
}

function want(showId: string, channelId: string, start = EIGHT): ProgrammeWant {
  return { key: `r${showId}`, showId, channelId, start };
}

function failing(code: ErrorCode, retryAfterMs?: number) {
  return () => {
    throw new RecorderdError(code, "no", retryAfterMs === undefined ? {} : { retryAfterMs });
  };
}

describe("programme data", () => {
  it("is requested once for the needed channels, and not at all without need", async () => {
    const asking = new Asking();
    expect(await asking.poll()).toEqual([]);
    asking.wants = [want("1", "7", EIGHT + HOUR), want("2", "8"), want("3", "8")];
    expect(await asking.poll()).toEqual([{ channelIds: ["8", "7"], showIds: new Set(["1", "2", "3"]) }]);
    expect(await asking.pollFor(5 * HOUR)).toBe(0);
  });

  it("is requested again for a channel when the show of a timer changes", async () => {
    const asking = new Asking();
    asking.wants = [want("1", "7"), want("2", "8")];
    await asking.poll();
    asking.wants = [want("9", "7"), want("2", "8")];
    expect(await asking.poll()).toEqual([{ channelIds: ["7"], showIds: new Set(["9"]) }]);
    expect(await asking.poll()).toEqual([]);
  });

  it("is refreshed regularly by changes since the oldest answer", async () => {
    const asking = new Asking();
    asking.wants = [want("1", "7")];
    await asking.poll();
    await asking.clock.advance(HOUR);
    asking.wants = [want("1", "7"), want("2", "8")];
    asking.answer = () => ({ programmes: {}, updatedTo: EIGHT + HOUR });
    await asking.poll();
    await asking.clock.advance(SYNC_LIMITS.programmeRefreshMs);
    expect(await asking.poll()).toEqual([
      { channelIds: ["7", "8"], showIds: new Set(["1", "2"]), since: EIGHT },
    ]);
    expect(await asking.pollFor(SYNC_LIMITS.programmeRefreshMs - 5 * MINUTE)).toBe(0);
    expect(await asking.pollFor(5 * MINUTE)).toBe(1);
  });

  it("is refreshed completely if the service does not report its time", async () => {
    const asking = new Asking();
    asking.answer = () => ({ programmes: {} });
    asking.wants = [want("1", "7")];
    await asking.poll();
    await asking.clock.advance(SYNC_LIMITS.programmeRefreshMs);
    expect(await asking.poll()).toEqual([{ channelIds: ["7"], showIds: new Set(["1"]) }]);
  });

  it("R-42 is requested for a limited number of channels per poll, the soonest first, and for the rest later", async () => {
    const asking = new Asking();
    const many = MODEL_LIMITS.programmeChannels + 3;
    asking.wants = Array.from({ length: many }, (_, i) => want(`${i}`, `${i}`, EIGHT - i * MINUTE));
    const [first] = await asking.poll();
    expect(first?.channelIds).toHaveLength(MODEL_LIMITS.programmeChannels);
    expect(first?.channelIds[0]).toBe(String(many - 1));
    expect((await asking.poll())[0]?.channelIds).toEqual(["2", "1", "0"]);
    expect(await asking.poll()).toEqual([]);
  });

  it("R-43 is requested ever more rarely while the service fails, with one notice for failure and recovery", async () => {
    const asking = new Asking();
    asking.wants = [want("1", "7")];
    asking.answer = failing("GUIDE_UNAVAILABLE");
    const requests = await asking.pollFor(12 * HOUR);
    expect(requests).toBeGreaterThan(10);
    expect(requests).toBeLessThan(25);
    asking.answer = () => ({ programmes: {} });
    await asking.pollFor(2 * HOUR);
    expect(asking.logged).toEqual([
      "programme data is not available; recording continues without it",
      "programme data is available again",
    ]);
  });

  it("R-43 waits for Retry-After", async () => {
    const asking = new Asking();
    asking.wants = [want("1", "7")];
    asking.answer = failing("GUIDE_UNAVAILABLE", 50 * MINUTE);
    await asking.poll();
    expect(await asking.pollFor(45 * MINUTE)).toBe(0);
    expect(await asking.pollFor(15 * MINUTE)).toBe(1);
  });

  it("is requested once a day from a service without it", async () => {
    const asking = new Asking();
    asking.wants = [want("1", "7")];
    asking.answer = failing("GUIDE_NOT_FOUND");
    await asking.poll();
    expect(await asking.pollFor(23 * HOUR)).toBe(0);
    expect(await asking.pollFor(2 * HOUR)).toBe(1);
  });
});
