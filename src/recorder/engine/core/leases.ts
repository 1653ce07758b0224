import { currentAttempt, runningAttempts } from "../../../model/attempt.ts";
import { isLower, type Lease, type LeaseId, type Use } from "../../../model/lease.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import { plannedSpan, type Recording } from "../../../model/recording.ts";
import { type MultiplexKey, multiplexKey, type Triplet, tripletKey } from "../../../model/service.ts";
import { type EpochMs, MINUTE } from "../../../model/time.ts";
import { canReceive, type TunerFacts, type TunerId, warmUpMost } from "../../../model/tuner.ts";
import type { Draft } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";
import type { Occurrence } from "./occurrence.ts";
import { yieldUnclaimed } from "./survivors.ts";

type LeaseRequest = Extract<Occurrence, { readonly kind: "lease-asked" }>;

/** An attempt or a lease that holds a tuner now. */
interface TunerUse {
  readonly multiplex: MultiplexKey | undefined;
  /** Absent: a recording. */
  readonly lease?: Lease;
}

/** The uses of a tuner now. */
export function usesOf(draft: Draft, tunerId: TunerId): readonly TunerUse[] {
  const attempts = draft.index.begun
    .filter((each) => runningAttempts(each).some((attempt) => attempt.tunerId === tunerId))
    .map(
      ({ service }): TunerUse => ({ multiplex: service === undefined ? undefined : multiplexKey(service) }),
    );
  const leases = Object.values(draft.document.leases)
    .filter((lease) => lease.tunerId === tunerId)
    .map((lease): TunerUse => ({ multiplex: multiplexKey(lease.service), lease }));
  return [...attempts, ...leases];
}

/**
 * The leases that must end before a use gets a tuner; the latest of the lowest use comes first.
 *
 * @param use absent: a recording, which takes a tuner from any other use (R-27)
 * @returns `undefined` if the use cannot have the tuner
 */
export function leasesToEvict(
  draft: Draft,
  {
    tunerId,
    multiplex,
    use,
  }: { readonly tunerId: TunerId; readonly multiplex: MultiplexKey; readonly use?: Use },
): readonly Lease[] | undefined {
  const tuner = draft.world.tuners.find(({ id }) => id === tunerId);
  if (tuner === undefined) return undefined;
  const mayTake = ({ lease }: TunerUse) =>
    lease !== undefined && (use === undefined || isLower(lease.use, use));
  const held = usesOf(draft, tunerId);
  const others = held.filter((one) => one.multiplex !== multiplex);
  const shared = held.filter((one) => one.multiplex === multiplex);
  const tooMany = Math.max(0, shared.length + 1 - tuner.servicesAtOnce(multiplex));
  const lowest = shared.filter(mayTake).toSorted(byImportance).slice(0, tooMany);
  if (!others.every(mayTake) || lowest.length < tooMany) return undefined;
  return [...others, ...lowest].flatMap(({ lease }) => (lease === undefined ? [] : [lease]));
}

/** The least important first. */
function byImportance({ lease: a }: TunerUse, { lease: b }: TunerUse): number {
  if (a === undefined || b === undefined) return 0;
  if (a.use !== b.use) return isLower(a.use, b.use) ? -1 : 1;
  return b.since - a.since;
}

export function evict(draft: Draft, lease: Lease, why: string): void {
  releaseLease(draft, lease.id);
  draft.note("lease-taken", undefined, { tuner: lease.tunerId, use: lease.use, text: why });
  draft.order({ kind: "evict", leaseId: lease.id });
}

export function releaseLease(draft: Draft, leaseId: LeaseId): void {
  const { [leaseId]: held, ...leases } = draft.document.leases;
  if (held !== undefined) draft.update({ leases });
}

/**
 * Grants a tuner to a use that is not a recording, if one is free or has a lower use; it ends no recording (R-27).
 */
export function grantLease(
  draft: Draft,
  { leaseId: id, use, service, tunerId: wanted, until }: LeaseRequest,
): void {
  const multiplex = multiplexKey(service);
  const { tuners } = draft.world;
  const capable = tuners.filter(
    (tuner) => (wanted === undefined || tuner.id === wanted) && canReceive(tuner, tripletKey(service)),
  );
  // The stream goes to this machine.
  const able = capable.filter(({ isElsewhere }) => isElsewhere !== true);
  const { leases } = draft.document;
  const tuneMs = tuneMsOf(able);
  const options = able.flatMap((tuner) => {
    if (use === "gathering" && !isIdle(draft, tuner, until + tuneMs)) return [];
    const evicted = leasesToEvict(draft, { tunerId: tuner.id, multiplex, use });
    return evicted === undefined ? [] : [optionOf(draft, { tuner, multiplex, evicted })];
  });
  const [best] = options
    .filter(({ neededAt, shares }) => shares || neededAt - draft.airNow > tuneMs)
    .toSorted(byFitness);
  if (best === undefined || Object.keys(leases).length >= ENGINE_LIMITS.leases) {
    const code = able.length === 0 ? "TUNER_NONE_CAPABLE" : "TUNER_BUSY";
    return draft.refuse({ code, text: whyNone({ able, capable, service, wanted }) });
  }
  const { tunerId, evicted } = best;
  for (const lower of evicted) evict(draft, lower, `for a ${use}`);
  yieldUnclaimed(draft, tunerId, multiplexKey(service));
  const lease = { id, use, tunerId, service, since: draft.now, until };
  draft.update({ leases: { ...draft.document.leases, [id]: lease } });
  draft.order({ kind: "lease", leaseId: id, tunerId });
}

