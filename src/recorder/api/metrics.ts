import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { attemptId } from "../../model/attempt.ts";
import type { JobView } from "../../model/job.ts";
import { isTerminal, RECORDING_MOVES, type Recording } from "../../model/recording.ts";
import type { Snapshot, TunerStatus } from "../../model/snapshot.ts";
import { SECOND } from "../../model/time.ts";

/** Metrics in the Prometheus text format; docs/dev/metrics.md describes each. */
export interface Metrics {
  /** Reads the latest picture and writes all metrics. */
  text(seen: MetricsInput): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface MetricsInput {
  readonly snapshot: Snapshot;
  readonly jobs: readonly JobView[];
  readonly isReady: boolean;
}

const STATES = Object.keys(RECORDING_MOVES);
const TUNER_STATES: readonly TunerStatus["state"][] = ["free", "tuning", "receiving", "lent"];
const JOB_STATES: readonly JobView["state"][] = ["waiting", "running", "done", "failed"];

/** Makes gauges and counters of one registry. */
interface Makers {
  readonly registers: Registry[];
  gauge(name: string, help: string, labelNames?: readonly string[]): Gauge;
  counter(name: string, help: string, labelNames?: readonly string[]): Counter;
}

/** Sets its gauges, or counts what is new, from the latest picture. */
type Update = (seen: MetricsInput) => void;

/** Gauges are set from the picture; counters count an item when it is first seen, once in a run of the daemon. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const makers: Makers = {
    registers,
    gauge: (name, help, labelNames = []) =>
      new Gauge({ name: `recorderd_${name}`, help, labelNames: [...labelNames], registers }),
    counter: (name, help, labelNames = []) =>
      new Counter({ name: `recorderd_${name}_total`, help, labelNames: [...labelNames], registers }),
  };
  const groups = [ofRecorder, ofPlan, ofEnds, ofTuners, ofFleet, ofGuide, ofDisk, ofJobs];
  const updates = groups.map((group) => group(makers));
  return {
    text: async (seen) => {
      for (const update of updates) update(seen);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function ofRecorder({ gauge }: Makers): Update {
  const info = gauge("info", "1, with the version of the recorder", ["version"]);
  const startTime = gauge("start_time_seconds", "When the recorder started, seconds since 1970");
  const ready = gauge(
    "ready",
    "1 while the recorder can record: the engine runs and its data folder is writable",
  );
  const clockTrusted = gauge("clock_trusted", "1 while the machine's clock is trusted");
  return ({ snapshot, isReady }) => {
    info.set({ version: snapshot.version }, 1);
    startTime.set(snapshot.startedAt / SECOND);
    ready.set(Number(isReady));
    clockTrusted.set(Number(snapshot.clock.trusted));
  };
}

function ofPlan({ gauge }: Makers): Update {
  const recordings = gauge(
    "recordings",
    "Recordings by state, including those that ended in the last 30 days",
    ["state"],
  );
  const conflicts = gauge("conflicts", "Upcoming recordings that lose part of their event, or all of it");
  return ({ snapshot }) => {
    for (const state of STATES) {
      recordings.set({ state }, snapshot.recordings.filter((each) => each.state === state).length);
    }
    conflicts.set(snapshot.plan.conflicts.length);
  };
}

function ofEnds({ counter, registers }: Makers): Update {
  const ended = counter(
    "recordings_ended",
    "Ended recordings, by state and verdict (none: there is no file to judge)",
    ["state", "verdict"],
  );
  const missed = counter("recordings_missed", "Recordings whose window passed without an attempt");
  const firstPayload = new Histogram({
    name: "recorderd_first_payload_seconds",
    help: "Time from the start of an attempt to its first payload on disk",
    buckets: [0.25, 0.5, 1, 2, 3, 5, 8, 12, 20],
    registers,
  });
  const attemptsFailed = counter("attempts_failed", "Attempts that failed, by error code", ["code"]);
  const continuityErrors = counter("continuity_errors", "Continuity errors in ended recordings");
  const transportErrors = counter(
    "transport_errors",
    "Packets in ended recordings that the receiver marked as damaged",
  );
  const recordedBytes = counter("recorded_bytes", "Bytes in ended recordings");
  /** Counted items that the picture still contains. */
  let counted: ReadonlySet<string> = new Set();
  let seen = new Set<string>();
  const isNews = (key: string) => {
    seen.add(key);
    return !counted.has(key);
  };

  function count(recording: Recording, since: number): void {
    const { id, state, evidence, endedAt = 0, attempts } = recording;
    for (const { number, startedAt, flowingAt, endedAt: over, cause } of attempts) {
      const name = attemptId(id, number);
      if (flowingAt !== undefined && isNews(`${name} flows`) && flowingAt >= since) {
        firstPayload.observe(Math.max(0, flowingAt - startedAt) / SECOND);
      }
      if (over !== undefined && isNews(`${name} ended`) && over >= since && cause !== "asked") {
        attemptsFailed.inc({ code: cause ?? "none" });
      }
    }
    if (!isTerminal(state) || !isNews(id) || endedAt < since) return;
    ended.inc({ state, verdict: evidence?.verdict ?? "none" });
    if (state === "missed") missed.inc();
    continuityErrors.inc(evidence?.continuityErrors ?? 0);
    transportErrors.inc(evidence?.transportErrors ?? 0);
    recordedBytes.inc(evidence?.bytes ?? 0);
  }

