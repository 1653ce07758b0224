import type { Placement, Plan, PlanFacts, PlanRequest } from "../../../model/plan.ts";
import { DEFAULT_PRIORITY } from "../../../model/priority.ts";
import type { Recording, RecordingId } from "../../../model/recording.ts";
import { multiplexKey } from "../../../model/service.ts";
import type { SpaceFacts } from "../../../model/space.ts";
import { type DurationMs, MINUTE } from "../../../model/time.ts";
import type { Difference, Unknown, WhatIf } from "../../../model/what-if.ts";
import { padded } from "../../../model/window.ts";
import { withoutRoom } from "../../subsystems/library/core/space.ts";
import type { DaemonDocument } from "./document.ts";
import { tunersToPlan } from "./health.ts";
import { factsOf, type PlanProblem, type PlanWorld, planRequests } from "./plan-facts.ts";
import { serviceOf } from "./recording-order.ts";

/** The inputs that the document does not provide. */
export type WhatIfContext = Omit<PlanWorld, "preview" | "health">;
type WhatIfWorld = Omit<PlanWorld, "preview">;
export type WhatIfDocument = Pick<DaemonDocument, "recordings" | "channels" | "health">;

/** An id that no recording has. */
const ADDED: RecordingId = "#added";

/** Plans from scratch, which may take a while. */
export type PlanFromScratch = (problems: readonly PlanProblem[]) => Promise<readonly Plan[]>;

/** The forecast for the disk as it is, or with that many free bytes; `undefined` before the first measurement. */
type Forecast = (freeBytes?: number) => SpaceFacts | undefined;

/** Plans again with the change and returns the difference. Changes nothing. */
export async function whatIf(
  change: WhatIf,
  known: WhatIfDocument,
  {
    world: around,
    plans,
    space,
  }: { readonly world: WhatIfContext; readonly plans: PlanFromScratch; readonly space: Forecast },
): Promise<Difference | Unknown> {
  if (change.kind === "disk") return withDisk(change.freeBytes, known, space);
  const world = { ...around, health: known.health };
  const recordings = Object.values(known.recordings);
  const tuners = tunersToPlan(world.tuners, world.health);
  const asIs = { requests: planRequests(known.recordings, world), tuners };
  const changed = changedProblem(change, asIs, { known, recordings, world });
  if ("kind" in changed) return changed;
  const [before, after] = await plans([asIs, changed]);
  if (before === undefined || after === undefined) throw new Error("each problem has a plan");
  return differenceOf(asIs.requests, {
    before: factsOf(asIs.tuners, before),
    after: factsOf(changed.tuners, after),
  });
}

/** The plan does not depend on the disk; the forecast of its space does. */
function withDisk(freeBytes: number, { recordings }: WhatIfDocument, space: Forecast): Difference | Unknown {
  const [before, after] = [space(), space(freeBytes)];
  if (before === undefined || after === undefined)
    return unknown("The disk of recordings has not been measured yet: try again in a moment.");
  const all = Object.values(recordings);
  const [missing, lacking] = [withoutRoom(all, before), withoutRoom(all, after)];
  const without = (ids: readonly RecordingId[], others: readonly RecordingId[]) =>
    ids.filter((id) => !others.includes(id));
  return {
    kind: "difference",
    won: without(missing, lacking),
    lost: without(lacking, missing).map((recordingId) => ({ recordingId, holders: [] })),
    moved: [],
    space: { before, after },
  };
}

