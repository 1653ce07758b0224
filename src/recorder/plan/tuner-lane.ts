import type { DurationMs, EpochMs } from "../../model/time.ts";
import { type Changeover, changeoverOf } from "./changeover.ts";
import type { Job } from "./problem.ts";

/**
 * The part of a tuner's schedule that matters to recordings still to be placed. Recordings come in order of their ends, the last
 * one first, so a lane grows towards the past. Its front is the earliest part, all on one multiplex.
 */
export interface Lane {
  readonly multiplex: string;
  readonly front: readonly LaneEntry[];
  /** The part after the front on another multiplex, as long as the time of the changeover is open. */
  readonly back: readonly LaneEntry[];
  /** The last end in the front. */
  readonly end: EpochMs;
  readonly key: string;
}

/** One recording in a lane. */
export interface LaneEntry {
  readonly job: number;
  /** The recording runs from here to the end of its event. */
  readonly begin: EpochMs;
  /** The first recording in its place. A tuner that delivers few services at once has few places. */
  readonly head: boolean;
  /**
   * The recording that follows in its place in the front, and the padding between the two; -1: its padding after reaches to the
   * back.
   */
  readonly next: number;
  readonly nextMs: DurationMs;
}

export const EMPTY: Lane = { multiplex: "", front: [], back: [], end: 0, key: "" };

/** One way to add a recording to a tuner, with its gains and losses. */
export interface Step {
  readonly lane: Lane;
  /** Recordings that this step delays. */
  readonly cuts: readonly Cut[];
  readonly paddingMs: DurationMs;
  readonly shares: boolean;
  /** The recording that follows in the same place; -1 for a place of its own. */
  readonly before: number;
}

export interface Cut {
  readonly job: number;
  readonly was: EpochMs;
  readonly begin: EpochMs;
}

export interface LaneContext {
  readonly jobs: readonly Job[];
  readonly tuner: number;
  readonly warmUpMs: DurationMs;
}

/** Every way to put the recording before the contents of the lane. */
export function stepsOf(lane: Lane, index: number, setting: LaneContext): readonly Step[] {
  const isOpen = lane.front.length > 0 && lane.multiplex === jobAt(setting, index).multiplex;
  return isOpen ? sharedSteps(lane, index, setting) : changeoverSteps(lane, index, setting);
}

/** Adds the recording before a change of multiplex: recordings that began before its end now begin there. */
function changeoverSteps(lane: Lane, index: number, { jobs, tuner, warmUpMs }: LaneContext): readonly Step[] {
  const job = jobAt({ jobs }, index);
  const { event, window } = job;
  const entry: LaneEntry = { job: index, begin: event.start, head: true, next: -1, nextMs: 0 };
  const afterMs = window.stop - event.stop;
  if (lane.front.length === 0) {
    const next = laneOf({ multiplex: job.multiplex, front: [entry], back: [], end: event.stop });
    return [{ lane: next, cuts: [], paddingMs: afterMs, shares: false, before: -1 }];
  }
  const cuts: Cut[] = [];
  const back: LaneEntry[] = [];
  for (const held of lane.front) {
    const other = jobAt({ jobs }, held.job);
    const from = event.stop + (other.gapMs[tuner] ?? 0);
    if (held.begin >= from) {
      back.push(held);
      continue;
    }
    if (other.forced || from >= other.event.stop) return [];
    cuts.push({ job: held.job, was: held.begin, begin: from });
    back.push({ ...held, begin: from });
  }
  const paddingMs = closingMs(lane, { jobs, warmUpMs }) + regainedPaddingMs(lane.front, cuts, { jobs });
  const next = laneOf({ multiplex: job.multiplex, front: [entry], back, end: event.stop });
  return [{ lane: next, cuts, paddingMs, shares: false, before: -1 }];
}

/** Padding that a delayed recording leaves to the one before it in its place. */
function regainedPaddingMs(
  front: readonly LaneEntry[],
  cuts: readonly Cut[],
  setting: Pick<LaneContext, "jobs">,
): DurationMs {
  return front.reduce((sum, { job, next, nextMs }) => {
    const cut = cuts.find((each) => each.job === next);
    if (cut === undefined) return sum;
    const { event, window } = jobAt(setting, job);
    return sum + Math.min(cut.begin, window.stop) - event.stop - nextMs;
  }, 0);
}

