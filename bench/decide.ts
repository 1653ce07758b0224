import { decide } from "../src/engine/decide.ts";
import type { DaemonDocument } from "../src/engine/document.ts";
import type { Occurrence } from "../src/engine/occurrence.ts";
import { type Benchmark, type Case, elapsedMs, ms, quantile } from "./harness.ts";
import { after, documentWithChannels, documentWithHistory, sync, WORLD } from "./world.ts";

const TIMERS = 500;
const TIMES = 20;

/** What the daemon thinks about for how long, while nothing else can happen in it. */
export const decideBenchmark: Benchmark = {
  name: "decide",
  open: async () => {
    const empty = documentWithChannels();
    const order = sync(TIMERS);
    const planned = after(empty, order);
    const cases = [
      caseOf(`first sync of ${TIMERS} timers`, empty, order),
      caseOf(`same ${TIMERS} timers again`, planned, order),
      caseOf(`instant, ${TIMERS} open recordings`, planned, { kind: "instant" }),
      caseOf(`instant, ${4 * TIMERS} open recordings`, after(empty, sync(4 * TIMERS)), { kind: "instant" }),
      caseOf("instant, 10000 that are over", documentWithHistory(10_000), { kind: "instant" }),
    ];
    return { cases, [Symbol.asyncDispose]: async () => {} };
  },
};

function caseOf(name: string, document: DaemonDocument, occurrence: Occurrence): Case {
  return {
    name,
    run: async () => {
      const times: number[] = [];
      for (let done = 0; done < TIMES; done += 1) {
        times.push(await elapsedMs(() => decide(document, occurrence, WORLD)));
      }
      return { decide: ms(quantile(times, 0.5)) };
    },
  };
}
