import { decide } from "../src/recorder/engine/core/decide.ts";
import type { DaemonDocument } from "../src/recorder/engine/core/document.ts";
import type { Occurrence } from "../src/recorder/engine/core/occurrence.ts";
import { type Benchmark, type Case, elapsedMs, ms, quantile } from "./harness.ts";
import { after, documentWithChannels, documentWithHistory, sync, WORLD } from "./world.ts";

const TIMERS = 500;
const TIMES = 20;

/** The time that decisions block the daemon. */
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

/** A long list is processed in portions. */
async function timesOf(document: DaemonDocument, occurrence: Occurrence): Promise<readonly number[]> {
  let rest: Occurrence | undefined = occurrence;
  let current = document;
  const times: number[] = [];
  while (rest !== undefined) {
    const now: Occurrence = rest;
    times.push(
      await elapsedMs(() => {
        const decision = decide(current, now, WORLD);
        current = decision.document;
        rest = decision.rest;
      }),
    );
  }
  return times;
}

function caseOf(name: string, document: DaemonDocument, occurrence: Occurrence): Case {
  return {
    name,
    run: async () => {
      const all: number[] = [];
      const longest: number[] = [];
      for (let done = 0; done < TIMES; done += 1) {
        const times = await timesOf(document, occurrence);
        all.push(times.reduce((a, b) => a + b, 0));
        longest.push(Math.max(...times));
      }
      return { decide: ms(quantile(all, 0.5)), "longest portion": ms(quantile(longest, 0.5)) };
    },
  };
}
