import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HttpClient } from "../../src/kit/http/http.ts";
import { silentLog } from "../../src/kit/log.ts";
import type { Clock } from "../../src/kit/time/clock.ts";
import { WakeSignal } from "../../src/kit/time/wake-signal.ts";
import { RecorderdError } from "../../src/model/errors.ts";
import { NEWS_KINDS } from "../../src/model/news.ts";
import { tripletKey } from "../../src/model/service.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import { deliveryLoop } from "../../src/recorder/report/delivery.ts";
import { Gatherer } from "../../src/recorder/subsystems/gather/gatherer.ts";
import { GATHER_LIMITS } from "../../src/recorder/subsystems/gather/limits.ts";
import { Tour } from "../../src/recorder/subsystems/gather/tour.ts";
import { emptyNews } from "../../src/recorder/subsystems/notify/core/document.ts";
import { createNewsLoop } from "../../src/recorder/subsystems/notify/loop.ts";
import { pollLoop } from "../../src/recorder/sync/poll.ts";
import { createVirtualClock } from "../../src/simulator/virtual-clock.ts";
import { watchAnnouncements } from "../../src/site/announcements-loop.ts";
import { englishReader } from "../../src/words/english.ts";
import { loadReader } from "../../src/words/load-reader.ts";
import { ended, NOW } from "../recorder/subsystems/library/entries.ts";

/** One try of a loop, which fails at once. */
type Failing = () => never;
type Loop = (
  fail: Failing,
  parts: { readonly clock: Clock; readonly signal: AbortSignal },
) => Promise<unknown>;

const chance = () => 0;
const log = silentLog;
const refused = async () => {};

