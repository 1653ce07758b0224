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
import { type EpochMs, MINUTE } from "../../../model/time.ts";
import { coveredMs, lengthMs, padded, type Window } from "../../../model/window.ts";
import { holdersFor } from "../../plan/certificate.ts";
import { sameItems } from "../../plan/same-items.ts";
import type { Draft, World } from "./draft.ts";
import { tunersToPlan } from "./health.ts";
import { lostWishes } from "./lost-wishes.ts";
import { conflictText, doubtText, type Fate, trimText } from "./planning-text.ts";
import type { Steps } from "./steps.ts";

/**
 * Plans all that is open anew, and brings the recordings in line with the plan.
 *
 * @returns those of which the plan is provisional, and what would help whom
 */
export function* plan(draft: Draft): Steps<{
  readonly unsettled: ReadonlySet<RecordingId>;
  readonly remedies: readonly Remedy[];
}> {
  const open = draft.open();
  const world = planWorld(draft);
  const wishes: PlanRequest[] = [];
  yield* draft.each(open, (recording) => {
    for (const wish of wishOf(recording, world)) wishes.push(wish);
  });
  const all = [...wishes, ...lostWishes(draft.concerns.repeated, world)];
  yield* draft.step();
  const made = draft.world.plan(all, tunersToPlan(draft.world.tuners, world.health));
  yield* draft.step();
  if (!isApplied(draft, made)) apply(draft, { made, open });
  // What waits there is far ahead, and as it was until then.
  if (made.placements.length < wishes.length) draft.leave({ kind: "instant" });
  return { unsettled: unsettledBy(made), remedies: made.remedies };
}

/** A plan is a value, and most decisions change nothing about it. */
const unsettledBy = oncePer((made: Plan): ReadonlySet<RecordingId> => {
  const unsettled = new Set<RecordingId>();
  for (const { provisional = false, recordingIds } of made.groups)
    if (provisional) for (const id of recordingIds) unsettled.add(id);
  return unsettled;
});

/** Besides recordings, all that a plan is applied under. */
interface Around extends Pick<World, "tuners" | "policy"> {
  readonly health: Health;
}

function around({ world: { tuners, policy }, document: { health } }: Draft): Around {
  return { tuners, policy, health };
}

function isUnder({ world, document }: Draft, { tuners, policy, health }: Around): boolean {
  return health === document.health && tuners === world.tuners && policy === world.policy;
}

interface Applied extends Around {
  readonly recordings: readonly Recording[];
}

/** With which recordings a plan is in line: the next decision nearly always finds both as they were. */
const APPLIED = new WeakMap<Plan, Applied>();

function isApplied(draft: Draft, made: Plan): boolean {
  const known = APPLIED.get(made);
  return known !== undefined && isUnder(draft, known) && sameItems(draft.open(), known.recordings);
}

/**
 * Parts that changed no recording when they were applied: of a large plan most are as they were. Wishes are made of recordings as they
 * are, so a part that is the very same is about the very same recordings.
 */
const IN_LINE = new WeakMap<Part, Around>();

function apply(
  draft: Draft,
  { made, open }: { readonly made: Plan; readonly open: readonly Recording[] },
): void {
  for (const part of made.parts) applyPart(draft, part);
  applyPart(draft, made.apart);
  // Nearly always all have a place in the plan, and there may be thousands.
  if (open.length > made.placements.length) for (const recording of open) applyLack(draft, recording);
  APPLIED.set(made, { ...around(draft), recordings: draft.open() });
}

/** Nothing is planned for what has no known service. */
function applyLack(draft: Draft, recording: Recording): void {
  if (recording.service !== undefined) return;
  const text = `The guide names no service for ${recording.channelName}, and none that a tuner offers matches it.`;
  conflicted(draft, recording, { code: "CHANNEL_WITHOUT_SERVICE", text });
}

function applyPart(draft: Draft, part: Part): void {
  const { wishes, placements } = part;
  const known = IN_LINE.get(part);
  if (placements.length === 0 || (known !== undefined && isUnder(draft, known))) return;
  let isInLine = true;
  const wishById = new Map(wishes.map((wish) => [wish.recordingId, wish]));
  for (const placement of placements) {
    const recording = draft.recording(placement.recordingId);
    const wish = wishById.get(placement.recordingId);
    if (recording === undefined || wish === undefined || !isPlannable(recording)) continue;
    if (placement.kind === "placed") place(draft, { recording, wish, placement, part });
    else conflicted(draft, recording, troubleOf(draft, { recording, wish, placement, part }));
    if (draft.recording(recording.id) !== recording) isInLine = false;
  }
  if (isInLine) IN_LINE.set(part, around(draft));
}

