import { expect, it } from "vitest";
import type { Show } from "../../../../../src/guide-wire/records.ts";
import { silentLog } from "../../../../../src/kit/log.ts";
import { systemClock } from "../../../../../src/kit/time/clock.ts";
import { MINUTE, SECOND } from "../../../../../src/model/time.ts";
import { stateInFolder } from "../../../../../src/recorder/store/state-store.ts";
import { createKeptRules } from "../../../../../src/recorder/subsystems/booking/kept/api.ts";
import { createGuideReader } from "../../../../../src/recorder/subsystems/booking/kept/guide-reader.ts";
import { openRuleStore } from "../../../../../src/recorder/subsystems/booking/kept/store.ts";
import { BOOKING_LIMITS } from "../../../../../src/recorder/subsystems/booking/limits.ts";
import { temporaryFolder } from "../../../../main-job/recorder.ts";
import { NOW } from "../../library/entries.ts";

const SHOWS = Array.from({ length: 12_000 }, (_, at): Show => {
  const start = NOW + (at + 1) * MINUTE;
  const unix = { start_unix: start / SECOND, stop_unix: (start + MINUTE) / SECOND };
  return { id: at + 1, channel_id: 1, title: "The tide", episode_id: `e${at}`, start: "", stop: "", ...unix };
});

const client = {
  region: async () => ({ value: { regions: [{ id: 1, name: "R", timezone: "UTC" }] }, malformed: [] }),
  regionChannels: async () => ({ value: { regions: [], channels: [{ id: 1, name: "C" }] }, malformed: [] }),
  shows: async () => ({ value: { shows: SHOWS }, malformed: [] }),
};

it("kept rules let other work run while they expand", async () => {
  await using folder = await temporaryFolder();
  // By this clock, each look at it takes a millisecond.
  let passedMs = 0;
  const monotonicMs = () => {
    passedMs += 1;
    return passedMs;
  };
  const clock = { ...systemClock(), now: () => NOW, monotonicMs };
  const rules = createKeptRules({
    store: await openRuleStore(stateInFolder(folder.path), silentLog),
    reader: createGuideReader({ client: client as never, regionId: 1, clock }),
    plan: () => ({ timers: {}, recordings: [] }),
    device: async () => 1,
    burden: async () => ({ displaced: [], unplaced: [], space: {} as never }),
    onChange: () => {},
    clock,
    signal: new AbortController().signal,
  });
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const preview = await rules.preview({ order: { name: "Tide", words: "tide", quality: "Prefer HD" } });
  isOver = true;
  expect(preview.total).toBeGreaterThan(10_000);
  // The search looks at the clock after each show, and the expansion after some of its steps, of which each show has more than one.
  expect(turns).toBeGreaterThan(SHOWS.length / BOOKING_LIMITS.searchSliceMs + SHOWS.length / 100);
});
