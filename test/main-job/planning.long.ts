import { describe, expect, it } from "vitest";
import { worstEvening } from "../../bench/orders.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { createPlanning } from "../../src/recorder/threads/planning.ts";

/** Threads need the compiled script. */
const THREAD = new URL("../../dist/recorder/threads/planning-thread.js", import.meta.url);
const BROKEN = new URL("data:text/javascript,process.exit(3)");
const { wishes, tuners } = worstEvening({ seed: 2, priorities: "ties", tuners: "alike" });

/** A daemon's planner, asked once and again when it says that there is news. */
async function thoughtThrough(threadFile: URL) {
  const planning = createPlanning({ threadFile, clock: systemClock(), log: silentLog });
  const first = planning.planner.plan(wishes, tuners);
  const controller = new AbortController();
  await planning.run(controller.signal, async () => controller.abort());
  return { first, last: planning.planner.plan(wishes, tuners), open: planning.planner.pendingGroups() };
}

function wholeOf({ groups }: ReturnType<ReturnType<typeof createPlanning>["planner"]["plan"]>): number {
  return groups.flatMap(({ worth }) => worth.whole).reduce((sum, one) => sum + one, 0);
}

describe("a plan that takes too long for the loop", () => {
  it("is provisional at once, and proven on a worker thread", async () => {
    const { first, last, open } = await thoughtThrough(THREAD);
    expect(first.groups).toMatchObject([{ provisional: true, proven: "none" }]);
    expect(last.groups).toMatchObject([{ proven: "events" }]);
    expect(last.groups[0]).not.toHaveProperty("provisional");
    expect(wholeOf(last)).toBeGreaterThanOrEqual(wholeOf(first));
    expect(open).toEqual([]);
  });

  it("stays provisional if the thread fails, and says so", async () => {
    const { first, last, open } = await thoughtThrough(BROKEN);
    expect(last.placements).toEqual(first.placements);
    expect(last.groups).toMatchObject([{ proven: "none" }]);
    expect(last.groups[0]).not.toHaveProperty("provisional");
    expect(open).toEqual([]);
  });

  it("is computed again for a query, or the query fails with the thread's error", async () => {
    const parts = { clock: systemClock(), log: silentLog };
    const { signal } = new AbortController();
    const few = wishes.slice(0, 20);
    const [plan] = await createPlanning({ ...parts, threadFile: THREAD }).plans(
      [{ requests: few, tuners }],
      signal,
    );
    expect(plan?.placements).toHaveLength(20);
    await expect(
      createPlanning({ ...parts, threadFile: BROKEN }).plans([{ requests: few, tuners }], signal),
    ).rejects.toMatchObject({ code: "PLANNING_FAILED" });
  });
});
