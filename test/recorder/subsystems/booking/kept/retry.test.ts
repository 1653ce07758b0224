import { expect, it } from "vitest";
import { silentLog } from "../../../../../src/kit/log.ts";
import { RecorderdError } from "../../../../../src/model/errors.ts";
import { HOUR, MINUTE } from "../../../../../src/model/time.ts";
import { stateInFolder } from "../../../../../src/recorder/store/state-store.ts";
import { createRuleKeeper } from "../../../../../src/recorder/subsystems/booking/kept/keeper.ts";
import { openRuleStore } from "../../../../../src/recorder/subsystems/booking/kept/store.ts";
import { createVirtualClock } from "../../../../../src/simulator/virtual-clock.ts";
import { temporaryFolder } from "../../../../main-job/recorder.ts";
import { NOW } from "../../library/entries.ts";

const ORDER = {
  ...{ ruleId: 1, episode: "e1", showId: 7, channelId: 1, name: "The tide" },
  ...{ start: NOW + 2 * HOUR, stop: NOW + 3 * HOUR },
};

it("R-17 an order that the service could not take is repeated within seconds, then less and less often", async () => {
  await using folder = await temporaryFolder();
  const clock = createVirtualClock(NOW);
  const store = await openRuleStore(stateInFolder(folder.path), silentLog);
  await store.change((kept) => ({ ...kept, ordering: [ORDER] }));
  const asked: number[] = [];
  const keeper = createRuleKeeper({
    client: { deleteTimer: async () => ({}) as never },
    store,
    reader: { forget: () => {} } as never,
    plan: () => ({ timers: {}, recordings: [] }),
    isListed: () => false,
    book: async () => {
      asked.push(clock.now() - NOW);
      if (clock.now() < NOW + MINUTE) throw new RecorderdError("GUIDE_UNAVAILABLE", "It is away.");
      return "21";
    },
    onOrdered: () => {},
    clock,
    chance: () => 1,
    log: silentLog,
  });
  const over = new AbortController();
  const running = keeper.run(over.signal);
  await clock.advance(10 * MINUTE);
  expect(asked.map((ms) => ms / 1000)).toEqual([0, 5, 15, 35, 75]);
  await expect.poll(() => store.current.ordering).toEqual([]);
  over.abort();
  await running;
});
