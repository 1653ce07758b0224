import { monitorEventLoopDelay } from "node:perf_hooks";
import { silentLog } from "../src/kit/log.ts";
import { systemClock, yieldToLoop } from "../src/kit/time/clock.ts";
import { WakeSignal } from "../src/kit/time/wake-signal.ts";
import type { Plan, PlanRequest } from "../src/model/plan.ts";
import { createPlanning } from "../src/recorder/threads/planning.ts";
import { type Case, count, elapsedMs, ms } from "./harness.ts";
import { wholeLoopOfChain } from "./loop.ts";
import { chainOf, later, tunersOf, tunersOfKinds, type Worst } from "./orders.ts";

export const THREAD = new URL("../src/recorder/threads/planning-thread.js", import.meta.url);
/** Around the clock; the tuners can nearly always record all of it, or only half of the time. */
const BUSY_CHAIN = chainOf({ seed: 1, timers: 5000, atOnce: 16, multiplexes: 24 });
const HARD_CHAIN = chainOf({ seed: 1, timers: 5000, atOnce: 24, multiplexes: 30 });
const HARD_EVENING = chainOf({ seed: 1, timers: 150, atOnce: 30, multiplexes: 30 });

/** More timers in one group than are planned in one piece. */
export function chainCases(folder: string): readonly Case[] {
  const house = { wishes: BUSY_CHAIN, tuners: tunersOf(16), folder };
  return [
    wholeLoopOfChain("chain of 5000 timers, 16 tuners, whole loop", house),
    ...(["alike", "two kinds", "all different"] as const).flatMap((kinds) => [
      oneChanged(`chain of 5000 timers, 16 tuners ${kinds}`, BUSY_CHAIN, kinds),
      oneChanged(`hard chain of 5000 timers, 16 tuners ${kinds}`, HARD_CHAIN, kinds),
      oneChanged(`hard evening of 150 timers, 16 tuners ${kinds}`, HARD_EVENING, kinds),
    ]),
  ];
}

/** All is planned and thought through; then one order moves by a quarter of an hour. */
function oneChanged(name: string, wishes: readonly PlanRequest[], kinds: Worst["tuners"]): Case {
  const tuners = tunersOfKinds(kinds, { wishes, tuners: 16, seed: 1 });
  let round = 0;
  return {
    name: `${name}, one changed, with the thread`,
    run: async () => {
      const { planner, run } = createPlanning({ threadFile: THREAD, clock: systemClock(), log: silentLog });
      round += 1;
      const at = (round * 1237) % wishes.length;
      let asked = wishes;
      const over = new AbortController();
      const isDone = new WakeSignal();
      const plans = async () => {
        // A turn of the loop between two plans, as between two decisions.
        await yieldToLoop();
        const plan = planner.plan(asked, tuners);
        asked = withPrevious(asked, plan);
        if (plan.placements.length === asked.length && planner.pendingGroups().length === 0) isDone.signal();
        return plan;
      };
      const settles = async () => {
        const delay = monitorEventLoopDelay({ resolution: 1 });
        delay.enable();
        let plannedMs = 0;
        const provenMs = await elapsedMs(async () => {
          plannedMs = await elapsedMs(async () => {
            while ((await plans()).placements.length < asked.length);
          });
          while (planner.pendingGroups().length > 0)
            await isDone.waitFor(100, { clock: systemClock(), signal: over.signal });
        });
        delay.disable();
        return { plannedMs, provenMs, blockedMs: delay.max / 1e6 };
      };
      const running = run(over.signal, async () => {
        await plans();
      });
      const first = await settles();
      asked = asked.map((wish, index) => (index === at ? moved(wish) : wish));
      const second = await settles();
      over.abort();
      await running;
      return {
        "at first, proven after": ms(first.provenMs),
        "loop blocked": ms(second.blockedMs),
        "all planned after": ms(second.plannedMs),
        "proven after": ms(second.provenMs),
        ...countsOf(planner.plan(asked, tuners)),
      };
    },
  };
}

/** With the tuners of a plan as the previous ones, as the daemon's document has them. */
function withPrevious(wishes: readonly PlanRequest[], { placements }: Plan): readonly PlanRequest[] {
  const tunerOf = new Map(
    placements.map((one) => [one.recordingId, one.kind === "placed" ? one.tunerId : undefined]),
  );
  return wishes.map((wish) => {
    const tuner = tunerOf.get(wish.recordingId);
    return tuner === undefined || tuner === wish.previousTuner ? wish : { ...wish, previousTuner: tuner };
  });
}

export function countsOf({ groups }: Plan) {
  const whole = groups.reduce((sum, { worth }) => sum + worth.whole.reduce((a, b) => a + b, 0), 0);
  return {
    groups: count(groups.length),
    provisional: count(groups.filter(({ provisional }) => provisional === true).length),
    "not proven": count(groups.filter(({ proven }) => proven === "none").length),
    "whole events": count(whole),
  };
}

export function moved(wish: PlanRequest): PlanRequest {
  return { ...wish, event: later(wish.event), window: later(wish.window) };
}
