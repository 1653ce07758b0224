import type { LibraryEntry } from "../../model/library.ts";
import { inMotion, type Recording } from "../../model/recording.ts";
import { sameTriplet, type Triplet } from "../../model/service.ts";
import { DAY, type EpochMs } from "../../model/time.ts";
import { intersection, lengthMs, type Window } from "../../model/window.ts";
import type { Station } from "./player-lists.ts";

/** A recording that can be played: finished, or growing. */
export interface Watchable {
  readonly recordingId: string;
  readonly name: string;
  readonly channelName: string;
  readonly service?: Triplet;
  readonly event: Window;
}

/** Recordings that can be played: those with a file, and running ones with data on the disk. */
export function watchable(
  entries: readonly LibraryEntry[],
  recordings: readonly Recording[],
): readonly Watchable[] {
  const finished = entries.filter(({ deleted, goneSince }) => !deleted && goneSince === undefined);
  const known = new Set(entries.map(({ recordingId }) => recordingId));
  const growing = recordings.filter(
    ({ id, state, attempts }) =>
      !known.has(id) && inMotion(state) && attempts.some(({ flowingAt }) => flowingAt !== undefined),
  );
  return [...finished, ...growing.map(({ id, ...recording }) => ({ ...recording, recordingId: id }))];
}

/** Recordings of a channel. A channel may have other services elsewhere, so its name counts too. */
export function ofStation(all: readonly Watchable[], { name, service }: Station): readonly Watchable[] {
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
