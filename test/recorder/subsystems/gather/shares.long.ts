import { expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { promiseJobsDone } from "../../../../src/kit/time/promises.ts";
import type { GuideService } from "../../../../src/model/broadcast-guide.ts";
import { tripletKey } from "../../../../src/model/service.ts";
import { HOUR } from "../../../../src/model/time.ts";
import { EIT_PID, GuideTables } from "../../../../src/mpeg-ts/tables/guide-tables.ts";
import { Gatherer } from "../../../../src/recorder/subsystems/gather/gatherer.ts";
import { GATHER_LIMITS } from "../../../../src/recorder/subsystems/gather/limits.ts";
import { eitSection } from "../../../../src/simulator/broadcaster/tables.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";

const START = Date.UTC(2026, 10, 20);
const GOOD_EVENTS = 300;

function present(onid: number, index: number): Buffer {
  const triplet = { onid, tsid: 1 + (index >> 15), sid: 1 + (index & 0x7fff) };
  const event = { eventId: index & 0xffff, start: START, durationMs: HOUR, title: "Flood", text: "" };
  return eitSection(triplet, { which: "present", version: 0, event });
}

it("a source with too many events does not displace those of others", async () => {
  const brought: GuideService[] = [];
  const over = new AbortController();
  const gatherer = new Gatherer({
    desk: {
      takes: () => Promise.resolve(true),
      bring: async (services) => {
        brought.push(...services);
      },
    },
    newTables: () => new GuideTables({ eventsMax: GATHER_LIMITS.events }),
    clock: createVirtualClock(START, promiseJobsDone),
    chance: () => 0.5,
    log: silentLog,
  });
  for (let index = 0; index < GATHER_LIMITS.events; index += 1) {
    gatherer.section(EIT_PID, present(1, index), "hostile");
  }
  for (let index = 0; index < GOOD_EVENTS; index += 1) {
    gatherer.section(EIT_PID, present(2, index), "good");
  }
  const running = gatherer.run(over.signal);
  await expect.poll(() => gatherer.status.broughtAt).toBeDefined();
  over.abort();
  await running;
  const keys = new Set(
    brought.filter(({ triplet }) => triplet.onid === 2).map(({ triplet }) => tripletKey(triplet)),
  );
  expect(keys.size).toBe(GOOD_EVENTS);
  expect(brought.length).toBe(GATHER_LIMITS.events / 2 + GOOD_EVENTS);
});