/** Its place in the plan may change. */
type Plannable = RecordingIn<"planned" | "conflicted" | "tuning" | "waiting" | "recording">;

function isPlannable(recording: Recording): recording is Plannable {
  return isOpen(recording) && recording.state !== "closing";
}

/** What is to be planned. */
export function wishesOf(open: readonly Recording[], world: WishWorld): readonly PlanRequest[] {
  const wishes: PlanRequest[] = [];
  for (const recording of open) for (const wish of wishOf(recording, world)) wishes.push(wish);
  return wishes;
}

/** What wishes depend on. */
export type WishWorld = Pick<World, "now" | "policy"> & { readonly health: Health };

export function planWorld({
  airNow,
  world,
  document,
}: Pick<Draft, "airNow" | "world" | "document">): WishWorld {
  return { now: airNow, policy: world.policy, health: document.health };
}

interface Known {
  readonly completeFrom: number;
  /** Of its multiplex, and of all: that is the same object until anything is learnt. */
  readonly weak: PlanRequest["weak"];
  readonly allWeak: Health["weak"];
  readonly wishes: readonly PlanRequest[];
  /** Holds until then. */
  readonly until: EpochMs;
}

/** Recordings are values: what one wishes stays the same until its event has begun without it, or its time is over. */
const KNOWN = new WeakMap<Recording, Known>();

/** What a recording wants of the plan: nothing where it is over or about to end, or has no known service. */
export function wishOf(recording: Recording, world: WishWorld): readonly PlanRequest[] {
  const { completeFrom } = world.policy;
  const { weak: allWeak } = world.health;
  const known = KNOWN.get(recording);
  const isKnown = known?.completeFrom === completeFrom && world.now <= known.until;
  if (isKnown && known.allWeak === allWeak) return known.wishes;
  // Over and kept from ending: it needs nothing more, but may hold what it has.
  if (world.now >= endOf(recording) && currentAttempt(recording) === undefined) return [];
  const { service } = recording;
  const weak = service === undefined ? undefined : allWeak[multiplexKey(service)];
  const wishes = isKnown && known.weak === weak ? known.wishes : newWishOf(recording, world, weak);
  const until = soonestChange(recording, wishes);
  if (world.now <= until) KNOWN.set(recording, { completeFrom, weak, allWeak, wishes, until });
  return wishes;
}

function newWishOf(
  recording: Recording,
  { now, policy }: Pick<World, "now" | "policy">,
  weak: PlanRequest["weak"],
): readonly PlanRequest[] {
  const { id: recordingId, service, window, event, priority, tunerId, state } = recording;
  // What ends now is free in a moment: `begin` waits for that, the plan need not.
  if (service === undefined || state === "closing") return [];
  const lateMs = Math.floor((1 - policy.completeFrom) * lengthMs(event));
  const avoid = failedLately(recording);
  const repeats = wishedRepeats(recording, now);
  const wish = {
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
    // It holds its tuner now, also where its event was moved to later meanwhile.
    const start = Math.min(event.start, attempt.startedAt);
    // What runs over by the broadcast's own word is event, not padding.
    const isDrawnOut = window.stop > padded(event, recording.padding).stop;
    const stop = Math.max(isDrawnOut ? window.stop : Math.min(event.stop, window.stop), start + 1);
    const held = { start: Math.min(window.start, attempt.startedAt), stop: Math.max(window.stop, stop) };
    return [
      { ...wish, runningOnTuner: attempt.tunerId, isLate: false, event: { start, stop }, window: held },
    ];
  }
  const had = tunerId === undefined ? {} : { had: tunerId };
  if (lostMs(recording, now) <= lateMs) return [{ ...wish, ...had, isLate: false, event, window }];
  // What is past is past. To the minute, so that there is not another plan with every second.
  const stop = now < event.stop ? event.stop : window.stop;
  const from = Math.min(Math.max(event.start, Math.floor(now / MINUTE) * MINUTE), stop - 1);
  return [
    {
      ...wish,
      ...had,
      isLate: true,
      event: { start: from, stop },
      window: { start: from, stop: window.stop },
    },
  ];
}

/** How long it wishes that, if nothing happens before: until its event has begun without it, or a repeat has, or its time is over. */
function soonestChange(recording: Recording, [wish]: readonly PlanRequest[]): EpochMs {
  if (wish === undefined || wish.runningOnTuner !== undefined) return Number.POSITIVE_INFINITY;
  const begins = (wish.repeats ?? []).map(({ repeat }) => repeat.event.start - 1);
  return Math.min(recording.event.start + wish.lateMs, endOf(recording) - 1, ...begins);
}

