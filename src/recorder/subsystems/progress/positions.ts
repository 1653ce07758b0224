import type { Progress, ProgressReport } from "../../../model/progress.ts";
import type { RecordingId } from "../../../model/recording.ts";
import { PROGRESS_LIMITS } from "./limits.ts";

/** The positions of all viewers, by viewer and recording. The latest report of each is at the end. */
export type Positions = ReadonlyMap<string, ReadonlyMap<RecordingId, Progress>>;

/** A viewer and a recording. */
export interface Viewing {
  readonly viewer: string;
  readonly recordingId: RecordingId;
}

/** Stores a position as the latest one, and removes the oldest beyond the limits. */
export function withPosition(
  positions: Positions,
  { viewer, recordingId }: Viewing,
  progress: Progress,
): Positions {
  const own = movedToEnd(positions.get(viewer) ?? new Map(), recordingId, progress);
  const all = movedToEnd(positions, viewer, latest(own, PROGRESS_LIMITS.positions));
  return latest(all, PROGRESS_LIMITS.viewers);
}

/** Removes the positions of recordings that are gone. Returns its argument if there are none. */
export function withoutGone(positions: Positions, isThere: (id: RecordingId) => boolean): Positions {
  const hasGone = [...positions.values()].some((own) => [...own.keys()].some((id) => !isThere(id)));
  if (!hasGone) return positions;
  const kept = [...positions].map(
    ([viewer, own]) => [viewer, new Map([...own].filter(([id]) => isThere(id)))] as const,
  );
  return new Map(kept.filter(([, own]) => own.size > 0));
}

/** The facts about a recording that decide whether a position is its end. */
export interface Extent {
  readonly isGrowing: boolean;
  /** Position of the end of the event on the player's timeline; absent if unknown. Padding follows. */
  readonly eventEndSeconds?: number | undefined;
}

/** Whether a position is so near the end that the viewer has seen the recording. */
export function isAtEnd(
  { seconds, durationSeconds }: ProgressReport,
  { isGrowing, eventEndSeconds }: Extent,
): boolean {
  if (isGrowing || durationSeconds <= 0) return false;
  const inLastPart = seconds >= durationSeconds * (1 - PROGRESS_LIMITS.endShare);
  // Without this half, a wrong start time could place the end of the event anywhere.
  const isPadding =
    eventEndSeconds !== undefined && eventEndSeconds > durationSeconds / 2 && seconds >= eventEndSeconds;
  return inLastPart || isPadding;
}

function movedToEnd<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  const moved = new Map(map);
  moved.delete(key);
  return moved.set(key, value);
}

function latest<V>(map: ReadonlyMap<string, V>, most: number): ReadonlyMap<string, V> {
  return map.size <= most ? map : new Map([...map].slice(-most));
}
