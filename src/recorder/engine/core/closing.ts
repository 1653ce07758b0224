import { runningAttempts } from "../../../model/attempt.ts";
import type { Evidence, FileEvidence, InspectedEvidence } from "../../../model/evidence.ts";
import { eventToRecord, type Recording, type RecordingIn } from "../../../model/recording.ts";
import { SECOND } from "../../../model/time.ts";
import { verdictOf } from "../../../model/verdict.ts";
import { coveredMs, lengthMs, uncovered } from "../../../model/window.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { clockTrouble, suspendForUntrustedClock } from "./clock.ts";
import type { Draft } from "./draft.ts";
import { learnEvidence } from "./health.ts";
import type { Occurrence } from "./occurrence.ts";

/**
 * Orders the next step of closing: end the capture, read the segments, publish the file. A step may be repeated after
 * a crash.
 */
export function orderNextClosingStep(draft: Draft, recording: RecordingIn<"closing">): void {
  // This order replaces the pending retry.
  const { nextTryAt: _now, ...rest } = recording;
  draft.put({ ...rest, closing: { ...recording.closing, since: draft.now } });
  const running = runningAttempts(recording);
  if (running.length > 0) {
    for (const { number } of running) {
      draft.order({ kind: "stop", recordingId: recording.id, attempt: number });
    }
  } else if (draft.clockUntrusted) {
    suspendForUntrustedClock(draft, recording);
  } else if (recording.evidence === undefined) {
    draft.order({ kind: "inspect", recordingId: recording.id });
  } else {
    draft.order({ kind: "publish", recordingId: recording.id, evidence: recording.evidence });
  }
}

export function applyInspection(
  draft: Draft,
  recording: RecordingIn<"closing">,
  evidence: InspectedEvidence,
): void {
  draft.note("inspected", recording);
  orderNextClosingStep(draft, draft.put({ ...recording, evidence }));
}

/** Ends a recording by the evidence on disk alone. */
export function finishRecording(
  draft: Draft,
  recording: RecordingIn<"closing">,
  result: PublishedResult,
): void {
  if (recording.evidence === undefined) return;
  const found = measuredForEvent(recording, recording.evidence);
  const { file, sha256, modifiedAt, complaints = [] } = result;
  const { completeFrom } = draft.world.policy;
  if (file === undefined) {
    const { file: _planned, plainName: _none, sha256: _nor, ...empty } = found;
    const ended = recording.withdrawn
      ? draft.move(recording, "discarded", { evidence: empty })
      : draft.move(recording, "empty", { evidence: empty, ...clockTrouble(draft, recording) });
    if (ended !== undefined) noteResult(draft, ended, complaints);
    return;
  }
  const verdict = verdictOf(found, completeFrom);
  const evidence: FileEvidence = {
    ...found,
    file,
    ...withoutUndefined({ sha256, modifiedAt, verdict }),
  };
  const input = recording.withdrawn ? "discarded" : isWhole(evidence, completeFrom) ? "whole" : "shortened";
  const why = input === "shortened" ? clockTrouble(draft, recording) : {};
  const ended = draft.move(recording, input, { evidence, ...why });
  if (ended === undefined) return;
  noteResult(draft, ended, complaints);
  // The document keeps the order, so it survives a crash.
  draft.put({ ...ended, sidecarDue: true });
  draft.order({ kind: "annotate", recordingId: ended.id });
}

type Ended = RecordingIn<"completed" | "partial" | "failed" | "cancelled">;

function noteResult(draft: Draft, recording: Ended, complaints: readonly string[]): void {
  const { evidence } = recording;
  if (evidence === undefined) return;
  noteEvidence(draft, recording, evidence);
  learnEvidence(draft, recording, evidence);
  for (const text of complaints) draft.note("complaint", recording, { text });
}

type PublishedResult = Pick<
  Extract<Occurrence, { readonly kind: "published" }>,
  "file" | "sha256" | "modifiedAt" | "complaints"
>;

/** Orders the sidecars that an earlier run of the daemon left unwritten. */
export function orderDueSidecars(draft: Draft): void {
  for (const { id, sidecarDue } of draft.recordings()) {
    if (sidecarDue === true) draft.order({ kind: "annotate", recordingId: id });
  }
}

/** Sidecars are written again if the recording has changed since they were begun. */
export function noteSidecarsWritten(draft: Draft, written: Recording): void {
  const recording = draft.recording(written.id);
  if (recording?.sidecarDue !== true) return;
  if (recording !== written) return draft.order({ kind: "annotate", recordingId: recording.id });
  const { sidecarDue: _done, ...done } = recording;
  draft.put(done);
}

/** Packets at the edges are undated: evidence may miss the window by this much. */
const EDGE_MS = 100;

/**
 * Measures the evidence against the event as it is now, from the first to the last instant on disk without the gaps.
 * The event may have moved since the segments were read.
 */
function measuredForEvent<E extends InspectedEvidence>(recording: Recording, evidence: E): E {
  const event = eventToRecord(recording);
  const { firstAt, lastAt, gaps } = evidence;
  const eventMs = lengthMs(event);
  if (firstAt === undefined || lastAt === undefined) return { ...evidence, eventMs };
  const onDisk = uncovered({ start: firstAt - EDGE_MS, stop: lastAt + EDGE_MS }, gaps);
  const covered = coveredMs(event, onDisk);
  const eventCoveredMs = eventMs === evidence.eventMs ? Math.min(evidence.eventCoveredMs, covered) : covered;
  return { ...evidence, eventMs, eventCoveredMs };
}

function noteEvidence(draft: Draft, recording: Recording, evidence: Evidence): void {
  const { file, bytes, eventMs, eventCoveredMs, continuityErrors, gaps, verdict, plainName } = evidence;
  const found = { bytes, eventMs, eventCoveredMs: Math.round(eventCoveredMs), continuityErrors };
  const where = file === undefined ? {} : { file };
  const worth = verdict === undefined ? {} : { verdict };
  draft.note("evidence", recording, { ...found, ...where, ...worth });
  if (plainName === true) draft.note("plain-name", recording, where);
  const worthTelling = gaps.filter((gap) => lengthMs(gap) >= SECOND);
  for (const { start, stop, lacks } of worthTelling) {
    draft.note("gap", recording, { start, stop, ...(lacks === undefined ? {} : { lacks }) });
  }
}

/** An event without length has nothing on disk, and is not whole. */
function isWhole({ eventMs, eventCoveredMs }: FileEvidence, completeFrom: number): boolean {
  return eventCoveredMs > 0 && eventCoveredMs >= completeFrom * eventMs;
}
