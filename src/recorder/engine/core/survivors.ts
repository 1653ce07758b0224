import { type Attempt, attemptId, type FoundAttempt, runningAttempts } from "../../../model/attempt.ts";
import { isOpen, type Recording, type RecordingId } from "../../../model/recording.ts";
import { type MultiplexKey, multiplexKey, sameTriplet } from "../../../model/service.ts";
import type { Timer } from "../../../model/timer.ts";
import type { TunerId } from "../../../model/tuner.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { endAttempt, endUnbegunAttempt } from "./attempt.ts";
import { isAwaitingList } from "./clock.ts";
import { orderNextClosingStep } from "./closing.ts";
import type { UnclaimedAttempt } from "./document.ts";
import type { Draft } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";
import type { Occurrence } from "./occurrence.ts";

/*
 * Captures and segments that an earlier run of the daemon has left. The document may lack some: it was damaged, and is an earlier
 * version now or a new one, or a leader of a fleet went on without its database.
 */

type Survivors = Pick<Extract<Occurrence, { readonly kind: "started" }>, "running" | "unbegun">;

/** Adopts the captures of a recording that run, and interrupts it if none does. */
export function adoptOrInterrupt(draft: Draft, recording: Recording, { running, unbegun }: Survivors): void {
  const { id: recordingId, service } = recording;
  const isOn = ({ number }: Attempt) => service !== undefined && running.has(attemptId(recordingId, number));
  const attempts = runningAttempts(recording);
  const gone = attempts.filter((attempt) => !isOn(attempt));
  for (const { number } of attempts.filter(isOn)) {
    draft.move(recording, "adopted", {});
    if (service !== undefined) draft.order({ kind: "adopt", recordingId, attempt: number, service });
  }
  for (const { number: attempt } of gone) {
    if (recording.state !== "closing" && unbegun?.has(attemptId(recordingId, attempt)) === true) {
      endUnbegunAttempt(draft, draft.recording(recordingId) ?? recording, attempt);
      continue;
    }
    // A closing recording had already ordered its capture to stop.
    const cause = recording.state === "closing" ? "asked" : "CAPTURE_DIED";
    const end = { attempt, cause, text: "The capture ended while the recorder was off." } as const;
    const latest = draft.recording(recordingId);
    if (latest !== undefined && isOpen(latest)) endAttempt(draft, latest, end);
  }
  if (gone.length === 0 && recording.state === "closing") orderNextClosingStep(draft, recording);
}

/** Ends a capture without an open recording. Its segment stays on disk and is listed. */
export function endStray(draft: Draft, id: string): void {
  draft.note("stray-ended", undefined, { attempt: id });
  const strays = [...draft.document.strays, { attemptId: id, endedAt: draft.now }];
  draft.update({ strays: strays.slice(-ENGINE_LIMITS.straysMax) });
  draft.order({ kind: "end-stray", attemptId: id });
}

/** Adds attempts that the document has lost to their recordings, as if they had begun just now, or corrects those of the same number. */
export function takeUpFound(draft: Draft, found: readonly FoundAttempt[]): void {
  for (const id of new Set(found.map(({ recordingId }) => recordingId))) {
    const recording = draft.recording(id);
    // The attempts of a closing recording are over, and its segments may be joined already.
    if (recording === undefined || !isOpen(recording) || recording.state === "closing") continue;
    const attempts = found.filter(({ recordingId }) => recordingId === id);
    const all = withFound(recording, attempts);
    const { tunerId = "" } = all.at(-1) ?? {};
    const placed =
      recording.state === "conflicted" ? draft.move(recording, "placed", { tunerId }) : recording;
    const next = { attempts: all, tunerId };
    // A running attempt that the document knows keeps its state.
    if (placed?.state === "planned" || placed?.state === "waiting") draft.move(placed, "due", next);
    else if (placed !== undefined) draft.put({ ...placed, ...next });
    draft.note("attempts-found", recording, { attempts: attempts.map(({ number }) => number).join(", ") });
  }
}

