import { weaknessEndsAt, weakOf } from "../../../model/health.ts";
import { plannedSpan, type Recording } from "../../../model/recording.ts";
import type { EpochMs } from "../../../model/time.ts";
import { warmUpMost } from "../../../model/tuner.ts";
import type { DaemonDocument } from "./document.ts";
import type { World } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";
import { earliestActionAt, recordingIndexOf, settledSince } from "./recording-index.ts";

type QuietWorld = Pick<World, "tuners" | "policy">;

interface Known extends QuietWorld {
  readonly until: EpochMs;
}

const KNOWN = new WeakMap<DaemonDocument, Known>();

/**
 * The instant until which time alone gives `decide` nothing to do, apart from the instants of `dueInstant`: until then a
 * sign of life is enough. In the past while a recording must be looked at each minute.
 */
export function quietUntil(document: DaemonDocument, { tuners, policy }: QuietWorld): EpochMs {
  const known = KNOWN.get(document);
  if (known?.tuners === tuners && known.policy === policy) return known.until;
  const until = findQuietUntil(document, { tuners, policy });
  KNOWN.set(document, { tuners, policy, until });
  return until;
}

function findQuietUntil(
  { heartbeatAt, recordings, health, clock }: DaemonDocument,
  world: QuietWorld,
): EpochMs {
  const { begun, ahead, reportPending, healing, repeated, over } = recordingIndexOf(recordings);
  const isBusy =
    clock === undefined ||
    clock.doubt !== undefined ||
    reportPending.length > 0 ||
    healing.length > 0 ||
    Object.keys(health.quarantine).length > 0 ||
    weakOf(health, heartbeatAt) !== health.weak ||
    !begun.every(isSteady);
  if (isBusy) return Number.NEGATIVE_INFINITY;
  const lost = world.policy.repeats === "book" ? repeated : [];
  let until = Number.POSITIVE_INFINITY;
  for (const recording of ahead) until = Math.min(until, changesAt(recording));
  until -= warmUpMost(world.tuners);
  for (const { repeats = [] } of [...ahead, ...lost])
    for (const { event } of repeats) if (event.start > heartbeatAt) until = Math.min(until, event.start - 1);
  for (const pair of Object.values(health.pairs)) {
    const endsAt = weaknessEndsAt(pair);
    if (endsAt >= heartbeatAt) until = Math.min(until, endsAt);
  }
  const [oldest] = over;
  return oldest === undefined ? until : Math.min(until, settledSince(oldest) + ENGINE_LIMITS.historyMs);
}

/** Only news of its capture or its files, or an instant of its own, changes it. */
function isSteady({ state, followed, clockHoldReason }: Recording): boolean {
  const isUnderWay = state === "tuning" || state === "recording" || state === "closing";
  return isUnderWay && followed === undefined && clockHoldReason === undefined;
}

/** The instant from which its plan request depends on the time. */
function changesAt(recording: Recording): EpochMs {
  return Math.min(earliestActionAt(recording), recording.event.start, plannedSpan(recording).start);
}
