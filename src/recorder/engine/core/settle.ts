import type { ClockStanding } from "../../../model/clock-trust.ts";
import {
  endOf,
  inMotion,
  isBefore,
  isOpen,
  isTerminal,
  type OpenRecording,
  plannedSpan,
  type Recording,
  type RecordingId,
} from "../../../model/recording.ts";
import type { Report } from "../../../model/report.ts";
import { multiplexKey } from "../../../model/service.ts";
import type { Steps } from "../../../model/steps.ts";
import type { EpochMs } from "../../../model/time.ts";
import { warmUpMost } from "../../../model/tuner.ts";
import { outageOf } from "../../report/core/facts.ts";
import { reportFor } from "../../report/core/message.ts";
import { enqueue } from "../../report/core/outbox.ts";
import { nextAttempt, orderAttempt } from "./attempt.ts";
import { adjustWindowsToBroadcast } from "./broadcast-events.ts";
import { clockTrouble, isAwaitingList, resumeSuspended, suspendForUntrustedClock } from "./clock.ts";
import { orderNextClosingStep } from "./closing.ts";
import { noteSlowStorage, slowAt } from "./closing-blocker.ts";
import { limitToDiskSpace } from "./disk-space.ts";
import type { DaemonDocument } from "./document.ts";
import type { Draft, World } from "./draft.ts";
import { advanceHealing } from "./healing.ts";
import { orderProbes, probeAt } from "./health.ts";
import { endExpiredLeases, evict, leasesToEvict } from "./leases.ts";
import { ENGINE_LIMITS } from "./limits.ts";
import { planWorld, recentlyFailedTuners, requestsOf } from "./plan-requests.ts";
import { planRecordings } from "./planning.ts";
import { dueSoonOrNext, earliestActionAt, recordingIndexOf, settledSince } from "./recording-index.ts";
import { settleClaims, yieldUnclaimed } from "./survivors.ts";
import { moveFromDrained } from "./takeover.ts";

/** Brings the document up to date with the time and the plan, the same way after every occurrence. */
export function* settle(draft: Draft): Steps<void> {
  settleClaims(draft);
  adjustWindowsToBroadcast(draft, (recording) => requestsOf(recording, planWorld(draft)));
  expireRecordings(draft);
  endExpiredLeases(draft);
  const { unsettled, remedies } = yield* planRecordings(draft);
  beginDueRecordings(draft);
  moveFromDrained(draft);
  orderProbes(draft);
  advanceHealing(draft, remedies);
  yield* draft.step();
  queueReports(draft, unsettled);
  pruneOldRecordings(draft);
}

function expireRecordings(draft: Draft): void {
  for (const found of draft.dueSoon()) {
    if (!isOpen(found)) continue;
    const isHeld = found.clockHoldReason !== undefined;
    const isOver = found.state !== "closing" && draft.airNow >= endOf(found);
    if (draft.clockUntrusted) {
      if (isOver) endOrSuspend(draft, found);
      // By the clock alone it seemed over; by others it is not.
      else if (found.state !== "closing") resumeSuspended(draft, found);
      continue;
    }
    const recording = resumeSuspended(draft, found);
    if (recording.state === "closing") {
      if (isHeld || (recording.nextTryAt ?? Infinity) <= draft.now) orderNextClosingStep(draft, recording);
      else if (slowAt(recording) <= draft.now) noteSlowStorage(draft, recording);
      continue;
    }
    if (!isOver || (isBefore(recording) && isAwaitingList(draft))) continue;
    const next = draft.move(recording, "expired", isBefore(recording) ? clockTrouble(draft, recording) : {});
    if (next?.state === "closing") orderNextClosingStep(draft, next);
    else if (next !== undefined) noteOutage(draft, next);
  }
}

/** Ends the capture if sources agree on the time; everything that cannot be undone waits for the clock. */
function endOrSuspend(draft: Draft, recording: OpenRecording): void {
  const isUnderWay = !isBefore(recording) && draft.world.clock.othersAgree === true;
  const next = isUnderWay ? draft.move(recording, "expired", {}) : undefined;
  if (next?.state === "closing") orderNextClosingStep(draft, next);
  else suspendForUntrustedClock(draft, recording);
}

function noteOutage(draft: Draft, recording: Recording): void {
  const outage = outageOf(recording, draft.document.outages);
  if (outage === undefined) return;
  const { start, stop, asleep } = outage;
  draft.note("was-off", recording, { start, stop, ...(asleep ? { asleep } : {}) });
}

