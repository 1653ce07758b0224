import { runningAttempts } from "../../../model/attempt.ts";
import type { ErrorCode } from "../../../model/errors.ts";
import type { Evidence } from "../../../model/evidence.ts";
import {
  type Health,
  isDead,
  isTunerFault,
  type Lesson,
  type Quarantine,
  type TunerFailure,
  weakOf,
  withLesson,
} from "../../../model/health.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { Recording } from "../../../model/recording.ts";
import { multiplexKey, type Triplet } from "../../../model/service.ts";
import { doublingPauseMs, type EpochMs } from "../../../model/time.ts";
import type { TunerFacts, TunerId } from "../../../model/tuner.ts";
import type { Draft } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";

const PACKET_BYTES = 188;

/** Payload has arrived: the tuner works. */
export function learnFlow(draft: Draft, { service, attempts }: Recording, number: number): void {
  const attempt = attempts[number - 1];
  if (service === undefined || attempt === undefined) return;
  const lockMs = Math.max(0, draft.now - attempt.startedAt);
  learn(draft, { tunerId: attempt.tunerId, multiplex: multiplexKey(service), failed: false, lockMs });
  markWorking(draft, attempt.tunerId);
}

/** Learns from an attempt that failed or broke off. Failures that are not the tuner's fault teach nothing. */
export function learnEnd(draft: Draft, { service, attempts }: Recording, number: number): void {
  const { tunerId, flowingAt, cause = "asked" } = attempts[number - 1] ?? {};
  if (service === undefined || tunerId === undefined || cause === "asked") return;
  const hasBrokenOff = flowingAt !== undefined && (cause === "STREAM_STALLED" || cause === "STREAM_ENDED");
  const isInVain = flowingAt === undefined && isTunerFault(cause);
  if (!hasBrokenOff && !isInVain) return;
  learn(draft, { tunerId, multiplex: multiplexKey(service), failed: true });
  if (isInVain) markFailed(draft, tunerId, { service, code: cause, at: draft.now });
}

/** Learns the quality of the reception from the evidence, if a single tuner received all of it. */
export function learnEvidence(draft: Draft, { service, attempts }: Recording, evidence: Evidence): void {
  const { bytes, continuityErrors, transportErrors, kept } = evidence;
  const used = attempts.filter(({ number }) => kept === undefined || kept.includes(number));
  const [tunerId, ...others] = new Set(used.map((attempt) => attempt.tunerId));
  if (service === undefined || tunerId === undefined || others.length > 0 || bytes < PACKET_BYTES) return;
  const errorsPerMillion = (1e6 * (continuityErrors + transportErrors)) / (bytes / PACKET_BYTES);
  learn(draft, { tunerId, multiplex: multiplexKey(service), errorsPerMillion });
}

function learn(draft: Draft, lesson: Lesson): void {
  const pairs = withLesson(draft.document.health.pairs, lesson, draft.now);
  updateHealth(draft, { pairs });
  forgetOld(draft);
}

/** Drops failures that are too old to count. */
export function forgetOld(draft: Draft): void {
  const { health } = draft.document;
  const weak = weakOf(health, draft.now);
  if (weak !== health.weak) updateHealth(draft, { weak });
}

function updateHealth(draft: Draft, part: Partial<Health>): void {
  draft.update({ health: { ...draft.document.health, ...part } });
}

function markWorking(draft: Draft, tunerId: TunerId): void {
  const { failing, quarantine } = draft.document.health;
  if (failing[tunerId] !== undefined) updateHealth(draft, { failing: withoutKey(failing, tunerId) });
  const dead = quarantine[tunerId];
  if (dead === undefined) return;
  updateHealth(draft, { quarantine: withoutKey(quarantine, tunerId) });
  draft.note("tuner-back", undefined, { tuner: tunerId, since: dead.since });
}

function markFailed(draft: Draft, tunerId: TunerId, failure: TunerFailure): void {
  const { failing, quarantine } = draft.document.health;
  const failures = [...(failing[tunerId] ?? []), failure].slice(-MODEL_LIMITS.quarantineAfter);
  updateHealth(draft, { failing: { ...failing, [tunerId]: failures } });
  const tuner = draft.world.tuners.find(({ id }) => id === tunerId);
  if (quarantine[tunerId] !== undefined || !isDead(failures, tuner)) return;
  const { code } = failure;
  const since = failures[0]?.at ?? draft.now;
  const dead: Quarantine = {
    since,
    code,
    failures,
    probes: 0,
    probeAt: draft.now + ENGINE_LIMITS.probeMsMin,
  };
  updateHealth(draft, { quarantine: { ...quarantine, [tunerId]: dead } });
  draft.note("tuner-quarantined", undefined, { tuner: tunerId, cause: code });
}

