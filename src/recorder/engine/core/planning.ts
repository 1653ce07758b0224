import { currentAttempt } from "../../../model/attempt.ts";
import { isHealing } from "../../../model/healing.ts";
import type { Health } from "../../../model/health.ts";
import { oncePer } from "../../../model/once-per.ts";
import type { Part, Placed, Plan, PlanRequest, Remedy } from "../../../model/plan.ts";
import {
  endOf,
  isOpen,
  plannedSpan,
  type Recording,
  type RecordingId,
  type RecordingIn,
  type Trouble,
} from "../../../model/recording.ts";
import { hasYetToBegin } from "../../../model/repeat.ts";
import { multiplexKey } from "../../../model/service.ts";
import type { Steps } from "../../../model/steps.ts";
import { type EpochMs, MINUTE } from "../../../model/time.ts";
import { coveredMs, lengthMs, padded, type Window } from "../../../model/window.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { holdersFor } from "../../plan/certificate.ts";
import { surroundings } from "../../plan/parts.ts";
import { sameItems } from "../../plan/same-items.ts";
import type { Draft, World } from "./draft.ts";
import { tunersToPlan } from "./health.ts";
import { lostRequests } from "./lost-requests.ts";
import {
  conflictNews,
  conflictText,
  doubtText,
  type PlacedRequest,
  trimNews,
  trimText,
} from "./planning-text.ts";

/**
 * Replans all open recordings and updates them to the plan.
 *
 * @returns the provisionally planned recordings, and remedies for the others
 */
export function* planRecordings(draft: Draft): Steps<{
  readonly unsettled: ReadonlySet<RecordingId>;
  readonly remedies: readonly Remedy[];
}> {
  const open = draft.open();
  const world = planWorld(draft);
  const requests: PlanRequest[] = [];
  yield* draft.forEach(open, (recording) => {
    for (const request of requestsOf(recording, world)) requests.push(request);
  });
  const all = [...requests, ...lostRequests(draft.index.repeated, world)];
  yield* draft.step();
  const made = draft.world.plan(all, tunersToPlan(draft.world.tuners, world.health));
  yield* draft.step();
  if (!isApplied(draft, made)) applyPlan(draft, { made, open });
  // The unplanned recordings are far ahead and keep their place until then.
  if (made.placements.length < requests.length) draft.deferRest({ kind: "instant" });
  return { unsettled: provisionalRecordings(made), remedies: made.remedies };
}

/** A plan is a value, and most decisions leave it unchanged. */
const provisionalRecordings = oncePer((made: Plan): ReadonlySet<RecordingId> => {
  const unsettled = new Set<RecordingId>();
  for (const { provisional = false, recordingIds } of made.groups)
    if (provisional) for (const id of recordingIds) unsettled.add(id);
  return unsettled;
});

/** The inputs of applying a plan, besides the recordings. */
interface ApplyContext extends Pick<World, "tuners" | "policy"> {
  readonly health: Health;
}

function applyContextOf({ world: { tuners, policy }, document: { health } }: Draft): ApplyContext {
  return { tuners, policy, health };
}

function isInContext({ world, document }: Draft, { tuners, policy, health }: ApplyContext): boolean {
  return health === document.health && tuners === world.tuners && policy === world.policy;
}

interface AppliedPlan extends ApplyContext {
  readonly recordings: readonly Recording[];
}

/** The recordings that each plan was applied to: the next decision nearly always finds both unchanged. */
const APPLIED_PLANS = new WeakMap<Plan, AppliedPlan>();

function isApplied(draft: Draft, made: Plan): boolean {
  const known = APPLIED_PLANS.get(made);
  return known !== undefined && isInContext(draft, known) && sameItems(draft.open(), known.recordings);
}

/**
 * Parts whose application changed no recording. Most parts of a large plan stay the same, and the same part is about
 * the same recordings.
 */
const UNCHANGING_PARTS = new WeakMap<Part, ApplyContext>();

