import type { Placement } from "../../model/plan.ts";
import { tripletKey } from "../../model/service.ts";
import { canReceive } from "../../model/tuner.ts";
import type { Problem } from "./problem.ts";
import type { Move } from "./search.ts";
import {
  changeOver,
  EMPTY,
  jobAt,
  type Lane,
  type LaneContext,
  type LaneEntry,
  stepsOf,
  wantsBefore,
} from "./tuner-lane.ts";

/** The recordings of a tuner between two changes of its multiplex. */
type Session = Pick<Lane, "front" | "end">;

/** Computes the recorded spans once each recording has its tuner. */
export function layOut(problem: Problem, moves: readonly Move[]): readonly Placement[] {
  const { requests, jobs, tuners } = problem;
  const placements: Placement[] = requests.map(({ recordingId, service }) => ({
    kind: "conflict",
    recordingId,
    capable: tuners.some((tuner) => canReceive(tuner, tripletKey(service))),
  }));
  for (const [tuner, { id, warmUpMs }] of tuners.entries()) {
    const setting = { jobs, tuner, warmUpMs };
    const placed = moves.flatMap((move, index) => (move.tuner === tuner ? [{ index, move }] : []));
    const { sessions, before } = replay(placed, setting);
    for (const { index } of placed) {
      const { event, window, doubtful } = jobAt(setting, index);
      const { recordingId } = requests[index] as Problem["requests"][number];
      const hope = doubtful[tuner] === true ? { isHope: true as const } : {};
      const at = sessions.findIndex(({ front }) => front.some(({ job }) => job === index));
      const entry = sessions[at]?.front.find(({ job }) => job === index);
      if (entry === undefined) {
        placements[index] = {
          kind: "placed",
          recordingId,
          tunerId: id,
          span: window,
          begin: event.start,
          seamMs: 0,
          ...hope,
        };
        continue;
      }
      const stop = stopOf(entry, { sessions, at, before, setting });
      const start = startOf(entry, { sessions, at, before, setting });
      const lastEnd = sessions[at + 1]?.end ?? Number.NEGATIVE_INFINITY;
      const seamMs = Math.max(0, warmUpMs - (entry.begin - lastEnd));
      placements[index] = {
        kind: "placed",
        recordingId,
        tunerId: id,
        span: { start, stop },
        begin: entry.begin,
        seamMs: entry.begin === start ? seamMs : 0,
        ...hope,
      };
    }
  }
  return placements;
}

interface Placed {
  readonly index: number;
  readonly move: Move;
}

/** The sessions of one tuner, the last one first, and the successor of each recording in its place. */
function replay(
  placed: readonly Placed[],
  setting: LaneContext,
): { readonly sessions: readonly Session[]; readonly before: ReadonlyMap<number, number> } {
  const sessions: Session[] = [];
  const before = new Map<number, number>();
  let lane: Lane = EMPTY;
  for (const { index, move } of placed) {
    const steps = stepsOf(lane, index, setting);
    const step = steps.find((each) => each.before === move.before) ?? steps[0];
    if (step === undefined || step.lane === lane) continue;
    if (step.before >= 0) before.set(index, step.before);
    const isSame = lane.front.length > 0 && lane.multiplex === step.lane.multiplex;
    if (isSame) sessions.pop();
    else if (lane.front.length > 0) sessions[sessions.length - 1] = { front: step.lane.back, end: lane.end };
    sessions.push({ front: step.lane.front, end: step.lane.end });
    lane = step.lane;
  }
  return { sessions, before };
}

interface Place {
  readonly sessions: readonly Session[];
  readonly at: number;
  readonly before: ReadonlyMap<number, number>;
  readonly setting: LaneContext;
}

function stopOf(entry: LaneEntry, { sessions, at, before, setting }: Place): number {
  const { window } = jobAt(setting, entry.job);
  const next = before.get(entry.job);
  // Padding after comes first between two recordings in one place: programmes run over.
  const follower = sessions[at]?.front.find(({ job }) => job === next);
  if (follower !== undefined) return Math.min(window.stop, follower.begin);
  const [session, later] = [sessions[at], sessions[at - 1]];
  if (session === undefined || later === undefined) return window.stop;
  return Math.min(window.stop, changeOver({ ...session, back: later.front }, setting).stop);
}

function startOf(entry: LaneEntry, place: Place): number {
  const { sessions, at, before, setting } = place;
  const { window, event } = jobAt(setting, entry.job);
  if (entry.begin > event.start) return entry.begin;
  const session = sessions[at];
  const ahead = session?.front.find(({ job }) => before.get(job) === entry.job);
  if (ahead !== undefined) return Math.max(window.start, stopOf(ahead, place));
  const earlier = sessions[at + 1];
  if (session === undefined || earlier === undefined || !wantsBefore(entry, setting)) return window.start;
  return Math.max(window.start, changeOver({ ...earlier, back: session.front }, setting).start);
}
