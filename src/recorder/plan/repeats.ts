import type { Placement, PlanRequest, Remedy } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";
import type { DurationMs } from "../../model/time.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { groupsOf } from "./groups.ts";
import { isWhole } from "./remedy.ts";

/** What competes, and what the plan does with it. */
export interface Planned {
  readonly group: readonly PlanRequest[];
  readonly placements: readonly Placement[];
  /** The last word on it is not spoken. */
  readonly isOpen: boolean;
}

/** How a group would be planned that is not as it is in the plan. */
type Try = (group: readonly PlanRequest[]) => Omit<Planned, "group">;

/** Repeats of one recording that are tried, and tries of one plan: each is a group to be planned. */
const REPEATS_TRIED = 3;
const TRIES_MOST = 30;

interface Problem {
  readonly planned: readonly Planned[];
  /** Those that want nothing but a repeat. */
  readonly lost: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
  readonly warmUpMs: DurationMs;
}

interface Found {
  readonly remedies: readonly Remedy[];
  /** Recordings of which it is not known yet whether a repeat would help. */
  readonly open: ReadonlySet<RecordingId>;
}

/**
 * For recordings that are not whole, and for those that are lost: their soonest repeat at which they would be whole, with everybody
 * else as well off as before. Each was found out by planning again what it would compete with there.
 */
export function repeatRemedies({ planned, lost, ...world }: Problem, plan: Try): Found {
  const remedies: Remedy[] = [];
  const open = new Set<RecordingId>();
  let tries = 0;
  // In the way of nobody: they are over.
  const over = lost.map((wish) => ({ group: [wish], placements: [], isOpen: false }));
  for (const { group, placements, isOpen } of [...planned, ...over]) {
    if (isOpen) continue;
    for (const wish of group) {
      const { recordingId, repeats = [], isLate, runningOnTuner } = wish;
      // Hardly any has some: first what costs nothing to ask.
      if (repeats.length === 0 || isLate || runningOnTuner !== undefined || isWhole(wish, placements))
        continue;
      for (const { repeat, window } of repeats.slice(0, REPEATS_TRIED)) {
        if (tries >= TRIES_MOST) break;
        tries += 1;
        const verdict = standing(movedTo(wish, { repeat, window }), { planned, ...world, plan });
        if (verdict === "open") open.add(recordingId);
        if (verdict === "whole") remedies.push({ kind: "repeat", recordingId, repeat });
        if (verdict !== "lost") break;
      }
    }
  }
  return { remedies, open };
}

/** The same recording at another broadcast. */
export function movedTo(
  wish: PlanRequest,
  { repeat, window }: NonNullable<PlanRequest["repeats"]>[number],
): PlanRequest {
  const { had: _there, weak: _else, repeats: _known, isLost: _over, ...rest } = wish;
  return { ...rest, service: repeat.service, event: repeat.event, window, avoid: [] };
}

function standing(
  moved: PlanRequest,
  { planned, tuners, warmUpMs, plan }: Omit<Problem, "lost"> & { readonly plan: Try },
): "whole" | "lost" | "open" {
  // Where it leaves, others may change their places as well.
  const touched = planned.filter(
    ({ group }) => isIn(group, moved.recordingId) || meets(group, moved, warmUpMs),
  );
  if (touched.some(({ isOpen }) => isOpen)) return "open";
  const others = touched.flatMap(({ group }) => group).filter((one) => one.recordingId !== moved.recordingId);
  const before = touched.flatMap(({ placements }) => placements);
  const tried = groupsOf([...others, moved], tuners).groups.map(plan);
  if (tried.some(({ isOpen }) => isOpen)) return "open";
  const placements = tried.flatMap((one) => one.placements);
  const nobodyLoses = others.every((one) => got(one, placements) >= got(one, before));
  return nobodyLoses && isWhole(moved, placements) ? "whole" : "lost";
}

function isIn(group: readonly PlanRequest[], id: RecordingId): boolean {
  return group.some(({ recordingId }) => recordingId === id);
}

/** How much of its event is recorded. */
function got({ recordingId, event }: PlanRequest, placements: readonly Placement[]): DurationMs {
  const placement = placements.find((one) => one.recordingId === recordingId);
  return placement?.kind === "placed" && placement.isHope !== true ? event.stop - placement.begin : 0;
}

/** Whether it would belong to the group; groups have all the time from their first window to their last. */
function meets(group: readonly PlanRequest[], { window }: PlanRequest, warmUpMs: number): boolean {
  const start = Math.min(...group.map((one) => one.window.start));
  const stop = Math.max(...group.map((one) => one.window.stop));
  return start - warmUpMs < window.stop && window.start - warmUpMs < stop;
}