function applyPlan(
  draft: Draft,
  { made, open }: { readonly made: Plan; readonly open: readonly Recording[] },
): void {
  for (const part of made.parts) applyPart(draft, part);
  applyPart(draft, made.apart);
  // Nearly always every recording has a placement, and there may be thousands.
  if (open.length > made.placements.length)
    for (const recording of open) applyMissingService(draft, recording);
  APPLIED_PLANS.set(made, { ...applyContextOf(draft), recordings: draft.open() });
}

/** Notes the conflict of a recording without a known service: nothing is planned for it. */
function applyMissingService(draft: Draft, recording: Recording): void {
  if (recording.service !== undefined) return;
  const text = `The guide names no service for ${recording.channelName}, and no service of a tuner matches it.`;
  applyConflict(draft, recording, { code: "CHANNEL_WITHOUT_SERVICE", text });
}

function applyPart(draft: Draft, part: Part): void {
  const { requests, placements } = part;
  const known = UNCHANGING_PARTS.get(part);
  if (placements.length === 0 || (known !== undefined && isInContext(draft, known))) return;
  let isInLine = true;
  const requestById = new Map(requests.map((request) => [request.recordingId, request]));
  for (const placement of placements) {
    const recording = draft.recording(placement.recordingId);
    const request = requestById.get(placement.recordingId);
    if (recording === undefined || request === undefined || !isPlannable(recording)) continue;
    if (placement.kind === "placed") applyPlacement(draft, { recording, request, placement, part });
    else applyConflict(draft, recording, conflictTrouble(draft, { recording, request, placement, part }));
    if (draft.recording(recording.id) !== recording) isInLine = false;
  }
  if (isInLine) UNCHANGING_PARTS.set(part, applyContextOf(draft));
}

/** A recording whose placement may change. */
type Plannable = RecordingIn<"planned" | "conflicted" | "tuning" | "waiting" | "recording">;

function isPlannable(recording: Recording): recording is Plannable {
  return isOpen(recording) && recording.state !== "closing";
}

export function requestsOfAll(open: readonly Recording[], world: RequestWorld): readonly PlanRequest[] {
  const requests: PlanRequest[] = [];
  for (const recording of open) for (const request of requestsOf(recording, world)) requests.push(request);
  return requests;
}

/** The inputs of a plan request. */
export type RequestWorld = Pick<World, "now" | "policy"> & { readonly health: Health };

export function planWorld({
  airNow,
  world,
  document,
}: Pick<Draft, "airNow" | "world" | "document">): RequestWorld {
  return { now: airNow, policy: world.policy, health: document.health };
}

interface CachedRequests {
  readonly completeFrom: number;
  /** The weak tuners of its multiplex, and of all: the same object until a lesson changes it. */
  readonly weak: PlanRequest["weak"];
  readonly allWeak: Health["weak"];
  readonly requests: readonly PlanRequest[];
  /** The end of the cache entry's validity. */
  readonly until: EpochMs;
}

/** Recordings are values: the request stays the same until its event begins without it, or its time is over. */
const REQUEST_CACHE = new WeakMap<Recording, CachedRequests>();

/** A recording's requests to the plan: none if it is over or about to end, or has no known service. */
export function requestsOf(recording: Recording, world: RequestWorld): readonly PlanRequest[] {
  const { completeFrom } = world.policy;
  const { weak: allWeak } = world.health;
  const known = REQUEST_CACHE.get(recording);
  const isKnown = known?.completeFrom === completeFrom && world.now <= known.until;
  if (isKnown && known.allWeak === allWeak) return known.requests;
  // It is over and kept from ending: it needs no more, but may keep its tuner.
  if (world.now >= endOf(recording) && currentAttempt(recording) === undefined) return [];
  const { service } = recording;
  const weak = service === undefined ? undefined : allWeak[multiplexKey(service)];
  const requests = isKnown && known.weak === weak ? known.requests : buildRequests(recording, world, weak);
  const until = cacheExpiry(recording, requests);
  if (world.now <= until) REQUEST_CACHE.set(recording, { completeFrom, weak, allWeak, requests, until });
  return requests;
}

