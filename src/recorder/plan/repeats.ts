import type { Placement, PlanRequest, Remedy } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";
import type { DurationMs } from "../../model/time.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { groupsOf } from "./groups.ts";
import { isWhole } from "./remedy.ts";

export interface Planned {
  readonly group: readonly PlanRequest[];
  readonly placements: readonly Placement[];
  /** The plan of the group is provisional. */
  readonly isOpen: boolean;
}

type PlanGroup = (group: readonly PlanRequest[]) => Omit<Planned, "group">;

/** Limits on repeats tried per recording, and on attempts per plan: each one plans a group. */
const REPEATS_TRIED = 3;
const TRIES_MOST = 30;

interface Problem {
  readonly planned: readonly Planned[];
  /** Recordings that only a repeat can save. */
  readonly lost: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
  readonly warmUpMs: DurationMs;
}

interface RepeatSearch {
  readonly remedies: readonly Remedy[];
  /** Recordings for which the search for a repeat is unfinished. */
  readonly open: ReadonlySet<RecordingId>;
}

/**
 * Finds repeats for recordings that are not whole or are lost: the soonest one that would be whole without loss to any other
 * recording. Each is found by planning the group it would join.
 */
export function repeatRemedies({ planned, lost, ...world }: Problem, plan: PlanGroup): RepeatSearch {
  const remedies: Remedy[] = [];
  const open = new Set<RecordingId>();
  let tries = 0;
  // Lost recordings are over and compete with nobody.
  const over = lost.map((request) => ({ group: [request], placements: [], isOpen: false }));
  for (const { group, placements, isOpen } of [...planned, ...over]) {
    if (isOpen) continue;
    for (const request of group) {
      const { recordingId, repeats = [], isLate, runningOnTuner } = request;
      // Few recordings have repeats: the cheap check comes first.
      if (repeats.length === 0 || isLate || runningOnTuner !== undefined || isWhole(request, placements))
        continue;
      for (const { repeat, window } of repeats.slice(0, REPEATS_TRIED)) {
        if (tries >= TRIES_MOST) break;
        tries += 1;
        const verdict = outcomeOf(movedTo(request, { repeat, window }), { planned, ...world, plan });
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
  request: PlanRequest,
  { repeat, window }: NonNullable<PlanRequest["repeats"]>[number],
): PlanRequest {
  const { previousTuner: _there, weak: _else, repeats: _known, isLost: _over, ...rest } = request;
  return { ...rest, service: repeat.service, event: repeat.event, window, avoid: [] };
}

function outcomeOf(
  moved: PlanRequest,
  { planned, tuners, warmUpMs, plan }: Omit<Problem, "lost"> & { readonly plan: PlanGroup },
): "whole" | "lost" | "open" {
  // The group that it leaves may change too.
  const touched = planned.filter(
    ({ group }) => isIn(group, moved.recordingId) || meets(group, moved, warmUpMs),
  );
  if (touched.some(({ isOpen }) => isOpen)) return "open";
  const others = touched.flatMap(({ group }) => group).filter((one) => one.recordingId !== moved.recordingId);
  const before = touched.flatMap(({ placements }) => placements);
  const tried = groupsOf([...others, moved], tuners).groups.map(plan);
  if (tried.some(({ isOpen }) => isOpen)) return "open";
  const placements = tried.flatMap((one) => one.placements);
  const nobodyLoses = others.every((one) => recordedMs(one, placements) >= recordedMs(one, before));
  return nobodyLoses && isWhole(moved, placements) ? "whole" : "lost";
}

function isIn(group: readonly PlanRequest[], id: RecordingId): boolean {
  return group.some(({ recordingId }) => recordingId === id);
}

/** The recorded time of its event. */
function recordedMs({ recordingId, event }: PlanRequest, placements: readonly Placement[]): DurationMs {
  const placement = placements.find((one) => one.recordingId === recordingId);
  return placement?.kind === "placed" && placement.isHope !== true ? event.stop - placement.begin : 0;
}

/** Whether the recording would join the group; a group spans the time from its first window to its last. */
function meets(group: readonly PlanRequest[], { window }: PlanRequest, warmUpMs: number): boolean {
  const start = Math.min(...group.map((one) => one.window.start));
  const stop = Math.max(...group.map((one) => one.window.stop));
  return start - warmUpMs < window.stop && window.start - warmUpMs < stop;
}
