import { inOrder, type Recording, type RecordingId } from "../../../model/recording.ts";
import type { Timer, TimerId } from "../../../model/timer.ts";
import { type DaemonDocument, emptyDocument } from "../core/document.ts";
import { recordingIndexOf } from "../core/recording-index.ts";
import { recordingOfVersion2, recordingOfVersion3 } from "./document-migrations.ts";

/**
 * 2: past recordings are stored separately. 3: a recording has the fields of its state. 4: TUNER_IN_USE
 * has a code of its own. 5: the latest changes are in a log. 6: a fleet stores undelivered reports one by one. An earlier program
 * cannot read it.
 */
const DOCUMENT_VERSION = 6;
/** Recordings of this version, and of later ones, need no change. */
const RECORDINGS_VERSION = 4;

/** Values by collection and id, as the store returns them. */
type PastOfDocument = Readonly<Partial<Record<string, ReadonlyMap<string, unknown>>>>;
type Kept = Pick<DaemonDocument, "recordings" | "timers">;

/** Ended recordings, and timers with ended recordings only, by id. */
interface FinishedPart {
  readonly recordings: ReadonlyMap<RecordingId, Recording>;
  readonly timers: ReadonlyMap<TimerId, Timer>;
}

interface SplitDocument {
  readonly timers: DaemonDocument["timers"];
  readonly now: Kept;
  readonly over: FinishedPart;
}

/** Splits of the latest documents: most commits change neither recordings nor timers. */
const SPLIT_CACHE = new WeakMap<DaemonDocument["recordings"], SplitDocument>();

/** Splits a document: its finished part hardly changes and is written once, not with each commit. */
function splitDocument(document: DaemonDocument): {
  readonly now: DaemonDocument;
  readonly past: Readonly<Record<keyof FinishedPart, ReadonlyMap<string, unknown>>>;
} {
  const { recordings, timers } = document;
  const known = SPLIT_CACHE.get(recordings);
  const parted = known?.timers === timers ? known : splitFinished(document);
  SPLIT_CACHE.set(recordings, parted);
  const { now, over } = parted;
  return { now: { ...document, ...now }, past: { recordings: over.recordings, timers: over.timers } };
}

function splitFinished({ recordings, timers }: Kept): SplitDocument {
  const { open, ended } = recordingIndexOf(recordings);
  const over = {
    recordings: new Map(ended.map((recording) => [recording.id, recording])),
    timers: new Map<TimerId, Timer>(),
  };
  for (const { timerId } of ended) {
    const timer = timers[timerId];
    if (timer !== undefined) over.timers.set(timerId, timer);
  }
  if (over.timers.size > 0) for (const { timerId } of open) over.timers.delete(timerId);
  const now = {
    recordings: withoutIds(recordings, over.recordings),
    timers: withoutIds(timers, over.timers),
  };
  return { timers, now, over };
}

/** Copies and deletes: of thousands, none or few are over. */
function withoutIds<T>(
  all: Readonly<Record<string, T>>,
  over: ReadonlyMap<string, T>,
): Readonly<Record<string, T>> {
  if (over.size === 0) return all;
  const rest = { ...all };
  for (const id of over.keys()) delete rest[id];
  return rest;
}

/** Joins both parts: recordings in the order in which they were made. */
function joinPast(now: DaemonDocument, past: PastOfDocument): DaemonDocument {
  // This program wrote it, and the store has checked that it is unchanged.
  const over = past as Partial<FinishedPart>;
  if (over.recordings === undefined) return now;
  const recordings = [...over.recordings, ...Object.entries(now.recordings)];
  return {
    ...now,
    recordings: Object.fromEntries(recordings.sort(([a], [b]) => inOrder(a, b))),
    timers: { ...Object.fromEntries(over.timers ?? []), ...now.timers },
  };
}

/**
 * Makes a document from stored data. This program wrote it, so the shape is checked, not every field; fields of later
 * versions are filled in.
 *
 * @param past the part that was split off
 * @param version the schema version that both were stored with
 * @throws Error when it is no document of ours
 */
function parseDocument(
  stored: unknown,
  past: PastOfDocument = {},
  version = DOCUMENT_VERSION,
): DaemonDocument {
  const empty = emptyDocument(0);
  if (typeof stored !== "object" || stored === null) throw new Error("the document is not an object");
  for (const [key, value] of Object.entries(empty)) {
    const found = (stored as Readonly<Record<string, unknown>>)[key];
    const same = typeof found === typeof value && Array.isArray(found) === Array.isArray(value);
    if (found !== undefined && !same)
      throw new Error(`the field ${key} of the document has an invalid value`);
  }
  const document = withTimers(joinPast({ ...empty, ...stored }, past));
  return version < RECORDINGS_VERSION ? migrated(document, version) : document;
}

/** Earlier programs took timers with the id `__proto__`, which no document can have. */
function withTimers(document: DaemonDocument): DaemonDocument {
  const all = Object.entries(document.recordings);
  const kept = all.filter(([, { timerId }]) => timerId !== "__proto__");
  return kept.length === all.length ? document : { ...document, recordings: Object.fromEntries(kept) };
}

function migrated(document: DaemonDocument, version: number): DaemonDocument {
  const stored = Object.entries(document.recordings as unknown as Readonly<Record<RecordingId, Recording>>);
  const recordings = stored.map(
    ([id, recording]) =>
      [id, recordingOfVersion3(version < 3 ? recordingOfVersion2({ ...recording }) : recording)] as const,
  );
  return { ...document, recordings: Object.fromEntries(recordings) };
}

/** The storage format of the document, without `empty`, which needs the time. */
export const DOCUMENT_FORMAT = {
  schemaVersion: DOCUMENT_VERSION,
  parse: parseDocument,
  split: splitDocument,
};
