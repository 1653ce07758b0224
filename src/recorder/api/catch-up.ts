import type { LibraryEntry } from "../../model/library.ts";
import { inMotion, isTerminal, type Recording } from "../../model/recording.ts";
import { sameTriplet, type Triplet } from "../../model/service.ts";
import { DAY, type EpochMs } from "../../model/time.ts";
import { intersection, lengthMs, type Window } from "../../model/window.ts";

/** A recording that can be played: finished, or growing. */
export interface Watchable {
  readonly recordingId: string;
  readonly name: string;
  readonly channelName: string;
  readonly service?: Triplet;
  readonly event: Window;
}

/** Recordings with a file: those of the library, and ended ones that the library has not taken in yet. */
export function finishedOnes(
  entries: readonly LibraryEntry[],
  recordings: readonly Recording[],
): readonly Watchable[] {
  const there = entries.filter(({ deleted, goneSince }) => !deleted && goneSince === undefined);
  const ended = newTo(entries, recordings).filter(
    ({ state, evidence }) => isTerminal(state) && evidence?.file !== undefined,
  );
  return [...there, ...ended.map(watchableFrom)];
}

/** Recordings that can be played: those with a file, and running ones with data on the disk. */
export function watchable(
  entries: readonly LibraryEntry[],
  recordings: readonly Recording[],
): readonly Watchable[] {
  const growing = newTo(entries, recordings).filter(
    ({ state, attempts }) => inMotion(state) && attempts.some(({ flowingAt }) => flowingAt !== undefined),
  );
  return [...finishedOnes(entries, recordings), ...growing.map(watchableFrom)];
}

/** Recordings that the library does not know. It remembers deleted ones. */
function newTo(entries: readonly LibraryEntry[], recordings: readonly Recording[]): readonly Recording[] {
  const known = new Set(entries.map(({ recordingId }) => recordingId));
  return recordings.filter(({ id }) => !known.has(id));
}

function watchableFrom({ id, ...recording }: Recording): Watchable {
  return { ...recording, recordingId: id };
}

/** Recordings of a channel. A channel may have other services elsewhere, so its name counts too. */
export function ofStation(
  all: readonly Watchable[],
  { name, service }: { readonly name: string; readonly service: Triplet },
): readonly Watchable[] {
  return all.filter(
    (each) => (each.service !== undefined && sameTriplet(each.service, service)) || each.channelName === name,
  );
}

/**
 * The recording of a programme: the one that shares most with the span. Players add minutes around a programme, so it
 * must share half of the shorter one; otherwise it is of a neighbour.
 */
export function recordingOf(span: Window, all: readonly Watchable[]): Watchable | undefined {
  const shared = ({ event }: Watchable) => lengthMs(intersection(event, span));
  const [best] = all.toSorted((a, b) => shared(b) - shared(a));
  if (best === undefined) return undefined;
  return shared(best) >= Math.min(lengthMs(span), lengthMs(best.event)) / 2 ? best : undefined;
}

/** How many days the recordings reach back; `undefined` if there is none. */
export function catchUpDays(all: readonly Watchable[], now: EpochMs): number | undefined {
  if (all.length === 0) return undefined;
  const oldest = Math.min(...all.map(({ event }) => event.start));
  return Math.max(1, Math.ceil((now - oldest) / DAY));
}