function whyNone({
  able,
  capable,
  service,
  wanted,
}: {
  readonly able: readonly TunerFacts[];
  readonly capable: readonly TunerFacts[];
  readonly service: Triplet;
  readonly wanted: TunerId | undefined;
}): string {
  const key = tripletKey(service);
  if (able.length > 0)
    return `No tuner is free for service ${key}: recordings use all tuners that receive it, or will soon.`;
  if (capable.length > 0)
    return `Only tuners of other nodes receive service ${key}: they record it, and are not for viewers.`;
  return `No ${wanted === undefined ? "configured tuner" : `tuner ${wanted}`} receives service ${key}.`;
}

interface Option {
  readonly tunerId: TunerId;
  readonly evicted: readonly Lease[];
  /** The tuner already receives the multiplex. */
  readonly shares: boolean;
  /** The start of the next recording from another multiplex. */
  readonly neededAt: EpochMs;
  readonly isDead: boolean;
  readonly place: number;
}

function optionOf(
  draft: Draft,
  {
    tuner: { id: tunerId },
    multiplex,
    evicted,
  }: { readonly tuner: TunerFacts; readonly multiplex: MultiplexKey; readonly evicted: readonly Lease[] },
): Option {
  const needed = plannedOn(draft, tunerId).filter(
    (each) =>
      currentAttempt(each) === undefined &&
      (each.service === undefined || multiplexKey(each.service) !== multiplex),
  );
  return {
    tunerId,
    evicted,
    shares: usesOf(draft, tunerId).some((held) => held.multiplex === multiplex),
    neededAt: earliest(needed),
    isDead: draft.document.health.quarantine[tunerId] !== undefined,
    place: draft.world.tuners.findIndex(({ id }) => id === tunerId),
  };
}

function plannedOn(draft: Draft, tunerId: TunerId): readonly Recording[] {
  return draft.open().filter((each) => each.tunerId === tunerId);
}

function earliest(recordings: readonly Recording[]): EpochMs {
  return Math.min(Number.POSITIVE_INFINITY, ...recordings.map((each) => plannedSpan(each).start));
}

/**
 * Whether the tuner works, nothing uses it, and no recording needs it until then: EPG gathering must delay nobody.
 */
function isIdle(draft: Draft, { id, isDoubtful }: TunerFacts, until: EpochMs): boolean {
  const works = isDoubtful !== true && draft.document.health.quarantine[id] === undefined;
  const untilOnAir = until + draft.airNow - draft.now;
  return works && usesOf(draft, id).length === 0 && earliest(plannedOn(draft, id)) > untilOnAir;
}

/**
 * Sharing a multiplex comes first, since it costs nobody. Then the tuner that stays unneeded longest; of equals the
 * last, since plans begin with the first.
 */
function byFitness(a: Option, b: Option): number {
  if (a.shares !== b.shares) return a.shares ? -1 : 1;
  if (a.isDead !== b.isDead) return a.isDead ? 1 : -1;
  if (a.evicted.length !== b.evicted.length) return a.evicted.length - b.evicted.length;
  if (a.neededAt !== b.neededAt) return a.neededAt > b.neededAt ? -1 : 1;
  return b.place - a.place;
}

/** The shortest useful lease: a shorter one would end at once. */
function tuneMsOf(tuners: readonly TunerFacts[]): number {
  return MINUTE / 2 + warmUpMost(tuners);
}

/** Ends expired leases, and those from a clock that was ahead. */
export function endExpiredLeases(draft: Draft): void {
  for (const lease of Object.values(draft.document.leases)) {
    if (lease.until <= draft.now || lease.since > draft.now + MODEL_LIMITS.viewMs)
      evict(draft, lease, "its time is over");
  }
}

/** Leases do not survive the daemon. */
export function clearLeases(draft: Draft): void {
  if (Object.keys(draft.document.leases).length > 0) draft.update({ leases: {} });
}
