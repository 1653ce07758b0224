import { currentAttempt } from "../../../../src/model/attempt.ts";
import type { Recording } from "../../../../src/model/recording.ts";
import { MINUTE, SECOND } from "../../../../src/model/time.ts";
import type { Occurrence } from "../../../../src/recorder/engine/core/occurrence.ts";
import { nextInstant } from "../../../../src/recorder/engine/core/settle.ts";
import { fc } from "../../../properties.ts";
import { type Brain, EIGHT, timer, WHOLE } from "./world.ts";

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

export const step: fc.Arbitrary<Step> = fc.oneof(
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

export function walk(brain: Brain, { kind, ...step }: Step): void {
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

/** Lets the evening end: captures stop, and files are made. */
export function finish(brain: Brain, afterStep: () => void = () => {}): void {
  brain.now = Math.max(brain.now, EIGHT + 300 * MINUTE);
  for (let round = 0; round < 5; round += 1) {
    brain.at(brain.now + SECOND);
    afterStep();
    for (const recording of Object.values(brain.document.recordings)) {
      if (recording.state !== "closing") continue;
      if (currentAttempt(recording) !== undefined) brain.take(newsOf(recording, "asked"));
      else brain.take(newsOf(recording, "closed"));
      afterStep();
    }
  }
}