function withoutKey<T>(all: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _gone, ...rest } = all;
  return rest;
}

/** Orders a probe of each dead tuner that is due and unused. */
export function orderProbes(draft: Draft): void {
  const { health, leases } = draft.document;
  for (const [tunerId, dead] of Object.entries(health.quarantine)) {
    const tuner = draft.world.tuners.find(({ id }) => id === tunerId);
    if (tuner === undefined || probeAt(dead, draft.now) > draft.now) continue;
    const isHeld =
      Object.values(leases).some((lease) => lease.tunerId === tunerId) ||
      draft.index.begun.flatMap(runningAttempts).some((attempt) => attempt.tunerId === tunerId);
    const service = serviceToTry(dead);
    if (isHeld || service === undefined) continue;
    const pauseMs = doublingPauseMs(dead.probes + 1, {
      firstMs: ENGINE_LIMITS.probeMsMin,
      maxMs: ENGINE_LIMITS.probeMsMax,
    });
    const tried = { ...dead, probes: dead.probes + 1, probeAt: draft.now + pauseMs };
    updateHealth(draft, { quarantine: { ...draft.document.health.quarantine, [tunerId]: tried } });
    const id = `probe ${tunerId}`;
    const until = draft.now + MODEL_LIMITS.probeMs;
    const lease = { id, use: "probe" as const, tunerId, service, since: draft.now, until };
    draft.update({ leases: { ...draft.document.leases, [id]: lease } });
    draft.order({ kind: "probe", leaseId: id, tunerId, service });
  }
}

/** The tuner's server is back: probes the tuner at once if that was its fault. */
export function probeAtOnce(draft: Draft, tunerId: TunerId): void {
  const { quarantine } = draft.document.health;
  const dead = quarantine[tunerId];
  if (dead?.code !== "TUNER_UNREACHABLE") return;
  updateHealth(draft, { quarantine: { ...quarantine, [tunerId]: { ...dead, probeAt: draft.now } } });
}

/** Rotates through the services that failed: one of their multiplexes may be off the air. */
function serviceToTry({ failures, probes }: Quarantine): Triplet | undefined {
  return failures.toReversed()[probes % failures.length]?.service;
}

/** The instant of the next probe. A later one than the longest pause allows was noted by a wrong clock. */
export function probeAt({ probeAt: at }: Quarantine, now: EpochMs): EpochMs {
  return at > now + ENGINE_LIMITS.probeMsMax ? now : at;
}

export function applyProbeResult(draft: Draft, tunerId: TunerId, code: ErrorCode | undefined): void {
  const dead = draft.document.health.quarantine[tunerId];
  if (dead === undefined) return;
  // Another use has the tuner, so it works.
  if (code === undefined || code === "TUNER_BUSY" || code === "TUNER_IN_USE")
    return markWorking(draft, tunerId);
  if (code !== dead.code)
    updateHealth(draft, {
      quarantine: { ...draft.document.health.quarantine, [tunerId]: { ...dead, code } },
    });
}

const MARKED_TUNERS = new WeakMap<
  Health["quarantine"],
  WeakMap<readonly TunerFacts[], readonly TunerFacts[]>
>();

/** The tuners as the planner sees them; the same array for the same tuners. */
export function tunersToPlan(
  tuners: readonly TunerFacts[],
  { quarantine }: Pick<Health, "quarantine">,
): readonly TunerFacts[] {
  if (Object.keys(quarantine).length === 0) return tuners;
  const known = MARKED_TUNERS.get(quarantine) ?? new WeakMap<readonly TunerFacts[], readonly TunerFacts[]>();
  MARKED_TUNERS.set(quarantine, known);
  const marked =
    known.get(tuners) ??
    tuners.map((tuner) => (quarantine[tuner.id] === undefined ? tuner : asDoubtful(tuner)));
  known.set(tuners, marked);
  return marked;
}

/** Reads `services` on each access: the tuner's services may change. */
function asDoubtful(tuner: TunerFacts): TunerFacts {
  return {
    id: tuner.id,
    kind: tuner.kind,
    warmUpMs: tuner.warmUpMs,
    servicesAtOnce: tuner.servicesAtOnce,
    get services() {
      return tuner.services;
    },
    isDoubtful: true,
  };
}
