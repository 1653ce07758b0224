import { describe, expect, it } from "vitest";
import type { Log } from "../../../src/kit/log.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { WakeSignal } from "../../../src/kit/time/wake-signal.ts";
import { RecorderdError } from "../../../src/model/errors.ts";
import type { GuideAccount } from "../../../src/model/ports.ts";
import type { Programmes } from "../../../src/model/programme.ts";
import { HOUR, MINUTE, SECOND } from "../../../src/model/time.ts";
import type { Timer, TimerList } from "../../../src/model/timer.ts";
import { pollLoop, type SyncStatus } from "../../../src/recorder/sync/poll.ts";
import type { ProgrammeWant } from "../../../src/recorder/sync/programmes.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";
import { EIGHT, timer } from "../engine/runtime/world.ts";

const START = EIGHT - 8 * HOUR;
const ONE = timer("1");

/** The loop in virtual time, every five minutes, against a service that answers as told. */
function polling(
  answer: () => readonly Timer[],
  {
    chance = 0.5,
    wants = [],
    programmes = async () => ({ programmes: {} }),
    airings = async () => [],
    channelsMissed = () => new Set<string>(),
    isAnnounced = () => false,
  }: Partial<{
    readonly chance: number;
    readonly wants: readonly ProgrammeWant[];
    readonly programmes: GuideAccount["programmes"];
    readonly airings: GuideAccount["airings"];
    readonly channelsMissed: () => ReadonlySet<string>;
    readonly isAnnounced: () => boolean;
  }> = {},
) {
  const told: Programmes[] = [];
  const clock = createVirtualClock(START);
  const ended = new AbortController();
  const asked: number[] = [];
  const whole: number[] = [];
  const channelsAsked: number[] = [];
  let isChannelsAsked = false;
  const absent: string[] = [];
  const logged: string[] = [];
  const wakeSignal = new WakeSignal();
  const write = (message: string) => void logged.push(message);
  const log: Log = { ...silentLog, info: write, warn: write, error: write };
  let status: SyncStatus = { failures: 0 };
  const running = pollLoop(
    {
      account: {
        timers: async (_signal, how): Promise<TimerList> => {
          if (how?.isWhole === true) whole.push(clock.now() - START);
          asked.push(clock.now());
          return { timers: answer(), malformed: [] };
        },
        channels: async () => {
          channelsAsked.push(clock.now() - START);
          return [];
        },
        programmes,
        airings,
      },
      repeatQueries: () => ({ wants: [], channelIds: [] }),
      onAirings: async () => {},
      wants: () => wants,
      onProgrammes: async (found) => void told.push(found),
      schedule: { next: (after) => after + 5 * MINUTE },
      clock,
      log,
      chance: () => chance,
      wakeSignal,
      before: async () => {},
      onChannels: async () => {},
      onServerTime: async () => {},
      onTimers: async (_list, gone) => void absent.push(...gone),
      held: () => ({ "1": ONE }),
      absence: { shareMin: 0.5, confirmPolls: 3, confirmMs: 10 * MINUTE },
      knowsNoChannels: () => false,
      channelsMissed,
      isAnnounced,
      takeChannelsAsked: () => {
        const was = isChannelsAsked;
        isChannelsAsked = false;
        return was;
      },
      onStatus: (next) => {
        status = next;
      },
    },
    ended.signal,
  );
  return {
    clock,
    asked,
    whole,
    told,
    absent,
    logged,
    wakeSignal,
    channelsAsked,
    askForChannels: () => {
      isChannelsAsked = true;
      wakeSignal.signal();
    },
    status: () => status,
    async [Symbol.asyncDispose]() {
      ended.abort();
      await running;
    },
  };
}

const failing = (code: "GUIDE_SIGN_IN_NEEDED" | "GUIDE_UNAVAILABLE", retryAfterMs?: number) => () => {
  throw new RecorderdError(code, "no", retryAfterMs === undefined ? {} : { retryAfterMs });
};

