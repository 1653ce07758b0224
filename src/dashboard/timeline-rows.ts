import { isTerminal, plannedSpan, type Recording } from "../model/recording.ts";
import { type MultiplexKey, multiplexKey } from "../model/service.ts";
import { DAY } from "../model/time.ts";
import { lengthMs, merged, overlaps, type Window } from "../model/window.ts";
import type { View } from "./state/view.ts";

export interface Bar {
  readonly recording: Recording;
  /** The recorded span, padding included. */
  readonly span: Window;
  /** Counts from 0 within its tuner: overlapping bars lie below each other. */
  readonly lane: number;
  /** Whether the recording will lack a part of its event. */
  readonly isConflict: boolean;
}

/** Several recordings on one tuner from one multiplex. */
export interface Shared {
  readonly span: Window;
  readonly multiplex: MultiplexKey;
  readonly services: number;
}

export interface Row {
  /** Absent: recordings without a tuner. */
  readonly tunerId?: string;
  readonly lanes: number;
  readonly bars: readonly Bar[];
  readonly shared: readonly Shared[];
}

/** The displayed range: one day back, two weeks ahead. */
export const BACK_MS = DAY;
export const AHEAD_MS = 14 * DAY;

type Parts = Pick<View, "recordings" | "placements" | "conflicts" | "tuners">;

/** A row for each tuner, in the configuration's order, and one for recordings without a tuner if there are any. */
export function rowsOf({ recordings, placements, conflicts, tuners }: Parts, range: Window): readonly Row[] {
  const perTuner = new Map<string | undefined, Omit<Bar, "lane">[]>();
  for (const id of tuners.keys()) perTuner.set(id, []);
  for (const recording of recordings.values()) {
    const placement = placements.get(recording.id);
    const span = placement?.kind === "placed" ? placement.span : spanOf(recording);
    if (lengthMs(span) === 0 || !overlaps(span, range)) continue;
    const tunerId = placement?.kind === "placed" ? placement.tunerId : tunerOf(recording);
    const bars = perTuner.get(tunerId) ?? [];
    perTuner.set(tunerId, bars);
    const isConflict = recording.state === "conflicted" || conflicts.has(recording.id);
    bars.push({ recording, span, isConflict });
  }
  const rows = [...perTuner].map(([tunerId, bars]) => rowOf(tunerId, bars));
  // Recordings without a tuner come last.
  return rows.toSorted((a, b) => Number(a.tunerId === undefined) - Number(b.tunerId === undefined));
}

function spanOf(recording: Recording): Window {
  const { firstAt, lastAt } = recording.evidence ?? {};
  if (!isTerminal(recording.state) || firstAt === undefined || lastAt === undefined)
    return plannedSpan(recording);
  return { start: firstAt, stop: lastAt };
}

function tunerOf({ state, attempts, tunerId }: Recording): string | undefined {
  if (state === "conflicted") return undefined;
  return isTerminal(state) ? attempts.at(-1)?.tunerId : (attempts.at(-1)?.tunerId ?? tunerId);
}

function rowOf(tunerId: string | undefined, unordered: readonly Omit<Bar, "lane">[]): Row {
  const sorted = unordered.toSorted((a, b) => a.span.start - b.span.start);
  const ends: number[] = [];
  const bars = sorted.map((bar): Bar => {
    const free = ends.findIndex((end) => end <= bar.span.start);
    const lane = free < 0 ? ends.length : free;
    ends[lane] = bar.span.stop;
    return { ...bar, lane };
  });
  return {
    ...(tunerId === undefined ? {} : { tunerId }),
    lanes: Math.max(1, ends.length),
    bars,
    shared: tunerId === undefined ? [] : sharedOf(bars),
  };
}

function sharedOf(bars: readonly Bar[]): readonly Shared[] {
  return merged(bars.map(({ span }) => span)).flatMap((span) => {
    const within = bars.filter((bar) => overlaps(bar.span, span));
    const perMultiplex = new Map<MultiplexKey, Bar[]>();
    for (const bar of within) {
      if (bar.recording.service === undefined) continue;
      const key = multiplexKey(bar.recording.service);
      perMultiplex.set(key, [...(perMultiplex.get(key) ?? []), bar]);
    }
    return [...perMultiplex].flatMap(([multiplex, those]) => {
      if (!those.some((bar) => those.some((other) => other !== bar && overlaps(bar.span, other.span))))
        return [];
      const start = Math.min(...those.map((bar) => bar.span.start));
      const stop = Math.max(...those.map((bar) => bar.span.stop));
      return [{ span: { start, stop }, multiplex, services: those.length }];
    });
  });
}
