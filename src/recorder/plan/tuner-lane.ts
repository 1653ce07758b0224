import type { DurationMs, EpochMs } from "../../model/time.ts";
import { type Changeover, changeoverOf } from "./changeover.ts";
import type { Job } from "./problem.ts";

/**
 * What a tuner records, as far as it still matters to what will be placed on it: recordings come in order of their ends, the last
 * one first, so a lane grows towards the past. Its front is what it records first, all of one multiplex.
 */
export interface Lane {
  readonly multiplex: string;
  readonly front: readonly Piece[];
  /** What follows the front on another multiplex, while it is open when exactly the tuner changes over. */
  readonly back: readonly Piece[];
  /** The last end in the front. */
  readonly end: EpochMs;
  readonly key: string;
}

/** A recording in a lane. */
export interface Piece {
  readonly job: number;
  /** Recorded from then on to the end of its event. */
  readonly begin: EpochMs;
  /** Nothing is before it in its place: tuners that deliver few services at once have few places. */
  readonly head: boolean;
  /** The recording that follows it in its place in the front, and the padding between the two; -1: its padding after reaches to the back. */
  readonly next: number;
  readonly nextMs: DurationMs;
}

export const EMPTY: Lane = { multiplex: "", front: [], back: [], end: 0, key: "" };

/** A tuner to which a recording could be given, and what is gained and lost by that. */
export interface Step {
  readonly lane: Lane;
  /** Recordings that begin later by it. */
  readonly cuts: readonly Cut[];
  readonly paddingMs: DurationMs;
  readonly shares: boolean;
  /** The recording of the same place that follows; -1 where it has a place of its own. */
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

/** Every way in which the recording can go before what the lane holds. */
export function stepsOf(lane: Lane, index: number, setting: LaneContext): readonly Step[] {
  const isOpen = lane.front.length > 0 && lane.multiplex === jobAt(setting, index).multiplex;
  return isOpen ? joined(lane, index, setting) : opened(lane, index, setting);
}

/** The tuner changes its multiplex after the recording: what began before its end begins then. */
function opened(lane: Lane, index: number, { jobs, tuner, warmUpMs }: LaneContext): readonly Step[] {
  const job = jobAt({ jobs }, index);
  const { event, window } = job;
  const piece: Piece = { job: index, begin: event.start, head: true, next: -1, nextMs: 0 };
  const afterMs = window.stop - event.stop;
  if (lane.front.length === 0) {
    const next = laneOf({ multiplex: job.multiplex, front: [piece], back: [], end: event.stop });
    return [{ lane: next, cuts: [], paddingMs: afterMs, shares: false, before: -1 }];
  }
  const cuts: Cut[] = [];
  const back: Piece[] = [];
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
  const paddingMs = closingMs(lane, { jobs, warmUpMs }) + regained(lane.front, cuts, { jobs });
  const next = laneOf({ multiplex: job.multiplex, front: [piece], back, end: event.stop });
  return [{ lane: next, cuts, paddingMs, shares: false, before: -1 }];
}

/** What begins later still leaves room to what is before it in its place. */
function regained(
  front: readonly Piece[],
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

/** Another recording of the multiplex that is tuned anyway: in a place of its own, or before another one in its place. */
function joined(lane: Lane, index: number, setting: LaneContext): readonly Step[] {
  const { jobs, tuner } = setting;
  const { event, window, multiplex, atOnce } = jobAt({ jobs }, index);
  const startOf = ({ job }: Piece) => jobAt({ jobs }, job).window.start;
  const heads = lane.front.filter(({ head }) => head);
  const shares = lane.front.some((piece) => startOf(piece) < window.stop);
  const { end, back } = lane;
  const afterMs = window.stop - event.stop;
  const places = atOnce[tuner] ?? 0;
  const own = (): Step => {
    const piece: Piece = { job: index, begin: event.start, head: true, next: -1, nextMs: 0 };
    const next = laneOf({ multiplex, front: [...lane.front, piece], back, end });
    return { lane: next, cuts: [], paddingMs: back.length === 0 ? afterMs : 0, shares, before: -1 };
  };
  if (places >= jobs.length) return [own()];
  const near = heads.filter((piece) => startOf(piece) < window.stop);
  // Of the places that are free anyway, the one that is free the shortest.
  const [free] = heads.filter((piece) => !near.includes(piece)).sort((a, b) => startOf(a) - startOf(b));
  const hasRoom = free === undefined && heads.length < places;
  const behind = (free === undefined ? near : [free, ...near]).flatMap((held): readonly Step[] => {
    const other = jobAt({ jobs }, held.job);
    const isCut = held.begin < event.stop;
    if (isCut && (other.forced || event.stop >= other.event.stop)) return [];
    const begin = Math.max(held.begin, event.stop);
    const wantedMs = afterMs + (begin === other.event.start ? begin - other.window.start : 0);
    const front = lane.front.map((piece) => (piece === held ? { ...held, begin, head: false } : piece));
    const nextMs = Math.min(begin - event.stop, wantedMs);
    const piece: Piece = { job: index, begin: event.start, head: true, next: held.job, nextMs };
    const next = laneOf({ multiplex, front: [...front, piece], back, end });
    const cuts = isCut ? [{ job: held.job, was: held.begin, begin }] : [];
    return [{ lane: next, cuts, paddingMs: nextMs, shares, before: held.job }];
  });
  return hasRoom ? [own(), ...behind] : behind;
}

/**
 * Forgets what nothing that is still to be placed can reach: their windows end at `reach` at the latest.
 *
 * @returns the padding that is certain thereby
 */
export function forget(
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
      for (const piece of front) if (!near.includes(piece)) paddingMs += beforeMs(piece, setting);
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
      .filter((piece) => wantsBefore(piece, { jobs }))
      .map(({ job, begin }) => ({ from: jobAt({ jobs }, job).window.start, to: begin })),
  });
}

/** Padding before only where the event is recorded from its beginning. */
export function wantsBefore({ head, job, begin }: Piece, { jobs }: Pick<LaneContext, "jobs">): boolean {
  return head && begin === jobAt({ jobs }, job).event.start;
}

function beforeMs(piece: Piece, setting: Pick<LaneContext, "jobs">): DurationMs {
  return wantsBefore(piece, setting) ? piece.begin - jobAt(setting, piece.job).window.start : 0;
}

export function jobAt({ jobs }: Pick<LaneContext, "jobs">, index: number): Job {
  return jobs[index] as Job;
}

function laneOf(lane: Omit<Lane, "key">): Lane {
  const { multiplex, front, back } = lane;
  const text = (piece: Piece) =>
    `${piece.job}@${piece.begin}${piece.head ? "" : "h"}${piece.next < 0 ? "" : `>${piece.next}`}`;
  const key =
    back.length === 0
      ? `${multiplex}:${front.map(text).join()}`
      : `${multiplex}:${front.map(text).join()}<${back.map(text).join()}`;
  return { ...lane, key };
}
