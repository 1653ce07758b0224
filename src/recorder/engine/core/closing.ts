import {
  type Evidence,
  eventToRecord,
  type Recording,
  type RecordingInput,
  runningAttempts,
} from "../../../model/recording.ts";
import { SECOND } from "../../../model/time.ts";
import { verdictOf } from "../../../model/verdict.ts";
import { coveredMs, lengthMs, uncovered } from "../../../model/window.ts";
import { hold } from "./clock.ts";
import type { Draft } from "./draft.ts";
import { learnEvidence } from "./health.ts";
import { hindranceOf } from "./hindrance.ts";
import type { Occurrence } from "./occurrence.ts";

/** Orders the next step of closing: end the capture, read what is there, give it its name. Each may be repeated after a crash. */
export function closeUp(draft: Draft, recording: Recording): void {
  // One order at a time: the try that was still to come is this one.
  const { nextTryAt: _now, ...rest } = recording;
  draft.put({ ...rest, closing: { since: draft.now, ...hindranceOf(recording) } });
  const running = runningAttempts(recording);
  if (running.length > 0) {
    for (const { number } of running) {
      draft.order({ kind: "stop", recordingId: recording.id, attempt: number });
    }
  } else if (draft.holds) {
    hold(draft, recording);
  } else if (recording.evidence === undefined) {
    draft.order({ kind: "inspect", recordingId: recording.id });
  } else {
    draft.order({ kind: "publish", recordingId: recording.id, evidence: recording.evidence });
  }
}

export function inspected(draft: Draft, recording: Recording, evidence: Evidence): void {
  draft.note("inspected", recording);
  closeUp(draft, draft.put({ ...recording, evidence }));
}

/** Ends a recording by what is on disk, and by nothing else. */
export function conclude(draft: Draft, recording: Recording, result: Result): void {
  const { closing: _done, ...closed } = recording;
  const { evidence } = closed;
  if (evidence === undefined) return;
  const { file: _planned, ...rest } = evidence;
  const { file, sha256, modifiedAt, complaints = [] } = result;
  const { completeFrom } = draft.world.policy;
  const found = forEvent(closed, rest);
  const verdict = verdictOf(found, completeFrom);
  const whole: Evidence =
    file === undefined
      ? found
      : {
          ...found,
          file,
          ...(sha256 === undefined ? {} : { sha256 }),
          ...(modifiedAt === undefined ? {} : { modifiedAt }),
          ...(verdict === undefined ? {} : { verdict }),
        };
  const input = outcome(whole, closed.withdrawn, completeFrom);
  const ended = draft.move(closed, input, { evidence: whole, endedAt: draft.now });
  if (ended === undefined) return;
  noteEvidence(draft, ended, whole);
  learnEvidence(draft, ended, whole);
  for (const text of complaints) draft.note("complaint", ended, { text });
  if (file === undefined) return;
  // Said on disk, so that it outlasts a crash.
  draft.put({ ...ended, sidecarDue: true });
  draft.order({ kind: "annotate", recordingId: ended.id });
}

type Result = Pick<
  Extract<Occurrence, { readonly kind: "published" }>,
  "file" | "sha256" | "modifiedAt" | "complaints"
>;

/** Orders again what the last life of the daemon has left undone. */
export function annotateWhatIsDue(draft: Draft): void {
  for (const { id, sidecarDue } of draft.recordings()) {
    if (sidecarDue === true) draft.order({ kind: "annotate", recordingId: id });
  }
}

export function annotated(draft: Draft, recording: Recording): void {
  const { sidecarDue, ...done } = recording;
  if (sidecarDue === true) draft.put(done);
}

/** A window counts as reached where evidence misses it by no more than this: packets at the edges are not dated. */
const EDGE_MS = 100;

/**
 * The event may have become another one since the segments were read: then what counts is what lies between the first and the
 * last instant on disk, gaps excepted.
 */
function forEvent(recording: Recording, evidence: Evidence): Evidence {
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

function outcome(
  { file, eventMs, eventCoveredMs }: Evidence,
  withdrawn: boolean,
  completeFrom: number,
): RecordingInput {
  if (withdrawn) return "discarded";
  if (file === undefined) return "empty";
  // Of an event that was over before it was to begin nothing can be on disk, and nothing is not all of it.
  if (eventCoveredMs <= 0) return "shortened";
  return eventCoveredMs >= completeFrom * eventMs ? "whole" : "shortened";
}