/** Attempts that left no segment have a place among them: attempts are counted. */
function withFound({ attempts }: Recording, found: readonly FoundAttempt[]): readonly Attempt[] {
  const all = [...attempts];
  for (const { number, tunerId, startedAt, boot } of found.toSorted((a, b) => a.number - b.number)) {
    const begun = { tunerId, startedAt, ...withoutUndefined({ boot }) };
    const known = all.findIndex((attempt) => attempt.number === number);
    if (known !== -1) {
      all[known] = { ...begun, number };
      continue;
    }
    while (all.length + 1 < number) {
      const gap = { ...begun, endedAt: startedAt, cause: "CAPTURE_NOT_STARTED", begun: false } as const;
      all.push({ ...gap, number: all.length + 1 });
    }
    all.push({ ...begun, number });
  }
  return all;
}

/** Keeps attempts of recordings that the document has lost as well, until the timer list shows whose they are. */
export function awaitClaims(draft: Draft, left: readonly Omit<UnclaimedAttempt, "until">[]): void {
  if (left.length === 0 && draft.document.unclaimed.length === 0) return;
  const until = draft.now + ENGINE_LIMITS.listAwaitMs;
  draft.passOverRecordingIds(left.map(({ recordingId }) => recordingId));
  draft.update({ unclaimed: left.map((each) => ({ ...each, until })) });
}

/** The id that a timer's recording had before the document lost it: its segments have it in their names. */
export function formerId(draft: Draft, { id, event }: Timer): RecordingId | undefined {
  return draft.document.unclaimed.find(
    ({ recordingId, timerId, startedAt }) =>
      timerId === id &&
      draft.recording(recordingId) === undefined &&
      startedAt > event.start - ENGINE_LIMITS.claimBeforeMs &&
      startedAt < event.stop,
  )?.recordingId;
}

/** Gives unclaimed attempts to their recordings; ends those that nobody wants. */
export function settleClaims(draft: Draft): void {
  const { unclaimed } = draft.document;
  if (unclaimed.length === 0) return;
  const [claimed, strays, rest]: [UnclaimedAttempt[], UnclaimedAttempt[], UnclaimedAttempt[]] = [[], [], []];
  for (const each of unclaimed) {
    const recording = draft.recording(each.recordingId);
    const isTheirs = recording !== undefined && isOpen(recording) && recording.timerId === each.timerId;
    const isKnown = isTheirs && recording.service !== undefined;
    const isLate = each.until <= draft.now || each.until > draft.now + ENGINE_LIMITS.listAwaitMs;
    if (isKnown && sameTriplet(recording.service, each.service)) claimed.push(each);
    else if (isKnown || isLate || (!isTheirs && !isAwaitingList(draft))) strays.push(each);
    else rest.push(each);
  }
  if (rest.length < unclaimed.length) draft.update({ unclaimed: rest });
  takeUpFound(draft, claimed);
  const running = new Set(claimed.filter(({ runs }) => runs).map(idOf));
  for (const id of new Set(claimed.map(({ recordingId }) => recordingId))) {
    const recording = draft.recording(id);
    if (recording !== undefined) adoptOrInterrupt(draft, recording, { running });
  }
  for (const stray of strays) if (stray.runs) endStray(draft, idOf(stray));
}

/** A known use of a tuner comes before an unclaimed capture there. */
export function yieldUnclaimed(draft: Draft, tunerId: TunerId, multiplex: MultiplexKey): void {
  const { unclaimed } = draft.document;
  const isInTheWay = (each: UnclaimedAttempt) =>
    each.tunerId === tunerId && each.runs && multiplexKey(each.service) !== multiplex;
  const inTheWay = unclaimed.filter(isInTheWay);
  if (inTheWay.length === 0) return;
  draft.update({ unclaimed: unclaimed.filter((each) => !isInTheWay(each)) });
  for (const each of inTheWay) endStray(draft, idOf(each));
}

function idOf({ recordingId, number }: FoundAttempt): string {
  return attemptId(recordingId, number);
}