function changedProblem(
  change: Exclude<WhatIf, { readonly kind: "disk" }>,
  { requests, tuners }: PlanProblem,
  {
    known,
    recordings,
    world,
  }: {
    readonly known: WhatIfDocument;
    readonly recordings: readonly Recording[];
    readonly world: WhatIfWorld;
  },
): PlanProblem | Unknown {
  switch (change.kind) {
    case "without-tuner": {
      const { tunerId } = change;
      const left = tuners.filter(({ id }) => id !== tunerId);
      if (left.length === tuners.length) return unknown(`There is no tuner ${tunerId}.`);
      // Running recordings lose the tuner as well.
      return {
        tuners: left,
        requests: requests.map((request) =>
          request.runningOnTuner === tunerId ? withoutRunningTuner(request) : request,
        ),
      };
    }
    case "padding": {
      const ms = change.minutes * MINUTE;
      const padding = { beforeMs: ms, afterMs: ms };
      return {
        tuners,
        requests: requests.map((request) =>
          request.runningOnTuner !== undefined || request.isLate
            ? request
            : { ...request, window: padded(request.event, padding) },
        ),
      };
    }
    case "priority": {
      const ids = new Set(recordings.flatMap(({ id, timerId }) => (timerId === change.timerId ? [id] : [])));
      const { priority } = change;
      if (!requests.some(({ recordingId }) => ids.has(recordingId)))
        return unknown(`Nothing is planned for timer ${change.timerId}.`);
      return {
        tuners,
        requests: requests.map((request) =>
          ids.has(request.recordingId) ? { ...request, priority } : request,
        ),
      };
    }
    case "add": {
      const request = addedRequest(change, known, world);
      return request === undefined
        ? unknown(`There is no channel ${change.channel}, or the guide names no service for it.`)
        : { tuners, requests: [...requests, request] };
    }
  }
}

function unknown(text: string): Unknown {
  return { kind: "unknown", text };
}

function withoutRunningTuner({ runningOnTuner: _lost, ...request }: PlanRequest): PlanRequest {
  return request;
}

function addedRequest(
  { channel: wanted, start, minutes }: Extract<WhatIf, { readonly kind: "add" }>,
  { channels }: WhatIfDocument,
  { tuners, policy, health }: WhatIfWorld,
): PlanRequest | undefined {
  const isNamed = (name: string) => name.toLowerCase() === wanted.toLowerCase();
  const all = Object.values(channels);
  const channel = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => isNamed(name));
  const service = channel === undefined ? undefined : serviceOf(channel, tuners);
  if (service === undefined) return undefined;
  const event = { start, stop: start + minutes * MINUTE };
  const weak = health.weak[multiplexKey(service)];
  return {
    recordingId: ADDED,
    service,
    event,
    window: padded(event, policy.padding),
    priority: DEFAULT_PRIORITY,
    isLate: false,
    lateMs: Math.floor((1 - policy.completeFrom) * minutes * MINUTE),
    avoid: [],
    ...(weak === undefined ? {} : { weak }),
  };
}

function differenceOf(
  requests: readonly PlanRequest[],
  { before, after }: { readonly before: PlanFacts; readonly after: PlanFacts },
): Difference {
  const then = byId(after.placements);
  const now = byId(before.placements);
  const holdersOf = (id: RecordingId) =>
    after.conflicts.find(({ recordingId }) => recordingId === id)?.holders ?? [];
  const gains = requests.map((request) => {
    const { recordingId } = request;
    return {
      recordingId,
      ms: recordedMs(request, then.get(recordingId)) - recordedMs(request, now.get(recordingId)),
    };
  });
  const added = then.get(ADDED);
  return {
    kind: "difference",
    won: gains.flatMap(({ recordingId, ms }) => (ms > 0 ? [recordingId] : [])),
    lost: gains.flatMap(({ recordingId, ms }) =>
      ms < 0 ? [{ recordingId, holders: holdersOf(recordingId) }] : [],
    ),
    moved: requests.flatMap(({ recordingId }) => {
      const [a, b] = [now.get(recordingId), then.get(recordingId)];
      return a?.kind === "placed" && b?.kind === "placed" && a.tunerId !== b.tunerId
        ? [{ recordingId, from: a.tunerId, to: b.tunerId }]
        : [];
    }),
    ...(added === undefined ? {} : { added: { placement: added, holders: holdersOf(ADDED) } }),
  };
}

export function byId(placements: readonly Placement[]): ReadonlyMap<RecordingId, Placement> {
  return new Map(placements.map((one) => [one.recordingId, one]));
}

/** The recorded part of the event. */
export function recordedMs({ event }: PlanRequest, placement: Placement | undefined): DurationMs {
  return placement?.kind === "placed" && placement.isHope !== true ? event.stop - placement.begin : 0;
}
