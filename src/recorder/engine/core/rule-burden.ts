import type { Placement } from "../../../model/plan.ts";
import { isBefore, type Recording, type RecordingId } from "../../../model/recording.ts";
import type { Space } from "../../../model/space.ts";
import { SECOND } from "../../../model/time.ts";
import type { RuleBurden, RuleQuestion } from "../../../model/what-if.ts";
import { lengthMs } from "../../../model/window.ts";
import { spaceFacts } from "../../subsystems/library/core/space.ts";
import { tunersToPlan } from "./health.ts";
import { planRequests } from "./plan-facts.ts";
import { orderOf } from "./recording-order.ts";
import {
  byId,
  type PlanFromScratch,
  recordedMs,
  type WhatIfContext,
  type WhatIfDocument,
} from "./what-if.ts";

type Recordings = Readonly<Record<RecordingId, Recording>>;

/** Plans with the timers of a rule and without them. Changes nothing. */
export async function ruleBurden(
  question: RuleQuestion,
  known: WhatIfDocument,
  {
    world: around,
    plans,
    space,
  }: { readonly world: WhatIfContext; readonly plans: PlanFromScratch; readonly space: Space | undefined },
): Promise<RuleBurden> {
  const world = { ...around, health: known.health };
  const tuners = tunersToPlan(world.tuners, world.health);
  const others = withoutRule(known.recordings, question.ruleId);
  const added = addedRecordings(question, others, { document: known, world });
  const requests = planRequests(others, world);
  const more = planRequests({ ...others, ...added }, world);
  const [before, after] = await plans([
    { requests, tuners },
    { requests: more, tuners },
  ]);
  if (before === undefined || after === undefined) throw new Error("each problem has a plan");
  const [now, then] = [byId(before.placements), byId(after.placements)];
  const placed = Object.values(added).filter(({ id }) => isPlaced(then.get(id)));
  return {
    displaced: requests.flatMap((request) => {
      const { recordingId } = request;
      const recording = others[recordingId];
      const lostMs = recordedMs(request, now.get(recordingId)) - recordedMs(request, then.get(recordingId));
      if (recording === undefined || lostMs <= 0) return [];
      const { timerId, name: title, event } = recording;
      return [{ recordingId, timerId, title, ...event, lostMs }];
    }),
    unplaced: Object.values(added)
      .filter((recording) => !placed.includes(recording))
      .map(({ timerId }) => timerId),
    ...(space?.kind === "online"
      ? { space: spaceFor(placed, { others, space, question, now: world.now }) }
      : {}),
  };
}

function isPlaced(placement: Placement | undefined): boolean {
  return placement?.kind === "placed" && placement.isHope !== true;
}

/** A recording that has begun continues without its rule. */
function withoutRule(recordings: Recordings, ruleId: number | undefined): Recordings {
  if (ruleId === undefined) return recordings;
  const isOfRule = (recording: Recording) => recording.rule?.id === ruleId && isBefore(recording);
  return Object.fromEntries(Object.entries(recordings).filter(([, recording]) => !isOfRule(recording)));
}

/** The recordings of the timers, by ids that no other has. A show that is recorded already is left out. */
function addedRecordings(
  { timers }: RuleQuestion,
  others: Recordings,
  context: Parameters<typeof orderOf>[0],
): Recordings {
  const taken = new Set(Object.values(others).map(({ showId }) => showId));
  const added = timers
    .filter(({ showId }) => !taken.has(showId))
    .map((timer): Recording => {
      const order = orderOf(context, timer, {});
      return {
        ...order,
        id: `#${timer.id}`,
        timerId: timer.id,
        state: "conflicted",
        withdrawn: false,
        attempts: [],
      };
    });
  return Object.fromEntries(added.map((recording) => [recording.id, recording]));
}

function spaceFor(
  placed: readonly Recording[],
  {
    others,
    space,
    question: { keep = Number.POSITIVE_INFINITY },
    now,
  }: {
    readonly others: Recordings;
    readonly space: Extract<Space, { readonly kind: "online" }>;
    readonly question: RuleQuestion;
    readonly now: number;
  },
): NonNullable<RuleBurden["space"]> {
  const { freeBytes, lowBytes, stopBytes, bytesPerSecond } = space;
  const sizes = placed.map(({ service, window }) =>
    service === undefined ? 0 : (bytesPerSecond(service) * lengthMs(window)) / SECOND,
  );
  const largest = sizes.toSorted((a, b) => b - a).slice(0, keep + 1);
  const { reservedBytes } = spaceFacts({
    marks: { lowBytes, stopBytes },
    recordings: Object.values(others),
    bytesPerSecond: (service) => (service === undefined ? 0 : bytesPerSecond(service)),
    now,
  });
  return {
    needsBytes: Math.round(largest.reduce((sum, bytes) => sum + bytes, 0)),
    freeBytes: Math.max(0, freeBytes - stopBytes - reservedBytes),
  };
}
