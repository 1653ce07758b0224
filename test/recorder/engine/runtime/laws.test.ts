import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { currentAttempt } from "../../../../src/model/attempt.ts";
import { isTerminal, missingFields, withoutForeignFields } from "../../../../src/model/recording.ts";
import { multiplexKey } from "../../../../src/model/service.ts";
import { HOUR } from "../../../../src/model/time.ts";
import { decide } from "../../../../src/recorder/engine/core/decide.ts";
import { quietUntil } from "../../../../src/recorder/engine/core/quiet.ts";
import { recordingIndexOf } from "../../../../src/recorder/engine/core/recording-index.ts";
import { dueInstant } from "../../../../src/recorder/engine/core/settle.ts";
import { casesOf } from "../../../lane.ts";
import { fc } from "../../../properties.ts";
import { finish, step, walk } from "./walks.ts";
import { Brain, EIGHT, timer, tuner } from "./world.ts";

const RANK: Record<string, number> = { waiting: 0, pending: 0, running: 1, completed: 2, failed: 2 };

/** The laws of every document, and of any two in a row. */
function holds(before: Brain["document"], after: Brain["document"]): boolean {
  const recordings = Object.values(after.recordings);
  const byTuner = new Map<string, Set<string>>();
  for (const recording of recordings) {
    const attempt = currentAttempt(recording);
    if (attempt === undefined || recording.service === undefined) continue;
    const set = byTuner.get(attempt.tunerId) ?? new Set();
    byTuner.set(attempt.tunerId, set.add(multiplexKey(recording.service)));
  }
  const oneMultiplexEach = [...byTuner.values()].every((set) => set.size <= 1);
  const leasesEnd = recordings.every((r) => !isTerminal(r.state) || currentAttempt(r) === undefined);
  const placedOrExplained = recordings.every((r) => r.state !== "conflicted" || r.trouble !== undefined);
  const terminalStays = Object.values(before.recordings).every(
    (r) => !isTerminal(r.state) || after.recordings[r.id]?.state === r.state,
  );
  const neverBack = Object.values(before.recordings).every((r) => {
    const told = after.recordings[r.id]?.reported?.state;
    return (RANK[told ?? "failed"] ?? 0) >= (RANK[r.reported?.state ?? "waiting"] ?? 0);
  });
  const fieldsOfState = recordings.every(
    (r) => missingFields(r).length === 0 && isDeepStrictEqual(withoutForeignFields(r), r),
  );
  const perTimer = new Set(after.outbox.map(({ timerId }) => timerId)).size === after.outbox.length;
  // The index that each decision updates equals a rebuilt one.
  const sameConcerns = isDeepStrictEqual(
    recordingIndexOf(after.recordings),
    recordingIndexOf({ ...after.recordings }),
  );
  const inLine = oneMultiplexEach && leasesEnd && placedOrExplained && sameConcerns;
  return inLine && terminalStays && neverBack && perTimer && fieldsOfState;
}

it("any sequence of events keeps the laws of tuners, leases, ends, reports and states", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, scarce) => {
      const brain = new Brain({
        tuners: scarce ? [tuner("a")] : [tuner("a"), tuner("b", { servicesAtOnce: () => 1 })],
      });
      return steps.every((next) => {
        const before = brain.document;
        walk(brain, next);
        return holds(before, brain.document);
      });
    }),
    { numRuns: casesOf({ sample: 170, all: 500 }) },
  );
});

it("after any sequence of events, time alone changes nothing before the instants that the engine waits for", () => {
  let quiet = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(), fc.boolean(), (steps, later, scarce) => {
      const brain = new Brain(scarce ? { tuners: [tuner("a")] } : {});
      return steps.every((next) => {
        walk(brain, next);
        const { document, world, now } = brain;
        const until = Math.min(quietUntil(document, world), dueInstant(document, world));
        if (until - 1 <= now) return true;
        quiet += 1;
        const at = now + 1 + (later % Math.min(until - 1 - now, HOUR));
        const {
          commands,
          facts,
          document: after,
        } = decide(document, { kind: "instant" }, { ...world, now: at });
        const { heartbeatAt, clock, latestFacts } = document;
        return (
          commands.length + facts.length === 0 &&
          isDeepStrictEqual({ ...after, heartbeatAt, clock, latestFacts }, document)
        );
      });
    }),
    { numRuns: casesOf({ sample: 170, all: 500 }) },
  );
  expect(quiet).toBeGreaterThan(500);
});

it("after any sequence of events, every recording ends once its captures end and its time is over", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const brain = new Brain();
      for (const next of steps) walk(brain, next);
      finish(brain);
      return Object.values(brain.document.recordings).every(({ state }) => isTerminal(state));
    }),
    { numRuns: casesOf({ sample: 70, all: 200 }) },
  );
});

it("the document is the same after writing and reading as JSON", () => {
  const brain = new Brain()
    .fetch(timer("1"), timer("2", { onChannel: 3 }))
    .at(EIGHT)
    .flowing("1");
  expect(JSON.parse(JSON.stringify(brain.document))).toEqual(brain.document);
});