/**
 * Starts due recordings on tuners that no other recording holds for another multiplex. A recording's lease is its
 * running attempt, and ends with it.
 */
function beginDueRecordings(draft: Draft): void {
  const heldBack = limitToDiskSpace(draft, (recording) => draft.now >= dueAt(recording, draft.world));
  for (const recording of draft.dueSoon()) {
    const { tunerId, service, id } = recording;
    if (tunerId === undefined || service === undefined || draft.now < dueAt(recording, draft.world)) continue;
    if (recording.state !== "planned" && recording.state !== "waiting") continue;
    if (heldBack.has(id)) continue;
    if (draft.airNow >= endOf(recording)) continue;
    const lower = leasesToEvict(draft, { tunerId, multiplex: multiplexKey(service) });
    if (lower === undefined) continue;
    for (const lease of lower) evict(draft, lease, `for “${recording.name}”`);
    yieldUnclaimed(draft, tunerId, multiplexKey(service));
    const attempt = nextAttempt(draft, recording, tunerId);
    draft.move(recording, "due", { tunerId, attempts: [...recording.attempts, attempt] });
    orderAttempt(draft, recording, attempt);
  }
}

/** The inputs for the start of a recording. */
type ScheduleWorld = Pick<World, "now" | "tuners"> & {
  readonly clock?: Pick<ClockStanding, "othersAheadMs">;
};

/** The instant at which a recording is due, by the machine's clock. */
function dueAt(recording: Recording, { tuners, clock }: Omit<ScheduleWorld, "now">): EpochMs {
  const { attempts, tunerId, nextTryAt = 0, state } = recording;
  const warmUpMs = tuners.find(({ id }) => id === tunerId)?.warmUpMs ?? 0;
  const opensAt = plannedSpan(recording).start - warmUpMs - (clock?.othersAheadMs ?? 0);
  if (state !== "waiting") return opensAt;
  // Every other capable tuner is tried before one is asked again. A stream that flowed and broke off had a
  // good tuner.
  const inVain = attempts.at(-1)?.flowingAt === undefined && attempts.length < ENGINE_LIMITS.attemptsQuick;
  const untried = tunerId !== undefined && !recentlyFailedTuners(recording).includes(tunerId);
  return Math.max(opensAt, inVain && untried ? 0 : nextTryAt);
}

/**
 * Queues a report for every recording whose content differs from the reported one. A provisionally planned recording
 * waits for its final plan, so that no conflict is reported that vanishes a second later.
 */
function queueReports(draft: Draft, unsettled: ReadonlySet<RecordingId>): void {
  const { policy } = draft.world;
  const world = () => {
    const { outages, health } = draft.document;
    const airAheadMs = draft.airNow - draft.now;
    return { ...policy, outages, quarantine: health.quarantine, airAheadMs };
  };
  const reports: Report[] = [];
  const isProvisional = (recording: Recording) => unsettled.has(recording.id) && isBefore(recording);
  for (const found of draft.reportCandidates(isProvisional)) {
    // The decision that made this version reported it.
    if (found.reportPending !== true && draft.isUnchanged(found)) continue;
    if (isProvisional(found)) {
      if (found.reportPending !== true) draft.put({ ...found, reportPending: true });
      continue;
    }
    const { reportPending: wasHeldBack = false, ...recording } = found;
    // The report of the final decision stays, whatever the words would be today, until there is news of a repeat.
    const before = recording.reported;
    const isEnded = isTerminal(recording.state) && recording.endedAt !== draft.now;
    const isSaid = isEnded && before !== undefined && !isHealingNews(draft, recording);
    const told = isSaid || recording.withdrawn ? undefined : reportFor(recording, world());
    if (wasHeldBack) draft.put(recording);
    if (
      told === undefined ||
      (told.message === before?.message && (told.state ?? before.state) === before.state)
    )
      continue;
    const { content, ...plain } = told;
    const state = told.state ?? before?.state;
    draft.note("report-made", recording, plain);
    draft.put({
      ...recording,
      reported: { message: told.message, ...(state === undefined ? {} : { state }) },
    });
    reports.push({
      ...plain,
      content,
      seq: draft.nextReport(),
      timerId: recording.timerId,
      recordingId: recording.id,
      acknowledgesForget: false,
      madeAt: draft.now,
    });
  }
  if (reports.length === 0) return;
  draft.update({ outbox: enqueue(draft.document.outbox, reports) });
  draft.order({ kind: "deliver" });
}

