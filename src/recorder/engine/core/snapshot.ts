import type { Attempt } from "../../../model/attempt.ts";
import { weakness } from "../../../model/health.ts";
import type { Recording } from "../../../model/recording.ts";
import { multiplexKey, tripletKey } from "../../../model/service.ts";
import type { ReceptionNow, Snapshot, TunerStatus } from "../../../model/snapshot.ts";
import type { SpaceFacts } from "../../../model/space.ts";
import type { DurationMs, EpochMs } from "../../../model/time.ts";
import type { TunerFacts, TunerId } from "../../../model/tuner.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { nextWake } from "../../plan/wake.ts";
import type { DaemonDocument } from "./document.ts";
import { type PlanWorld, planFacts } from "./plan-facts.ts";

export interface SnapshotParts {
  readonly document: DaemonDocument;
  readonly tuners: readonly TunerFacts[];
  readonly policy: PlanWorld["policy"];
  readonly preview: PlanWorld["preview"];
  readonly guide: Omit<Snapshot["guide"], "reportsWaiting" | "reportsSince">;
  readonly clock: Snapshot["clock"];
  readonly at: EpochMs;
  readonly startedAt: EpochMs;
  readonly version: string;
  readonly reception?: (tunerId: TunerId) => ReceptionNow | undefined;
  readonly site?: Snapshot["site"] | undefined;
  readonly damagedFiles?: Snapshot["damagedFiles"] | undefined;
  readonly nodes?: Snapshot["nodes"] | undefined;
  readonly setAside?: Snapshot["setAside"] | undefined;
  readonly broadcastGuide?: Snapshot["broadcastGuide"] | undefined;
  readonly store?: Snapshot["store"] | undefined;
  readonly secrets?: Snapshot["secrets"] | undefined;
  readonly handedOverSecrets?: string | undefined;
  readonly space?: SpaceFacts | undefined;
  readonly power?: Snapshot["power"] | undefined;
  /** The machine wakes this long before a recording's tuner opens. */
  readonly wakeLeadMs?: DurationMs;
}

/** The state of the daemon from which everything that people see is computed. */
export function snapshotOf(parts: SnapshotParts): Snapshot {
  const {
    document,
    tuners,
    policy,
    preview,
    guide,
    clock,
    at,
    startedAt,
    version,
    reception,
    site,
    damagedFiles = [],
    nodes,
    setAside = [],
    broadcastGuide,
    store,
    secrets,
    handedOverSecrets,
    space,
    power,
    wakeLeadMs,
  } = parts;
  const recordings = Object.values(document.recordings);
  const attempts = attemptsByTuner(recordings);
  const nextWakeAt = nextWake(recordings, {
    tuners,
    now: at,
    ...(wakeLeadMs === undefined ? {} : { leadMs: wakeLeadMs }),
  });
  return {
    at,
    version,
    startedAt,
    clock,
    guide: { ...guide, ...waitingReports(document) },
    tuners: tuners.map((tuner) =>
      tunerStatus(tuner, {
        document,
        attempts: attempts.get(tuner.id) ?? [],
        at,
        reception: reception?.(tuner.id),
      }),
    ),
    recordings,
    plan: planFacts(document.recordings, { now: at, tuners, policy, preview, health: document.health }),
    ...(document.strays.length === 0 ? {} : { strays: document.strays }),
    ...withoutUndefined({ nextWakeAt, site }),
    ...(damagedFiles.length === 0 ? {} : { damagedFiles }),
    ...(nodes === undefined ? {} : { nodes }),
    ...(setAside.length === 0 ? {} : { setAside }),
    ...withoutUndefined({ broadcastGuide, store, secrets, handedOverSecrets, space, power }),
  };
}

interface TunerAttempt {
  readonly recording: Recording;
  readonly attempt: Attempt;
}

function attemptsByTuner(recordings: readonly Recording[]): ReadonlyMap<TunerId, readonly TunerAttempt[]> {
  const found = new Map<TunerId, TunerAttempt[]>();
  for (const recording of recordings) {
    for (const attempt of recording.attempts) {
      const attempts = found.get(attempt.tunerId);
      if (attempts === undefined) found.set(attempt.tunerId, [{ recording, attempt }]);
      else attempts.push({ recording, attempt });
    }
  }
  return found;
}

function waitingReports({
  outbox,
}: DaemonDocument): Pick<Snapshot["guide"], "reportsWaiting" | "reportsSince"> {
  const [oldest] = outbox;
  return { reportsWaiting: outbox.length, ...(oldest === undefined ? {} : { reportsSince: oldest.madeAt }) };
}

function tunerStatus(
  { id, kind, isDrained }: TunerFacts,
  {
    document: { leases: allLeases, health },
    attempts,
    at,
    reception,
  }: {
    readonly document: DaemonDocument;
    readonly attempts: readonly TunerAttempt[];
    readonly at: EpochMs;
    readonly reception: ReceptionNow | undefined;
  },
): TunerStatus {
  const leases = Object.values(allLeases).filter(({ tunerId }) => tunerId === id);
  const running = attempts.filter(({ attempt }) => attempt.endedAt === undefined);
  const holders = [...new Set(running.map(({ recording }) => recording))];
  const services = [...holders, ...leases].flatMap(({ service }) => (service === undefined ? [] : [service]));
  const [first] = services;
  const flows = running.some(({ attempt }) => attempt.flowingAt !== undefined);
  const trouble = latestTrouble(attempts.map(({ attempt }) => attempt));
  const dead = health.quarantine[id];
  const until = [...holders.map(({ window }) => window.stop), ...leases.map((lease) => lease.until)];
  return {
    id,
    kind,
    state: holders.length > 0 ? (flows ? "receiving" : "tuning") : leases.length > 0 ? "lent" : "free",
    services: [...new Set(services.map(tripletKey))],
    recordings: holders.map((recording) => recording.id),
    leases,
    ...(first === undefined ? {} : { multiplex: multiplexKey(first) }),
    ...(until.length === 0 ? {} : { heldUntil: Math.max(...until) }),
    // The reading may predate the release of the tuner.
    ...(first === undefined || reception === undefined ? {} : { reception }),
    ...(trouble === undefined ? {} : { trouble }),
    ...(dead === undefined
      ? {}
      : { quarantine: { since: dead.since, code: dead.code, triedAgainAt: dead.probeAt } }),
    ...(isDrained === undefined ? {} : { isDrained }),
    health: Object.values(health.pairs)
      .filter(({ tunerId }) => tunerId === id)
      .toSorted((a, b) => b.at - a.at)
      .map(({ tunerId: _own, ...pair }) => ({ ...pair, weakness: weakness({ ...pair, tunerId: id }, at) })),
  };
}

/** The failure of the latest attempt with a result on one tuner, of any recording. */
function latestTrouble(attempts: readonly Attempt[]): TunerStatus["trouble"] {
  const resultAt = ({ endedAt, flowingAt, startedAt }: Attempt) => endedAt ?? flowingAt ?? startedAt;
  const withResult = attempts.filter(
    ({ endedAt, flowingAt }) => endedAt !== undefined || flowingAt !== undefined,
  );
  const latest = withResult.reduce<Attempt | undefined>(
    (last, each) => (last === undefined || resultAt(each) >= resultAt(last) ? each : last),
    undefined,
  );
  if (latest?.cause === undefined || latest.cause === "asked") return undefined;
  return { code: latest.cause, at: resultAt(latest) };
}
