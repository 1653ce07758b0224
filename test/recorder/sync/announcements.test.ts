import { describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { type ErrorCode, RecorderdError } from "../../../src/model/errors.ts";
import type { ChangeListener } from "../../../src/model/ports.ts";
import { HOUR, MINUTE, SECOND } from "../../../src/model/time.ts";
import { Announcements } from "../../../src/recorder/sync/announcements.ts";
import { SYNC_LIMITS } from "../../../src/recorder/sync/limits.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";

/** Streams of a service in virtual time: each opened one does as told, or lasts until it is aborted. */
function following(open?: (listener: ChangeListener, signal: AbortSignal) => Promise<void>) {
  const clock = createVirtualClock(0);
  const ended = new AbortController();
  const opened: number[] = [];
  const news: number[] = [];
  let listener: ChangeListener = { onAlive: () => {}, onVersion: () => {} };
  const announcements = new Announcements({
    account: {
      changes: (own, signal) => {
        listener = own;
        opened.push(clock.now());
        return open?.(own, signal) ?? lasting(signal);
      },
    },
    clock,
    chance: () => 0.5,
    log: silentLog,
    onNews: () => news.push(clock.now()),
  });
  const running = announcements.run(ended.signal);
  return {
    ...{ clock, opened, news, announcements },
    says: (version: string) => {
      listener.onAlive();
      listener.onVersion(version);
    },
    beat: () => listener.onAlive(),
    async [Symbol.asyncDispose]() {
      ended.abort();
      await running;
    },
  };
}

function lasting(signal: AbortSignal): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

const refusing = (code: ErrorCode, retryAfterMs?: number) => async () => {
  throw new RecorderdError(code, "no", retryAfterMs === undefined ? {} : { retryAfterMs });
};

describe("announced changes", () => {
  it("are news at once, each version one time", async () => {
    await using life = following();
    life.says("a");
    expect(life.news).toEqual([0]);
    life.says("a");
    await life.clock.advance(SECOND);
    life.says("b");
    life.says("b");
    expect(life.news).toEqual([0, SECOND]);
  });

  it("are alive from the first sign of life until a minute of silence, and then opened again", async () => {
    await using life = following();
    expect(life.announcements.areAlive).toBe(false);
    for (let beats = 0; beats < 10; beats += 1) {
      life.beat();
      expect(life.announcements.areAlive).toBe(true);
      await life.clock.advance(59 * SECOND);
    }
    expect(life.opened).toEqual([0]);
    await life.clock.advance(SECOND);
    expect(life.announcements.areAlive).toBe(false);
    await life.clock.advance(MINUTE);
    expect(life.opened.length).toBeGreaterThan(1);
    life.says("a");
    expect(life.announcements.areAlive).toBe(true);
  });

  it("without an answer are given up after a minute", async () => {
    await using life = following();
    await life.clock.advance(10 * MINUTE);
    expect(life.opened.length).toBeGreaterThan(3);
    expect(life.announcements.areAlive).toBe(false);
  });

  it.each(["GUIDE_NOT_FOUND", "GUIDE_ANSWER_UNEXPECTED", "GUIDE_DOCUMENT_INVALID"] as const)(
    "that the service lacks (%s) are asked for again after an hour",
    async (code) => {
      await using life = following(refusing(code));
      await life.clock.advance(24 * HOUR);
      expect(life.opened.length).toBeGreaterThanOrEqual(22);
      expect(life.opened.length).toBeLessThanOrEqual(25);
      expect(life.news).toEqual([]);
    },
  );

  it.each(["GUIDE_UNREACHABLE", "GUIDE_SIGN_IN_NEEDED", "GUIDE_UNAVAILABLE"] as const)(
    "that fail (%s) are tried again with a growing pause",
    async (code) => {
      await using life = following(refusing(code));
      await life.clock.advance(HOUR);
      expect(life.opened.length).toBeLessThan(25);
      const pauses = life.opened.map((at, index) => at - (life.opened[index - 1] ?? 0));
      expect(pauses.slice(1, 4)).toEqual([3750, 7500, 15_000]);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(SYNC_LIMITS.changesBackOffMsMax);
    },
  );

  it("are not asked for before the service's Retry-After", async () => {
    await using life = following(refusing("GUIDE_UNAVAILABLE", 20 * MINUTE));
    await life.clock.advance(19 * MINUTE);
    expect(life.opened).toEqual([0]);
  });

  it("of a hostile service cause few polls, however many there are", async () => {
    await using life = following();
    for (let second = 0; second < 3600; second += 1) {
      for (let count = 0; count < 10; count += 1) life.says(`${second}.${count}`);
      await life.clock.advance(SECOND);
    }
    const most = SYNC_LIMITS.changesPollsAtOnce + HOUR / SYNC_LIMITS.changesPollEveryMs;
    expect(life.news.length).toBeLessThanOrEqual(most + 1);
    // The last one is news too, a while later.
    life.says("last");
    const before = life.news.length;
    await life.clock.advance(SYNC_LIMITS.changesPollEveryMs);
    expect(life.news.length).toBe(before + 1);
  });

  it("that end at once, again and again, cause few streams and few polls", async () => {
    let version = 0;
    await using life = following(async (listener) => {
      version += 1;
      listener.onAlive();
      listener.onVersion(String(version));
    });
    await life.clock.advance(HOUR);
    expect(life.opened.length).toBeLessThan(25);
    expect(life.news.length).toBeLessThanOrEqual(life.opened.length);
    expect(life.announcements.areAlive).toBe(false);
  });
});
