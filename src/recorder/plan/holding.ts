import type { Placed, PlanRequest } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";
import { sameTriplet } from "../../model/service.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { sameItems } from "./same-items.ts";
import type { GroupSolution } from "./solve-group.ts";

/** Recordings of earlier links that still hold their tuners. */
export type Holding = readonly PlanRequest[];

/** The answer for a link, as far as later links depend on it. */
export type Holders = Pick<GroupSolution, "placements" | "held">;

interface After {
  readonly before: Holding;
  readonly answer: Holders;
  readonly until: EpochMs;
  readonly holding: Holding;
}

/** By links: most are unchanged since the previous plan. */
const AFTER = new WeakMap<readonly PlanRequest[], After>();

/** The recordings that hold a tuner after a link: the same array as long as they hold it in the same way. */
export function holdingAfter(
  before: Holding,
  {
    link,
    answer,
    until,
  }: {
    readonly link: readonly PlanRequest[];
    readonly answer: Holders;
    /** No later recording needs a tuner before; tuning included. */
    readonly until: EpochMs;
  },
): Holding {
  const known = AFTER.get(link);
  if (known?.answer === answer && known.until === until && known.before === before) return known.holding;
  const holding = [...stillHeld(before, answer, until), ...newlyHeld(link, answer, until)];
  const isSame = known !== undefined && sameItems(known.holding, holding);
  const after = { before, answer, until, holding: isSame ? known.holding : holding };
  AFTER.set(link, after);
  return after.holding;
}

function stillHeld(before: Holding, { held: placements = [] }: Holders, until: EpochMs): Holding {
  const stops = new Map<RecordingId, EpochMs>();
  for (const one of placements) if (one.kind === "placed") stops.set(one.recordingId, one.span.stop);
  return before.flatMap((held) => {
    const { start, stop: was } = held.window;
    const stop = Math.min(was, stops.get(held.recordingId) ?? was);
    if (stop <= until) return [];
    return [stop < was ? { ...held, window: { start, stop } } : held];
  });
}

function newlyHeld(link: readonly PlanRequest[], { placements }: Holders, until: EpochMs): Holding {
  const placed = new Map<RecordingId, Placed>();
  for (const one of placements)
    if (one.kind === "placed" && one.span.stop > until) placed.set(one.recordingId, one);
  if (placed.size === 0) return [];
  return link.flatMap((request) => {
    const one = placed.get(request.recordingId);
    return one === undefined ? [] : [heldRequest(request, one)];
  });
}

const HELD = new WeakMap<Placed, { readonly request: PlanRequest; readonly held: PlanRequest }>();

/** Its padding before is kept as well: it takes one of the services that the tuner delivers at once. */
function heldRequest(request: PlanRequest, placed: Placed): PlanRequest {
  const known = HELD.get(placed);
  if (known?.request === request) return known.held;
  const { recordingId, service, priority, event } = request;
  const { tunerId, span } = placed;
  const held: PlanRequest = {
    recordingId,
    service,
    priority,
    // Its begin is settled, with the time that its tuner needs.
    lateMs: Number.POSITIVE_INFINITY,
    isLate: false,
    avoid: [],
    runningOnTuner: tunerId,
    isHeld: true,
    event: { start: span.start, stop: event.stop },
    window: span,
  };
  HELD.set(placed, { request, held });
  return held;
}

interface WithHeld {
  readonly from: EpochMs;
  readonly holding: Holding;
  readonly held: Holding;
  readonly task: readonly PlanRequest[];
}

const WITH_HELD = new WeakMap<readonly PlanRequest[], WithHeld>();

/** A link with what holds tuners in it; the same array as long as both stay the same. */
export function withHeld(
  link: readonly PlanRequest[],
  { holding, warmUpMs }: { readonly holding: Holding; readonly warmUpMs: DurationMs },
): readonly PlanRequest[] {
  const known = WITH_HELD.get(link);
  const from = startOf(link, warmUpMs);
  if (known?.holding === holding && known.from === from) return known.task;
  const held = holding.filter(({ window }) => window.stop > from);
  const isSame = known !== undefined && (sameItems(known.held, held) || holdAlike(known.held, held));
  const task = isSame ? known.task : held.length === 0 ? link : [...held, ...link];
  WITH_HELD.set(link, { from, holding, held, task });
  return task;
}

function holdAlike(a: Holding, b: Holding): boolean {
  return (
    a.length === b.length &&
    a.every((one, at) => {
      const other = b[at];
      return (
        other !== undefined &&
        one.recordingId === other.recordingId &&
        sameTriplet(one.service, other.service) &&
        one.runningOnTuner === other.runningOnTuner &&
        one.priority === other.priority &&
        one.event.start === other.event.start &&
        one.event.stop === other.event.stop &&
        one.window.stop === other.window.stop
      );
    })
  );
}

const STARTS = new WeakMap<readonly PlanRequest[], EpochMs>();

/** The earliest time at which the link may need a tuner. */
export function startOf(link: readonly PlanRequest[], warmUpMs: DurationMs): EpochMs {
  const known = STARTS.get(link);
  if (known !== undefined) return known - warmUpMs;
  const start = link.reduce((least, { window }) => Math.min(least, window.start), Number.POSITIVE_INFINITY);
  STARTS.set(link, start);
  return start - warmUpMs;
}
