import type { Health } from "../../../model/health.ts";
import { oncePer } from "../../../model/once-per.ts";
import type { Part, Placed, Plan, PlanRequest, Remedy } from "../../../model/plan.ts";
import {
  isOpen,
  plannedSpan,
  type Recording,
  type RecordingId,
  type RecordingIn,
  type Trouble,
} from "../../../model/recording.ts";
import type { Steps } from "../../../model/steps.ts";
import { MINUTE } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { holdersFor } from "../../plan/certificate.ts";
import { surroundings } from "../../plan/parts.ts";
import { sameItems } from "../../plan/same-items.ts";
import type { Draft, World } from "./draft.ts";
import { tunersToPlan } from "./health.ts";
import { lostRequests } from "./lost-requests.ts";
import { planWorld, requestsOf } from "./plan-requests.ts";
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
