import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { currentAttempt } from "../../../../src/model/attempt.ts";
import {
  isTerminal,
  missingFields,
  type Recording,
  withoutForeignFields,
} from "../../../../src/model/recording.ts";
import { multiplexKey } from "../../../../src/model/service.ts";
import { HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { decide } from "../../../../src/recorder/engine/core/decide.ts";
import type { Occurrence } from "../../../../src/recorder/engine/core/occurrence.ts";
import { quietUntil } from "../../../../src/recorder/engine/core/quiet.ts";
import { recordingIndexOf } from "../../../../src/recorder/engine/core/recording-index.ts";
import { dueInstant, nextInstant } from "../../../../src/recorder/engine/core/settle.ts";
import { fc } from "../../../properties.ts";
import { Brain, EIGHT, timer, tuner, WHOLE } from "./world.ts";

/** One step of a household's evening, in terms that make sense for whatever document it meets. */
type Step =
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "next" }
  | {
      readonly kind: "order";
      readonly id: number;
      readonly onChannel: number;
      readonly startMin: number;
      readonly action: "record" | "forget";
    }
  | {
      readonly kind: "news";
      readonly pick: number;
      readonly what: "flowing" | "busy" | "stalled" | "asked" | "closed";
    }
  | { readonly kind: "restart"; readonly offMs: number; readonly survive: boolean };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ kind: "next" as const }),
  fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: MINUTE }) }),
  fc.record({
    kind: fc.constant("order" as const),
    id: fc.integer({ min: 1, max: 6 }),
    onChannel: fc.integer({ min: 1, max: 6 }),
    // Windows that touch are where one tuner changes hands.
    startMin: fc.constantFrom(0, 1, 1.5, 2, 3),
    action: fc.constantFrom("record" as const, "record" as const, "forget" as const),
  }),
  fc.record({
    kind: fc.constant("news" as const),
    pick: fc.nat(),
    what: fc.constantFrom(
      "flowing" as const,
      "busy" as const,
      "stalled" as const,
      "asked" as const,
      "closed" as const,
    ),
  }),
  fc.record({
    kind: fc.constant("restart" as const),
    offMs: fc.integer({ min: 0, max: 2 * MINUTE }),
    survive: fc.boolean(),
  }),
);

function newsOf(recording: Recording, what: Extract<Step, { kind: "news" }>["what"]): Occurrence {
  const recordingId = recording.id;
  const attempt = recording.attempts.length;
  switch (what) {
    case "flowing":
      return { kind: "attempt-flowing", recordingId, attempt };
    case "busy":
      return { kind: "attempt-ended", recordingId, attempt, cause: "TUNER_IN_USE", text: "busy" };
    case "stalled":
      return { kind: "attempt-ended", recordingId, attempt, cause: "STREAM_STALLED", text: "stalled" };
    case "asked":
      return { kind: "attempt-ended", recordingId, attempt, cause: "asked", text: "asked" };
    case "closed":
      return recording.evidence === undefined
        ? { kind: "inspected", recordingId, evidence: WHOLE }
        : { kind: "published", recordingId, file: "/recordings/Show.ts" };
  }
}

function walk(brain: Brain, { kind, ...step }: Step): void {
  const all = Object.values(brain.document.recordings);
  if (kind === "next") brain.at(Math.max(brain.now, nextInstant(brain.document, brain.world)));
  else if (kind === "pass" && "ms" in step) brain.at(brain.now + step.ms);
  else if (kind === "order" && "id" in step) {
    const start = EIGHT + step.startMin * MINUTE;
    const event = { start, stop: start + MINUTE };
    brain.fetch(
      timer(String(step.id), {
        onChannel: step.onChannel,
        event,
        action: step.action,
        beforeMinutes: 0,
        afterMinutes: 0,
      }),
    );
  } else if (kind === "news" && "pick" in step) {
    const picked = all[step.pick % Math.max(1, all.length)];
    if (picked !== undefined) brain.take(newsOf(picked, step.what));
  } else if (kind === "restart" && "offMs" in step) {
    const running = all
      .filter((r) => step.survive && currentAttempt(r) !== undefined)
      .map((r) => `${r.id}.${r.attempts.length}`);
    brain.now += step.offMs;
    brain.take({ kind: "started", running: new Set(running) });
  }
}

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
    { numRuns: 500 },
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
    { numRuns: 500 },
  );
  expect(quiet).toBeGreaterThan(1000);
});

it("after any sequence of events, every recording ends once its captures end and its time is over", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const brain = new Brain();
      for (const next of steps) walk(brain, next);
      brain.now = Math.max(brain.now, EIGHT + 300 * MINUTE);
      for (let round = 0; round < 5; round += 1) {
        brain.at(brain.now + SECOND);
        for (const recording of Object.values(brain.document.recordings)) {
          if (recording.state !== "closing") continue;
          if (currentAttempt(recording) !== undefined) brain.take(newsOf(recording, "asked"));
          else brain.take(newsOf(recording, "closed"));
        }
      }
      return Object.values(brain.document.recordings).every(({ state }) => isTerminal(state));
    }),
    { numRuns: 200 },
  );
});

it("the document is the same after writing and reading as JSON", () => {
  const brain = new Brain()
    .fetch(timer("1"), timer("2", { onChannel: 3 }))
    .at(EIGHT)
    .flowing("1");
  expect(JSON.parse(JSON.stringify(brain.document))).toEqual(brain.document);
});