/** An HTTP client whose requests fail. */
const httpOf = (fail: Failing): HttpClient =>
  ({
    request: async () => {
      try {
        return fail();
      } catch {
        return { kind: "failed", cause: "unreachable", code: "ECONNREFUSED" };
      }
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }) as unknown as HttpClient;

const READER = await loadReader({ language: "en", timeZone: "UTC" });
const SNAPSHOT = {
  at: NOW,
  version: "0",
  startedAt: 0,
  clock: { trusted: true, holds: false, kernel: "silent", aheadSeconds: {} },
  guide: { signInNeeded: false, reportsWaiting: 0 },
  tuners: [],
  recordings: [ended("a")],
  plan: { placements: [], conflicts: [], groups: [] },
} satisfies Snapshot;

const LOOPS: Readonly<Record<string, Loop>> = {
  "polls of the guide service": (fail, { clock, signal }) =>
    pollLoop(
      {
        account: { timers: fail, channels: fail, programmes: fail, airings: fail },
        isAnnounced: () => false,
        repeatQueries: () => ({ wants: [], channelIds: [] }),
        onAirings: refused,
        wants: () => [],
        onProgrammes: refused,
        schedule: { next: (after) => after + 1000 },
        clock,
        log,
        chance,
        wakeSignal: new WakeSignal(),
        before: refused,
        onChannels: refused,
        onServerTime: refused,
        onTimers: refused,
        held: () => ({}),
        absence: { shareMin: 0.5, confirmPolls: 3, confirmMs: MINUTE },
        knowsNoChannels: () => true,
        channelsMissed: () => new Set(["1"]),
        takeChannelsAsked: () => true,
        onStatus: () => {},
      },
      signal,
    ),
  reports: (fail, { clock, signal }) =>
    deliveryLoop(
      {
        account: { tell: fail, remove: fail },
        waiting: () => ({
          outbox: ["1", "2", "3"].map((timerId, at) => ({
            seq: at + 1,
            timerId,
            message: "m",
            acknowledgesForget: false,
            madeAt: 0,
          })),
          refusedStates: [],
        }),
        reader: async () => englishReader("UTC"),
        onOutcome: refused,
        clock,
        chance,
        wakeSignal: new WakeSignal(),
        resume: new WakeSignal(),
      },
      signal,
    ),
  "the broadcast's own guide": (fail, { clock, signal }) => {
    const newTables = () => ({
      eventsRead: 1,
      held: 1,
      section: () => {},
      guide: () => ({ services: [], events: [] }),
    });
    return new Gatherer({ desk: { takes: fail, bring: fail }, newTables, clock, chance, log }).run(signal);
  },
  "idle tuners": (fail, { clock, signal }) => {
    const triplets = [1, 2, 3].map((tsid) => ({ onid: 1, tsid, sid: 3 }));
    const tuners = () => [{ id: "t", kind: "mock", services: new Set(triplets.map(tripletKey)) }];
    const parts = {
      services: () => triplets,
      tuners,
      isWanted: () => true,
      listen: fail,
      clock,
      chance,
      log,
      limits: GATHER_LIMITS,
    };
    return new Tour(parts as unknown as ConstructorParameters<typeof Tour>[0]).run(signal);
  },
  notifications: (fail, { clock, signal }) => {
    let current = emptyNews(0);
    const store = {
      get current() {
        return current;
      },
      commit: async (next: typeof current) => {
        current = next;
      },
    };
    const target = { id: "t", send: fail, [Symbol.asyncDispose]: async () => {} };
    const snapshot = () => ({ ...SNAPSHOT, at: clock.now() });
    const reader = () => Promise.resolve(READER);
    const receivers = () => [{ target, on: NEWS_KINDS, reader }];
    return createNewsLoop({ receivers, store, snapshot, clock, log }).run(signal);
  },
  announcements: (fail, { clock, signal }) =>
    watchAnnouncements(
      { url: "http://127.0.0.1:9/", check: "* * * * *", count: 5 },
      { http: httpOf(fail), clock, log },
    ).run(signal),
};

/** In a virtual hour; a loop that went round without a pause would make a thousand at once, and is stopped there. */
const TRIES_MAX = 1000;

describe("a loop whose work fails at once", () => {
  it.each(Object.entries(LOOPS))("waits before the next try: %s", async (_, loop) => {
    const clock = createVirtualClock(NOW);
    const over = new AbortController();
    const tries: number[] = [];
    const fail: Failing = () => {
      tries.push(clock.now());
      if (tries.length >= TRIES_MAX) over.abort("it does not wait");
      throw new RecorderdError("GUIDE_UNREACHABLE", "at once");
    };
    const running = loop(fail, { clock, signal: over.signal }).catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
    });
    await clock.advance(HOUR);
    over.abort("over");
    await clock.advance(MINUTE);
    await running;
    expect(tries.length).toBeGreaterThan(1);
    for (const at of tries) {
      const within = tries.filter((each) => each >= at && each < at + MINUTE);
      expect(within.length).toBeLessThanOrEqual(20);
    }
  });
});

/** Loops that run until they are stopped and do not wait by the clock, and why. */
const WAITS_OTHERWISE: Readonly<Record<string, string>> = {
  "recorder/subsystems/playback/file-part.ts": "it waits for who watches",
  "cli/simulator/simulate-days.ts": "each week is work, and none is a retry",
  "simulator/weeks/captures.ts": "it is simulated",
  "recorder/engine/runtime/engine.ts":
    "it waits for the next instant, and in the guard of the store if a write fails",
  "recorder/subsystems/library/hook-loop.ts":
    "it waits to be woken, and a hook that failed waits by the clock before it wakes",
};

it("every loop of the daemon has a wait or an end", () => {
  const src = join(import.meta.dirname, "../../src");
  const names = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const loops = names.flatMap((name) => {
    const text = readFileSync(join(src, name), "utf8");
    const found = text.matchAll(/^( *)(?:while|for) \([^\n]*!signal\.aborted[^\n]*\) \{\n([\s\S]*?)^\1\}/gm);
    return [...found].map(([, , body = ""]) => ({ name, body }));
  });
  expect(loops.length).toBeGreaterThan(15);
  const waits = /\b(sleep|waitFor|waitWithin|waitUntil)\(/;
  const others = loops.filter(({ name, body }) => !waits.test(body) && WAITS_OTHERWISE[name] === undefined);
  expect(others.map(({ name }) => name)).toEqual([]);
});