describe("the poll loop, while changes are announced", () => {
  it("polls at every sixth scheduled time, at most half an hour apart, and at once when it is woken", async () => {
    await using loop = polling(() => [ONE], { isAnnounced: () => true });
    await loop.clock.advance(2 * HOUR);
    expect(loop.asked.map((at) => (at - START) / MINUTE)).toEqual([0, 30, 60, 90, 120]);
    await loop.clock.advance(7 * MINUTE);
    loop.wakeSignal.signal();
    await loop.clock.advance(29 * MINUTE);
    expect(loop.asked.map((at) => (at - START) / MINUTE).slice(5)).toEqual([127]);
    await loop.clock.advance(MINUTE);
    expect(loop.asked).toHaveLength(7);
  });

  it("polls at the next scheduled time when they are announced no longer", async () => {
    let isAnnounced = true;
    await using loop = polling(() => [ONE], { isAnnounced: () => isAnnounced });
    await loop.clock.advance(11 * MINUTE);
    isAnnounced = false;
    await loop.clock.advance(10 * MINUTE);
    expect(loop.asked.map((at) => (at - START) / MINUTE)).toEqual([0, 15, 20]);
  });

  it("leaves out no poll of a failing service, and none for a missing channel or a short list", async () => {
    let answer: () => readonly Timer[] = failing("GUIDE_UNAVAILABLE");
    let missed: ReadonlySet<string> = new Set();
    const parts = { isAnnounced: () => true, channelsMissed: () => missed };
    await using loop = polling(() => answer(), parts);
    await loop.clock.advance(MINUTE);
    expect(loop.asked.length).toBeGreaterThan(3);
    answer = () => [ONE];
    await loop.clock.advance(10 * MINUTE);
    loop.asked.splice(0);
    missed = new Set(["4"]);
    await loop.clock.advance(10 * MINUTE);
    expect(loop.asked.length).toBeGreaterThan(1);
    missed = new Set();
    answer = () => [];
    while (loop.status().shortList === undefined) await loop.clock.advance(MINUTE);
    for (const times of [loop.asked, loop.whole]) times.splice(0);
    await loop.clock.advance(5 * MINUTE);
    expect([loop.asked.length, loop.whole.length]).toEqual([1, 1]);
  });

  it("asks for the whole list at first, every hour, and while a list is short", async () => {
    await using loop = polling(() => [ONE]);
    await loop.clock.advance(2 * HOUR);
    expect(loop.whole.map((at) => at / MINUTE)).toEqual([0, 60, 120]);
  });
});

