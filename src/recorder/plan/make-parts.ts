import type { Part, Placement, PlanRequest, Remedy } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";
import type { EpochMs } from "../../model/time.ts";
import { sameItems } from "./same-items.ts";
import type { GroupSolution } from "./solve-group.ts";

/** A planned group, or a link of a longer one. */
export interface PlannedLink {
  readonly requests: readonly PlanRequest[];
  readonly answer: GroupSolution;
}

/** Links that are near enough for their recordings to meet. */
const BESIDE = 3;

/** The parts of one group, in order of time. A part is the same object as before while nothing in it or beside it changes. */
export function partsOf(links: readonly PlannedLink[], repeats: readonly Remedy[]): readonly Part[] {
  const stops = latestStops(links);
  const own = links.map(({ requests, answer }) => bareOf(requests, trimmed(answer.placements, stops)));
  return links.map(({ requests, answer }, at) => {
    const beside = [...own.slice(Math.max(0, at - BESIDE), at), ...own.slice(at + 1, at + 1 + BESIDE)];
    const its = repeats.filter(({ recordingId }) => requests.some((one) => one.recordingId === recordingId));
    const remedies = its.length === 0 ? answer.remedies : [...its, ...answer.remedies];
    return partOf(own[at] as Bare, { remedies, beside });
  });
}

type Bare = Pick<Part, "requests" | "placements">;

/** Cached per group of placements: they are made together, and most groups are unchanged. */
const BARE = new WeakMap<readonly Placement[], Bare>();
const PARTS = new WeakMap<Bare, Part & { readonly beside: readonly Bare[] }>();

function bareOf(requests: readonly PlanRequest[], placements: readonly Placement[]): Bare {
  const known = BARE.get(placements);
  if (known?.requests === requests) return known;
  const bare = { requests, placements };
  BARE.set(placements, bare);
  return bare;
}

function partOf(
  bare: Bare,
  { remedies, beside }: { readonly remedies: readonly Remedy[]; readonly beside: readonly Bare[] },
): Part {
  const known = PARTS.get(bare);
  if (known !== undefined && sameItems(known.remedies, remedies) && sameItems(known.beside, beside))
    return known;
  const part = { ...bare, remedies, beside };
  PARTS.set(bare, part);
  return part;
}

/** Recordings that end earlier than planned in their own link, as a later link needs their tuner. */
function latestStops(links: readonly PlannedLink[]): ReadonlyMap<RecordingId, EpochMs> {
  const stops = new Map<RecordingId, EpochMs>();
  for (const { answer } of links)
    for (const one of answer.held ?? []) if (one.kind === "placed") stops.set(one.recordingId, one.span.stop);
  return stops;
}

const TRIMMED = new WeakMap<
  readonly Placement[],
  { readonly text: string; readonly trimmed: readonly Placement[] }
>();

function trimmed(
  placements: readonly Placement[],
  stops: ReadonlyMap<RecordingId, EpochMs>,
): readonly Placement[] {
  const stopOf = (one: Placement) => {
    const stop = one.kind === "placed" ? stops.get(one.recordingId) : undefined;
    return stop !== undefined && one.kind === "placed" && stop < one.span.stop ? stop : undefined;
  };
  const cut = placements.filter((one) => stopOf(one) !== undefined);
  if (cut.length === 0) return placements;
  const text = cut.map((one) => `${one.recordingId} ${stopOf(one)}`).join(";");
  const known = TRIMMED.get(placements);
  if (known?.text === text) return known.trimmed;
  const now = placements.map((one) => {
    const stop = stopOf(one);
    return one.kind === "placed" && stop !== undefined ? { ...one, span: { ...one.span, stop } } : one;
  });
  TRIMMED.set(placements, { text, trimmed: now });
  return now;
}
