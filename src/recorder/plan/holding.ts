import type { Placed, Placement, PlanRequest } from "../../model/plan.ts";
import { sameTriplet } from "../../model/service.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { sameItems } from "./same-items.ts";

/** Recordings of earlier links that still hold their tuners. */
export type Holding = readonly PlanRequest[];

/** The recordings that hold a tuner after a link: the same objects as long as they hold it in the same way. */
export function holdingAfter(
  before: Holding,
  {
    link,
    placements,
    until,
  }: {
    readonly link: readonly PlanRequest[];
    /** The placements of the link and of the recordings that held tuners in it. */
    readonly placements: readonly Placement[];
    /** No later recording needs a tuner before; tuning included. */
    readonly until: EpochMs;
  },
): Holding {
  const placed = new Map(placements.map((one) => [one.recordingId, one]));
  const now: PlanRequest[] = [];
  for (const held of before) {
    const one = placed.get(held.recordingId);
    const stop = one?.kind === "placed" ? Math.min(one.span.stop, held.window.stop) : held.window.stop;
    if (stop <= until) continue;
    const isTrimmed = stop < held.window.stop;
    now.push(isTrimmed ? { ...held, window: { start: held.window.start, stop } } : held);
  }
  for (const request of link) {
    const one = placed.get(request.recordingId);
    if (one?.kind === "placed" && one.span.stop > until) now.push(heldRequest(request, one));
  }
  return now;
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

const WITH_HELD = new WeakMap<
  readonly PlanRequest[],
  { readonly held: Holding; readonly task: readonly PlanRequest[] }
>();

/** A link with what holds tuners in it; the same array as long as both stay the same. */
export function withHeld(
  link: readonly PlanRequest[],
  { holding, warmUpMs }: { readonly holding: Holding; readonly warmUpMs: DurationMs },
): readonly PlanRequest[] {
  const from = startOf(link, warmUpMs);
  const held = holding.filter(({ window }) => window.stop > from);
  if (held.length === 0) return link;
  const known = WITH_HELD.get(link);
  if (known !== undefined && (sameItems(known.held, held) || holdAlike(known.held, held))) return known.task;
  const task = [...held, ...link];
  WITH_HELD.set(link, { held, task });
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