function isHealingNews({ before }: Draft, { id, healing }: Recording): boolean {
  return healing !== undefined && before.recordings[id]?.healing?.step !== healing.step;
}

/** Removes old recordings from the document; the ledger and their files stay. */
function pruneOldRecordings(draft: Draft): void {
  const before = Math.min(draft.now, draft.airNow) - ENGINE_LIMITS.historyMs;
  const { over } = draft.index;
  const [oldest] = over;
  if (draft.clockUntrusted || oldest === undefined || settledSince(oldest) > before) return;
  const old = over.filter((recording) => settledSince(recording) <= before);
  for (const { id } of old) draft.remove(id);
  const kept = new Set(draft.recordings().map(({ timerId }) => timerId));
  const gone = new Set(old.map(({ timerId }) => timerId).filter((timerId) => !kept.has(timerId)));
  if (gone.size === 0) return;
  const timers = Object.entries(draft.document.timers).filter(([timerId]) => !gone.has(timerId));
  draft.update({ timers: Object.fromEntries(timers) });
}

/** The next instant at which a tuner opens for a planned recording; infinite if there is none. */
export function nextOpening(document: Pick<DaemonDocument, "recordings">, world: ScheduleWorld): EpochMs {
  const { begun, ahead } = recordingIndexOf(document.recordings);
  const earlierMs = warmUpMost(world.tuners) + (world.clock?.othersAheadMs ?? 0);
  let next = Math.min(Number.POSITIVE_INFINITY, ...begun.map((recording) => openingOf(recording, world)));
  for (const recording of ahead) {
    // Later recordings open no tuner earlier.
    if (earliestActionAt(recording) - earlierMs >= next) break;
    next = Math.min(next, openingOf(recording, world));
  }
  return next;
}

function openingOf(recording: Recording, world: ScheduleWorld): EpochMs {
  const { state, tunerId } = recording;
  if ((state !== "planned" && state !== "waiting") || tunerId === undefined) return Number.POSITIVE_INFINITY;
  const at = dueAt(recording, world);
  // A recording that was due before waits for another occurrence.
  return at >= world.now ? at : Number.POSITIVE_INFINITY;
}

/**
 * The next instant after the world's `now` at which `decide` has something to do, or a sign of life is due, if nothing
 * else happens before.
 */
export function nextInstant(document: DaemonDocument, world: ScheduleWorld): EpochMs {
  return Math.min(dueInstant(document, world), beatInstant(document.heartbeatAt, world.now));
}

/** The instant of the next sign of life. One from the future predates a setting of the clock. */
export function beatInstant(beatAt: EpochMs, now: EpochMs): EpochMs {
  return beatAt > now ? now : beatAt + ENGINE_LIMITS.heartbeatMs;
}

/** The next instant after the world's `now` at which `decide` has something to do; see `quietUntil` for the rest. */
export function dueInstant(
  { listAwaitedUntil, recordings, leases, health, unclaimed }: DaemonDocument,
  world: ScheduleWorld,
): EpochMs {
  const concerns = recordingIndexOf(recordings);
  const aheadMs = world.clock?.othersAheadMs ?? 0;
  const instants = dueSoonOrNext(concerns, {
    now: world.now + aheadMs,
    warmUpMs: warmUpMost(world.tuners),
  })
    .flatMap((recording) => {
      if (recording.state === "closing") return [recording.nextTryAt ?? Infinity, slowAt(recording)];
      const due =
        inMotion(recording.state) && recording.state !== "waiting" ? Infinity : dueAt(recording, world);
      return [endOf(recording) - aheadMs, due];
    })
    // A due recording that did not begin waits for another occurrence.
    .filter((at) => at > world.now);
  const uses = Object.values(leases).map(({ until }) => until);
  const probes = Object.values(health.quarantine).map((dead) => probeAt(dead, world.now));
  const asks = concerns.healing.flatMap((recording) => recording.healing?.nextTryAt ?? []);
  const claims = unclaimed.map(({ until }) => until);
  const others = [...uses, ...probes, ...asks, ...claims, listAwaitedUntil].filter((at) => at > world.now);
  return Math.min(...instants, ...others);
}