function wishedRepeats(
  { repeats = [], padding, healing }: Recording,
  now: EpochMs,
): NonNullable<PlanRequest["repeats"]> {
  // One is booked already.
  if (healing !== undefined && isHealing(healing)) return [];
  return repeats
    .filter((repeat) => hasYetToBegin(repeat, now) && healing?.tried.includes(repeat.showId) !== true)
    .map((repeat) => ({ repeat, window: padded(repeat.event, padding) }));
}

/** What is missing of the event by now. */
function lostMs({ event, attempts }: Recording, now: number): number {
  const past: Window = { start: event.start, stop: Math.min(event.stop, Math.max(now, event.start)) };
  const flowed = attempts.flatMap(({ flowingAt, endedAt = now }): readonly Window[] =>
    flowingAt === undefined ? [] : [{ start: flowingAt, stop: endedAt }],
  );
  return lengthMs(past) - coveredMs(past, flowed);
}

/** The tuners that failed since payload last flowed, the latest last. */
export function failedLately({ attempts }: Recording): readonly string[] {
  const lastFlowing = attempts.findLastIndex(({ flowingAt }) => flowingAt !== undefined);
  return attempts
    .slice(Math.max(0, lastFlowing))
    .filter(({ begun }) => begun !== false)
    .map(({ tunerId }) => tunerId);
}

function place(draft: Draft, fate: Fate<Placed> & { readonly recording: Plannable }): void {
  const { recording, placement } = fate;
  const { tunerId } = placement;
  const trim = isBeginning(draft, fate) ? recording.trim : trimOf(draft, fate);
  const isSame = JSON.stringify(trim) === JSON.stringify(recording.trim);
  const doubt = placement.isHope === true ? doubtText(draft, tunerId) : undefined;
  const change = {
    tunerId,
    ...(trim === undefined ? {} : { trim }),
    ...(doubt === undefined ? {} : { doubt }),
  };
  if (recording.state === "conflicted") {
    const { trouble: _solved, ...sound } = recording;
    draft.move(sound, "placed", change);
  } else if (recording.tunerId !== tunerId || !isSame || recording.doubt !== doubt) {
    const { trim: _before, doubt: _earlier, ...rest } = recording;
    draft.put({ ...rest, ...change });
    // From then on each attempt says on which tuner it is made.
    if (recording.state === "planned" && recording.tunerId !== tunerId)
      draft.note("tuner-changed", recording, { tuner: tunerId });
    if (trim !== undefined && !isSame && recording.state === "planned")
      draft.note("trimmed", recording, { text: trim.text });
  }
}

/** What ended for it a moment ago is in no plan any more, and what was told of it stays true. */
function isBeginning({ now, world }: Draft, { recording, placement }: Fate<Placed>): boolean {
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

/** What the plan records of the window, where that is not all of it. */
function trimOf(draft: Draft, fate: Fate<Placed>): Recording["trim"] {
  const { recording, wish, placement } = fate;
  const { window } = recording;
  // What runs or is late begins when it can.
  const isBegun = wish.runningOnTuner !== undefined || (wish.isLate && placement.begin <= wish.event.start);
  const span = {
    start: isBegun ? window.start : placement.span.start,
    stop: Math.min(window.stop, placement.span.stop),
  };
  if (span.start <= window.start && span.stop >= window.stop && placement.seamMs === 0) return undefined;
  const text = trimText(draft, fate, span);
  return text === "" ? undefined : { span, text };
}

function conflicted(draft: Draft, recording: Recording, trouble: Trouble): void {
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

/** Of two causes the one that tells people more: a conflict, then what went wrong at the tuner, then a missing mapping. */
function moreSpecific(fresh: Trouble, known: Trouble | undefined): Trouble {
  return known === undefined || fresh.code === "TUNER_BUSY" ? fresh : known;
}

function troubleOf(draft: Draft, fate: Fate): Trouble {
  const { recording, wish, placement, part } = fate;
  if (placement.kind === "conflict" && !placement.capable) {
    return { code: "TUNER_NONE_CAPABLE", text: `No configured tuner receives ${recording.channelName}.` };
  }
  const holders = holdersFor(wish, { ...part, tuners: draft.world.tuners });
  const remedies = part.remedies.filter(({ recordingId }) => recordingId === recording.id);
  const nameOf = (id: RecordingId) => draft.recording(id);
  return { code: "TUNER_BUSY", text: conflictText({ holders, remedies, nameOf }, draft.world.policy) };
}