function buildRequests(
  recording: Recording,
  { now, policy }: Pick<World, "now" | "policy">,
  weak: PlanRequest["weak"],
): readonly PlanRequest[] {
  const { id: recordingId, service, window, event, priority, tunerId, state } = recording;
  // A closing recording frees its tuner in a moment. `begin` waits for that, the plan need not.
  if (service === undefined || state === "closing") return [];
  const lateMs = Math.floor((1 - policy.completeFrom) * lengthMs(event));
  const avoid = recentlyFailedTuners(recording);
  const repeats = repeatRequests(recording, now);
  const request = {
    recordingId,
    service,
    priority,
    lateMs,
    avoid,
    ...(weak === undefined ? {} : { weak }),
    ...(repeats.length === 0 ? {} : { repeats }),
  };
  const attempt = currentAttempt(recording);
  if (attempt !== undefined) {
    // The recording keeps its tuner, even if its event was moved to a later time.
    const start = Math.min(event.start, attempt.startedAt);
    // Time that the broadcast adds to a running event counts as event, not as padding.
    const isDrawnOut = window.stop > padded(event, recording.padding).stop;
    const stop = Math.max(isDrawnOut ? window.stop : Math.min(event.stop, window.stop), start + 1);
    const held = { start: Math.min(window.start, attempt.startedAt), stop: Math.max(window.stop, stop) };
    return [
      { ...request, runningOnTuner: attempt.tunerId, isLate: false, event: { start, stop }, window: held },
    ];
  }
  const previous = tunerId === undefined ? {} : { previousTuner: tunerId };
  if (missingMs(recording, now) <= lateMs) return [{ ...request, ...previous, isLate: false, event, window }];
  // Plan only the rest. It is rounded to the minute, so that the plan does not change every second.
  const stop = now < event.stop ? event.stop : window.stop;
  const from = Math.min(Math.max(event.start, Math.floor(now / MINUTE) * MINUTE), stop - 1);
  return [
    {
      ...request,
      ...previous,
      isLate: true,
      event: { start: from, stop },
      window: { start: from, stop: window.stop },
    },
  ];
}

/**
 * The instant until which the request stays the same: its event begins without it, a repeat begins, or its time is
 * over.
 */
function cacheExpiry(recording: Recording, [request]: readonly PlanRequest[]): EpochMs {
  if (request === undefined || request.runningOnTuner !== undefined) return Number.POSITIVE_INFINITY;
  const begins = (request.repeats ?? []).map(({ repeat }) => repeat.event.start - 1);
  return Math.min(recording.event.start + request.lateMs, endOf(recording) - 1, ...begins);
}

function repeatRequests(
  { repeats = [], padding, healing }: Recording,
  now: EpochMs,
): NonNullable<PlanRequest["repeats"]> {
  // A repeat is booked already.
  if (healing !== undefined && isHealing(healing)) return [];
  return repeats
    .filter((repeat) => hasYetToBegin(repeat, now) && healing?.tried.includes(repeat.showId) !== true)
    .map((repeat) => ({ repeat, window: padded(repeat.event, padding) }));
}

/** The part of the event that is missing by now. */
function missingMs({ event, attempts }: Recording, now: number): number {
  const past: Window = { start: event.start, stop: Math.min(event.stop, Math.max(now, event.start)) };
  const flowed = attempts.flatMap(({ flowingAt, endedAt = now }): readonly Window[] =>
    flowingAt === undefined ? [] : [{ start: flowingAt, stop: endedAt }],
  );
  return lengthMs(past) - coveredMs(past, flowed);
}

/** The tuners that failed since payload last flowed, the latest last. */
export function recentlyFailedTuners({ attempts }: Recording): readonly string[] {
  const lastFlowing = attempts.findLastIndex(({ flowingAt }) => flowingAt !== undefined);
  return attempts
    .slice(Math.max(0, lastFlowing))
    .filter(({ begun }) => begun !== false)
    .map(({ tunerId }) => tunerId);
}

