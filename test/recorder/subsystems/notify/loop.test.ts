import { expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { RecorderdError } from "../../../../src/model/errors.ts";
import { NEWS_KINDS, type NewsDocument } from "../../../../src/model/news.ts";
import type { Snapshot } from "../../../../src/model/snapshot.ts";
import { MINUTE, SECOND } from "../../../../src/model/time.ts";
import { emptyNews } from "../../../../src/recorder/subsystems/notify/core/document.ts";
import { NOTIFY_LIMITS } from "../../../../src/recorder/subsystems/notify/limits.ts";
import { createNewsLoop } from "../../../../src/recorder/subsystems/notify/loop.ts";
import type { Target } from "../../../../src/recorder/subsystems/notify/target.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { loadReader } from "../../../../src/words/load-reader.ts";
import { ended, NOW } from "../library/entries.ts";

// Loaded before: virtual time does not wait for files.
const loaded = await loadReader({ language: "en", timeZone: "UTC" });
const reader = () => Promise.resolve(loaded);

/** The document on the disk: each life begins with the one that the last life left. */
function memory() {
  let current = emptyNews(0);
  return {
    get current() {
      return current;
    },
    commit: async (next: NewsDocument) => {
      current = next;
    },
  };
}

function target(id: string, send: Target["send"]): Target {
  return { id, send, async [Symbol.asyncDispose]() {} };
}

const SNAPSHOT = {
  at: NOW,
  version: "0",
  startedAt: 0,
  clock: { trusted: true, holds: false, kernel: "silent", aheadSeconds: {} },
  guide: { signInNeeded: false, reportsWaiting: 0 },
  tuners: [],
  recordings: [ended("a"), ended("b")],
  plan: { placements: [], conflicts: [], groups: [] },
} satisfies Snapshot;

it("a target that hangs or refuses delays no other, and undelivered entries are sent in order after a restart", async () => {
  const clock = createVirtualClock(NOW);
  const taken: string[] = [];
  const hanging = target(
    "hangs",
    (_news, signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const refusing = target("refuses", () => Promise.reject(new RecorderdError("NOTIFY_REFUSED", "no")));
  const good = target("good", async ({ id }) => void taken.push(id));
  const store = memory();
  const life = async (targets: readonly Target[], forMs: number) => {
    const stop = new AbortController();
    const receivers = () => targets.map((target) => ({ target, on: NEWS_KINDS, reader }));
    const snapshot = () => ({ ...SNAPSHOT, at: clock.now() });
    const loop = createNewsLoop({ receivers, store, snapshot, clock, log: silentLog });
    const running = loop.run(stop.signal);
    await clock.advanceTo(clock.now() + forMs);
    stop.abort("over");
    await clock.advanceTo(clock.now() + MINUTE);
    await running;
    return store.current.waiting.map((waiting) => `${waiting.target} ${waiting.news.id} ${waiting.tries}`);
  };
  const left = await life([hanging, refusing, good], NOTIFY_LIMITS.sendMs + 10 * SECOND);
  expect(taken).toEqual(["ended-a", "ended-b"]);
  expect(left).toEqual(["hangs ended-a 1", "hangs ended-b 0"]);
  const woken = target("hangs", async ({ id }) => void taken.push(`late ${id}`));
  expect(await life([woken, refusing, good], 10 * MINUTE)).toEqual([]);
  expect(taken.slice(2)).toEqual(["late ended-a", "late ended-b"]);
});