/** Adds a recording of the multiplex already tuned: in a place of its own, or before another recording in its place. */
function sharedSteps(lane: Lane, index: number, setting: LaneContext): readonly Step[] {
  const { jobs, tuner } = setting;
  const { event, window, multiplex, atOnce } = jobAt({ jobs }, index);
  const startOf = ({ job }: LaneEntry) => jobAt({ jobs }, job).window.start;
  const heads = lane.front.filter(({ head }) => head);
  const shares = lane.front.some((entry) => startOf(entry) < window.stop);
  const { end, back } = lane;
  const afterMs = window.stop - event.stop;
  const places = atOnce[tuner] ?? 0;
  const inOwnPlace = (): Step => {
    const entry: LaneEntry = { job: index, begin: event.start, head: true, next: -1, nextMs: 0 };
    const next = laneOf({ multiplex, front: [...lane.front, entry], back, end });
    return { lane: next, cuts: [], paddingMs: back.length === 0 ? afterMs : 0, shares, before: -1 };
  };
  if (places >= jobs.length) return [inOwnPlace()];
  const near = heads.filter((entry) => startOf(entry) < window.stop);
  // The free place with the earliest next start fits best.
  const [free] = heads.filter((entry) => !near.includes(entry)).sort((a, b) => startOf(a) - startOf(b));
  const hasRoom = free === undefined && heads.length < places;
  const behind = (free === undefined ? near : [free, ...near]).flatMap((held): readonly Step[] => {
    const other = jobAt({ jobs }, held.job);
    const isCut = held.begin < event.stop;
    if (isCut && (other.forced || event.stop >= other.event.stop)) return [];
    const begin = Math.max(held.begin, event.stop);
    const wantedMs = afterMs + (begin === other.event.start ? begin - other.window.start : 0);
    const front = lane.front.map((entry) => (entry === held ? { ...held, begin, head: false } : entry));
    const nextMs = Math.min(begin - event.stop, wantedMs);
    const entry: LaneEntry = { job: index, begin: event.start, head: true, next: held.job, nextMs };
    const next = laneOf({ multiplex, front: [...front, entry], back, end });
    const cuts = isCut ? [{ job: held.job, was: held.begin, begin }] : [];
    return [{ lane: next, cuts, paddingMs: nextMs, shares, before: held.job }];
  });
  return hasRoom ? [inOwnPlace(), ...behind] : behind;
}

/**
 * Drops the part that no recording still to be placed can reach: their windows end at `reach` at the latest.
 *
 * @returns the padding that is now certain
 */
export function dropUnreachable(
  lane: Lane,
  reach: EpochMs,
  setting: LaneContext,
): { readonly lane: Lane; readonly paddingMs: DurationMs } {
  let { front, back } = lane;
  let paddingMs = 0;
  if (back.length > 0 && reach <= lane.end) {
    paddingMs += closingMs(lane, setting);
    back = [];
  }
  if (back.length === 0) {
    const near = front.filter(({ job }) => jobAt(setting, job).window.start < reach + setting.warmUpMs);
    if (near.length < front.length) {
      for (const entry of front) if (!near.includes(entry)) paddingMs += beforeMs(entry, setting);
      front = near;
    }
  }
  if (front === lane.front && back === lane.back) return { lane, paddingMs };
  if (front.length === 0) return { lane: EMPTY, paddingMs };
  return { lane: laneOf({ ...lane, front, back }), paddingMs };
}

/** The padding between front and back. */
function closingMs(lane: Lane, setting: Pick<LaneContext, "jobs" | "warmUpMs">): DurationMs {
  return lane.back.length === 0 ? 0 : changeOver(lane, setting).paddingMs;
}

/** When the tuner changes from the front to the back. */
export function changeOver(
  { front, back, end }: Pick<Lane, "front" | "back" | "end">,
  { jobs, warmUpMs }: Pick<LaneContext, "jobs" | "warmUpMs">,
): Changeover {
  return changeoverOf({
    end,
    start: Math.min(...back.map(({ begin }) => begin)),
    warmUpMs,
    after: front
      .filter(({ next }) => next < 0)
      .map(({ job }) => ({ from: jobAt({ jobs }, job).event.stop, to: jobAt({ jobs }, job).window.stop })),
    before: back
      .filter((entry) => wantsBefore(entry, { jobs }))
      .map(({ job, begin }) => ({ from: jobAt({ jobs }, job).window.start, to: begin })),
  });
}

/** Padding before exists only if the event is recorded from its beginning. */
export function wantsBefore({ head, job, begin }: LaneEntry, { jobs }: Pick<LaneContext, "jobs">): boolean {
  return head && begin === jobAt({ jobs }, job).event.start;
}

function beforeMs(entry: LaneEntry, setting: Pick<LaneContext, "jobs">): DurationMs {
  return wantsBefore(entry, setting) ? entry.begin - jobAt(setting, entry.job).window.start : 0;
}

export function jobAt({ jobs }: Pick<LaneContext, "jobs">, index: number): Job {
  return jobs[index] as Job;
}

function laneOf(lane: Omit<Lane, "key">): Lane {
  const { multiplex, front, back } = lane;
  const text = (entry: LaneEntry) =>
    `${entry.job}@${entry.begin}${entry.head ? "" : "h"}${entry.next < 0 ? "" : `>${entry.next}`}`;
  const key =
    back.length === 0
      ? `${multiplex}:${front.map(text).join()}`
      : `${multiplex}:${front.map(text).join()}<${back.map(text).join()}`;
  return { ...lane, key };
}