function applyPlacement(
  draft: Draft,
  placed: PlacedRequest<Placed> & { readonly recording: Plannable },
): void {
  const { recording, placement } = placed;
  const { tunerId } = placement;
  const trim = isBeginning(draft, placed) ? recording.trim : trimOf(draft, placed);
  const isSame = JSON.stringify(trim) === JSON.stringify(recording.trim);
  const doubt = placement.isHope === true ? doubtText(draft, tunerId) : undefined;
  const change = {
    tunerId,
    ...withoutUndefined({ trim, doubt }),
  };
  if (recording.state === "conflicted") {
    const { trouble: _solved, ...sound } = recording;
    draft.move(sound, "placed", change);
  } else if (recording.tunerId !== tunerId || !isSame || recording.doubt !== doubt) {
    const { trim: _before, doubt: _earlier, ...rest } = recording;
    draft.put({ ...rest, ...change });
    // Later changes of the tuner show in the attempts.
    if (recording.state === "planned" && recording.tunerId !== tunerId)
      draft.note("tuner-changed", recording, { tuner: tunerId });
    if (trim !== undefined && trim.text !== recording.trim?.text && recording.state === "planned")
      draft.note("trimmed", recording, { text: trim.text });
  }
}

/**
 * Whether the recording is about to begin as planned. The recording that it yielded to has left the plan, and the
 * reported trim stays true.
 */
function isBeginning(
  { airNow: now, world }: Draft,
  { recording, placement }: PlacedRequest<Placed>,
): boolean {
  const { start, stop } = plannedSpan(recording);
  const warmUpMs = world.tuners.find(({ id }) => id === placement.tunerId)?.warmUpMs ?? 0;
  return (
    recording.trim !== undefined &&
    recording.state === "planned" &&
    recording.tunerId === placement.tunerId &&
    now >= start - warmUpMs - MINUTE &&
    stop === Math.min(recording.window.stop, placement.span.stop)
  );
}

/** The part of the window that the plan records, if it is not all of it. */
function trimOf(draft: Draft, placed: PlacedRequest<Placed>): Recording["trim"] {
  const { recording, request, placement } = placed;
  const { window } = recording;
  // Running and late recordings begin as soon as they can.
  const isBegun =
    request.runningOnTuner !== undefined || (request.isLate && placement.begin <= request.event.start);
  const span = {
    start: isBegun ? window.start : placement.span.start,
    stop: Math.min(window.stop, placement.span.stop),
  };
  if (span.start <= window.start && span.stop >= window.stop && placement.seamMs === 0) return undefined;
  const news = trimNews(draft, placed, span);
  return news === undefined ? undefined : { span, text: trimText(news, draft.world.policy), news };
}

function applyConflict(draft: Draft, recording: Recording, trouble: Trouble): void {
  if (recording.state === "planned") draft.move(recording, "displaced", { trouble });
  else if (recording.state === "conflicted" && recording.trouble?.text !== trouble.text) {
    draft.put({ ...recording, trouble });
    draft.note("conflict", recording, { cause: trouble.code, text: trouble.text });
  } else if (recording.state === "waiting" && recording.tunerId !== undefined) {
    const { tunerId: _lost, trim: _none, doubt: _over, ...rest } = recording;
    draft.put({ ...rest, trouble: moreSpecific(trouble, recording.trouble) });
    draft.note("conflict", recording, { cause: trouble.code, text: trouble.text });
  }
}

/** The more telling of two causes: a conflict, then a tuner failure, then a missing mapping. */
function moreSpecific(fresh: Trouble, known: Trouble | undefined): Trouble {
  return known === undefined || fresh.code === "TUNER_BUSY" ? fresh : known;
}

function conflictTrouble(draft: Draft, placed: PlacedRequest): Trouble {
  const { recording, request, placement, part } = placed;
  if (placement.kind === "conflict" && !placement.capable) {
    return { code: "TUNER_NONE_CAPABLE", text: `No configured tuner receives ${recording.channelName}.` };
  }
  const holders = holdersFor(request, { ...surroundings(part), tuners: draft.world.tuners });
  const remedies = part.remedies.filter(({ recordingId }) => recordingId === recording.id);
  const nameOf = (id: RecordingId) => draft.recording(id);
  const conflict = conflictNews({ holders, remedies, nameOf });
  return { code: "TUNER_BUSY", text: conflictText(conflict, draft.world.policy), conflict };
}
