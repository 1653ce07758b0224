import type { JobKind } from "../../../../model/job.ts";
import type { LibraryDocument, LibraryEntry } from "../../../../model/library.ts";
import { isTerminal, type Recording, type RecordingId } from "../../../../model/recording.ts";
import type { EpochMs } from "../../../../model/time.ts";
import type { Timer, TimerId } from "../../../../model/timer.ts";
import { withoutUndefined } from "../../../../model/without-undefined.ts";
import { withJobs } from "./jobs.ts";
import { learn } from "./rates.ts";

/** The part of the engine's document that the library reads. */
export interface PlanDocument {
  readonly timers: Readonly<Record<TimerId, Timer>>;
  readonly recordings: Readonly<Record<RecordingId, Recording>>;
}

/** Ended recordings with a file that the library does not have yet. */
export function newcomers({ recordings }: PlanDocument, { entries }: LibraryDocument): readonly Recording[] {
  return Object.values(recordings).filter(
    ({ id, state, evidence }) =>
      isTerminal(state) && evidence?.file !== undefined && !Object.hasOwn(entries, id),
  );
}

/** The service writes 0 for a timer of no series recording. */
function seriesOf(
  { programme = {} }: Recording,
  timer: Timer | undefined,
): Pick<LibraryEntry, "series" | "guideSeries"> {
  const { seriesRecordingId = "0" } = timer ?? {};
  return {
    ...(seriesRecordingId === "" || seriesRecordingId === "0" ? {} : { series: seriesRecordingId }),
    ...(programme.seriesId === undefined ? {} : { guideSeries: programme.seriesId }),
  };
}

/** The rest of the order is done once a file exists. */
function ruleOf({ rule }: Recording): LibraryEntry["rule"] {
  return rule && { id: rule.id, ...withoutUndefined({ keep: rule.keep }) };
}

export interface Intake {
  readonly timer: Timer | undefined;
  /** The jobs to order for it. */
  readonly jobs: readonly JobKind[];
  readonly now: EpochMs;
}

/** Adds a recording to the library, learns its bitrate and orders its jobs; once for each. */
export function addToLibrary(
  library: LibraryDocument,
  recording: Recording,
  { timer, jobs, now }: Intake,
): LibraryDocument {
  const { id, timerId, name, channelName, service, event, state, evidence, endedAt = now } = recording;
  if (evidence?.file === undefined || Object.hasOwn(library.entries, id)) return library;
  const entry: LibraryEntry = {
    recordingId: id,
    timerId,
    name,
    ...(recording.programme?.subtitle === undefined ? {} : { subtitle: recording.programme.subtitle }),
    channelName,
    ...(service === undefined ? {} : { service }),
    ...seriesOf(recording, timer),
    ...withoutUndefined({ rule: ruleOf(recording) }),
    event,
    state,
    ...(evidence.verdict === undefined ? {} : { verdict: evidence.verdict }),
    endedAt,
    ...(evidence.firstAt === undefined ? {} : { firstAt: evidence.firstAt }),
    file: evidence.file,
    bytes: evidence.bytes,
    ...withoutUndefined({ sha256: evidence.sha256, modifiedAt: evidence.modifiedAt }),
    made: [],
    protected: false,
    watched: false,
  };
  const taken = {
    ...library,
    entries: { ...library.entries, [id]: entry },
    rates: learn(library.rates, recording, now),
  };
  return state === "cancelled" ? taken : withJobs(taken, { recordingId: id, kinds: jobs, now });
}

/** Drops deleted entries whose hooks have run, once they have left the engine's document. */
export function withoutForgotten(library: LibraryDocument, { recordings }: PlanDocument): LibraryDocument {
  const isHeld = (id: RecordingId) => Object.hasOwn(recordings, id);
  const entries = Object.entries(library.entries);
  const isOver = (id: RecordingId) => library.heard[id] === "deleted" && !isHeld(id);
  const kept = entries.filter(([id, { deleted }]) => deleted?.done !== true || !isOver(id));
  const heard = Object.entries(library.heard);
  const isKept = new Set(kept.map(([id]) => id));
  const stillHeard = heard.filter(([id]) => isHeld(id) || isKept.has(id));
  if (kept.length === entries.length && stillHeard.length === heard.length) return library;
  return { ...library, entries: Object.fromEntries(kept), heard: Object.fromEntries(stillHeard) };
}

export function changeEntry(
  library: LibraryDocument,
  id: RecordingId,
  change: Partial<LibraryEntry>,
): LibraryDocument {
  const entry = library.entries[id];
  if (entry === undefined) return library;
  return { ...library, entries: { ...library.entries, [id]: { ...entry, ...change } } };
}