  return ({ snapshot }) => {
    for (const recording of snapshot.recordings) count(recording, snapshot.startedAt);
    counted = seen;
    seen = new Set();
  };
}

function ofTuners({ gauge }: Makers): Update {
  const perTuner = (name: string, help: string, ...labelNames: readonly string[]) =>
    gauge(`tuner_${name}`, help, ["tuner", ...labelNames]);
  const metrics = {
    state: perTuner("state", "1 for the tuner's current state, 0 for the others", "state"),
    recordings: perTuner("recordings", "Recordings that use the tuner"),
    leases: perTuner("leases", "Leases of the tuner: viewers, probes and EIT gathering", "use"),
    quarantined: perTuner("quarantined", "1 while the tuner does not work and the plan does not count on it"),
    drained: perTuner("drained", "1 while only drained nodes of the fleet have the tuner"),
    locked: perTuner("locked", "1 while a tuner in use reports lock; absent if it reports nothing"),
    strength: perTuner("strength_percent", "Signal strength on the tuner's own scale"),
    quality: perTuner("quality_percent", "Signal quality on the tuner's own scale"),
    snr: perTuner("snr_db", "Signal to noise ratio"),
  };

  function set({ id: tuner, ...now }: TunerStatus): void {
    for (const state of TUNER_STATES) metrics.state.set({ tuner, state }, Number(state === now.state));
    metrics.recordings.set({ tuner }, now.recordings.length);
    for (const { use } of now.leases) metrics.leases.inc({ tuner, use });
    metrics.quarantined.set({ tuner }, Number(now.quarantine !== undefined));
    metrics.drained.set({ tuner }, Number(now.isDrained === true));
    const { isLocked, strengthPercent, qualityPercent, snrDb } = now.reception ?? {};
    if (isLocked !== undefined) metrics.locked.set({ tuner }, Number(isLocked));
    if (strengthPercent !== undefined) metrics.strength.set({ tuner }, strengthPercent);
    if (qualityPercent !== undefined) metrics.quality.set({ tuner }, qualityPercent);
    if (snrDb !== undefined) metrics.snr.set({ tuner }, snrDb);
  }

  return ({ snapshot }) => {
    for (const metric of Object.values(metrics)) metric.reset();
    for (const tuner of snapshot.tuners) set(tuner);
  };
}

function ofFleet({ gauge }: Makers): Update {
  const up = gauge("fleet_node_up", "1 while the node of the fleet runs, 0 while it is away", ["node"]);
  const drained = gauge("fleet_node_drained", "1 while the node of the fleet is drained", ["node"]);
  return ({ snapshot: { nodes = [] } }) => {
    up.reset();
    drained.reset();
    for (const { name: node, state, isDrained } of nodes) {
      up.set({ node }, Number(state !== "away"));
      drained.set({ node }, Number(isDrained));
    }
  };
}

function ofGuide({ gauge }: Makers): Update {
  const reportsWaiting = gauge("reports_waiting", "Reports not yet delivered to the guide service");
  const reportsAge = gauge(
    "reports_oldest_seconds",
    "Age of the oldest undelivered report; 0 if there is none",
  );
  const syncAge = gauge(
    "sync_age_seconds",
    "Time since the guide service last listed its timers; absent until its first list after a start",
  );
  const syncFailing = gauge(
    "sync_failing",
    "1, with the error code, while the guide service cannot be used",
    ["code"],
  );
  const listQuarantined = gauge(
    "timer_list_quarantined",
    "1 while the service's timer list is a short list, as it lacks too many timers",
  );
  return ({ snapshot: { guide, at } }) => {
    const { lastGoodAt, failure, quarantine, reportsSince } = guide;
    reportsWaiting.set(guide.reportsWaiting);
    reportsAge.set(reportsSince === undefined ? 0 : Math.max(0, at - reportsSince) / SECOND);
    syncAge.remove();
    if (lastGoodAt !== undefined) syncAge.set(Math.max(0, at - lastGoodAt) / SECOND);
    syncFailing.reset();
    if (failure !== undefined) syncFailing.set({ code: failure.code }, 1);
    listQuarantined.set(Number(quarantine !== undefined));
  };
}

function ofDisk({ gauge }: Makers): Update {
  const free = gauge("disk_free_bytes", "Free space on the disk of recordings");
  const total = gauge("disk_total_bytes", "Size of the disk of recordings");
  const reserved = gauge("disk_reserved_bytes", "Space that the plan needs, including running recordings");
  const full = gauge(
    "disk_full_seconds",
    "Time until the disk reaches the stop mark if nothing is deleted; absent if nothing is planned",
  );
  return ({ snapshot: { space, at } }) => {
    for (const metric of [free, total, reserved, full]) metric.remove();
    if (space === undefined) return;
    free.set(space.freeBytes);
    total.set(space.totalBytes);
    reserved.set(space.reservedBytes);
    if (space.fills !== undefined) full.set(Math.max(0, space.fills.at - at) / SECOND);
  };
}

function ofJobs({ gauge }: Makers): Update {
  const jobs = gauge("jobs", "Jobs on finished recordings, by state", ["state"]);
  return (seen) => {
    for (const state of JOB_STATES)
      jobs.set({ state }, seen.jobs.filter((job) => job.state === state).length);
  };
}