describe("the poll loop", () => {
  it("fetches the channels at the start, every six hours, and on request", async () => {
    await using loop = polling(() => [ONE]);
    await loop.clock.advance(HOUR);
    expect(loop.channelsAsked).toEqual([0]);
    loop.askForChannels();
    await loop.clock.advance(SECOND);
    expect(loop.channelsAsked).toEqual([0, HOUR]);
    await loop.clock.advance(5 * HOUR);
    expect(loop.channelsAsked).toHaveLength(2);
    await loop.clock.advance(HOUR + 10 * MINUTE);
    expect(loop.channelsAsked).toHaveLength(3);
  });

  it("fetches channels with the next good poll if the service failed at the request", async () => {
    let fails = false;
    await using loop = polling(() => (fails ? failing("GUIDE_UNAVAILABLE")() : [ONE]));
    await loop.clock.advance(MINUTE);
    fails = true;
    loop.askForChannels();
    await loop.clock.advance(SECOND);
    fails = false;
    await loop.clock.advance(10 * MINUTE);
    expect(loop.channelsAsked).toHaveLength(2);
  });

  it("fetches channels a moment after a list with a timer of a channel without a service", async () => {
    let missed: ReadonlySet<string> = new Set();
    await using loop = polling(() => [ONE], { channelsMissed: () => missed });
    await loop.clock.advance(SECOND);
    missed = new Set(["4"]);
    await loop.clock.advance(2 * SECOND);
    expect(loop.channelsAsked).toEqual([0, 2 * SECOND]);
  });

  it("fetches channels at once for a newly missing channel, and after a pause for one that is still missing", async () => {
    let missed: ReadonlySet<string> = new Set();
    await using loop = polling(() => [ONE], { channelsMissed: () => missed });
    await loop.clock.advance(SECOND);
    missed = new Set(["4"]);
    loop.wakeSignal.signal();
    await loop.clock.advance(SECOND);
    expect(loop.channelsAsked).toEqual([0, SECOND]);
    loop.wakeSignal.signal();
    await loop.clock.advance(SECOND);
    expect(loop.channelsAsked).toHaveLength(2);
    missed = new Set(["4", "5"]);
    loop.wakeSignal.signal();
    await loop.clock.advance(SECOND);
    expect(loop.channelsAsked).toHaveLength(3);
    await loop.clock.advance(10 * MINUTE);
    expect(loop.channelsAsked).toHaveLength(5);
    missed = new Set();
    await loop.clock.advance(HOUR);
    expect(loop.channelsAsked).toHaveLength(5);
  });

  it("R-12 raises the alarm once, shows it, and withdraws only after further polls", async () => {
    await using loop = polling(() => []);
    await loop.clock.advance(14 * MINUTE);
    expect(loop.status().shortList).toEqual({ since: START, listed: 0, held: 1 });
    expect(loop.absent).toEqual([]);
    await loop.clock.advance(2 * MINUTE);
    expect(loop.absent).toEqual(["1"]);
    expect(loop.status().shortList).toBeUndefined();
    expect(loop.logged).toEqual([
      "short timer list: no timer is withdrawn until further polls confirm it",
      "the timer list is complete again, or further polls confirmed the missing timers",
    ]);
  });

  it("R-11 R-12 counts no failed poll for or against a timer", async () => {
    let fails = false;
    await using loop = polling(() => (fails ? failing("GUIDE_UNAVAILABLE")() : []));
    await loop.clock.advance(MINUTE);
    fails = true;
    await loop.clock.advance(2 * HOUR);
    expect(loop.absent).toEqual([]);
    expect(loop.status().shortList).toBeDefined();
  });

  it("R-43 reports a needed sign-in, backs off to a quarter of an hour, and continues at once when woken", async () => {
    let isSignedIn = false;
    await using loop = polling(() => (isSignedIn ? [ONE] : failing("GUIDE_SIGN_IN_NEEDED")()));
    await loop.clock.advance(6 * HOUR);
    expect(loop.status().failure?.code).toBe("GUIDE_SIGN_IN_NEEDED");
    expect(loop.asked.length).toBeLessThan(45);
    const [before = 0, last = 0] = loop.asked.slice(-2);
    expect(last - before).toBeGreaterThan(7 * MINUTE);
    expect(last - before).toBeLessThanOrEqual(15 * MINUTE);
    isSignedIn = true;
    loop.wakeSignal.signal();
    await loop.clock.advance(SECOND);
    expect(loop.status()).toMatchObject({ failures: 0, lastGoodAt: loop.clock.now() - SECOND });
    expect(loop.logged).toEqual(["the guide service needs a new sign-in", "the guide service answers again"]);
  });

  it("R-43 does not retry at the same time as others that failed with it", async () => {
    const seconds = [0, 0.99].map(async (chance) => {
      await using loop = polling(failing("GUIDE_UNAVAILABLE"), { chance });
      await loop.clock.advance(HOUR);
      return loop.asked[6];
    });
    const [one = 0, other = 0] = await Promise.all(seconds);
    expect(other - one).toBeGreaterThan(MINUTE);
  });

  it("waits for Retry-After", async () => {
    await using loop = polling(failing("GUIDE_UNAVAILABLE", 50 * MINUTE));
    await loop.clock.advance(49 * MINUTE);
    expect(loop.asked).toHaveLength(1);
    const { nextAt } = loop.status();
    await loop.clock.advance(7 * MINUTE);
    expect(loop.asked).toEqual([START, nextAt]);
  });

  it("R-11 requests programme data after each good list, without delaying the next one", async () => {
    const wants = [{ key: "r1 s1", showId: "s1", channelId: "1", start: EIGHT }];
    const [answers, asked]: [unknown[], number[]] = [[], []];
    await using loop = polling(() => [ONE], {
      wants,
      programmes: async (_order, signal) => {
        asked.push(loop.clock.now());
        await loop.clock.sleep(4 * MINUTE, signal);
        const answer = answers.shift();
        if (answer === undefined) throw new RecorderdError("GUIDE_TIMEOUT", "no");
        return { programmes: { s1: { subtitle: "One" } } };
      },
    });
    await loop.clock.advance(MINUTE);
    expect(loop.status()).toMatchObject({ failures: 0, lastGoodAt: START });
    await loop.clock.advance(29 * MINUTE);
    expect(loop.asked).toEqual([0, 5, 10, 15, 20, 25, 30].map((minutes) => START + minutes * MINUTE));
    expect(loop.status()).toMatchObject({ failures: 0 });
    expect(loop.told).toEqual([]);
    answers.push({});
    await loop.clock.advance(2 * HOUR);
    expect(loop.told).toEqual([{ s1: { subtitle: "One" } }]);
    expect(asked.length).toBeLessThan(6);
  });

  it("requests no programme data without lists", async () => {
    let asked = 0;
    await using loop = polling(failing("GUIDE_UNAVAILABLE"), {
      wants: [{ key: "r1 s1", showId: "s1", channelId: "1", start: EIGHT }],
      programmes: async () => {
        asked += 1;
        return { programmes: {} };
      },
    });
    await loop.clock.advance(HOUR);
    expect(asked).toBe(0);
  });
});
