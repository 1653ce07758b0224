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

/** Gauges are set from the picture; counters count an item when it is first seen, once in a run of the daemon. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name: `recorderd_${name}`, help, labelNames: [...labelNames], registers });
  const counter = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Counter({ name: `recorderd_${name}_total`, help, labelNames: [...labelNames], registers });

  const info = gauge("info", "1, with the version of the recorder", ["version"]);
  const startTime = gauge("start_time_seconds", "When the recorder started, seconds since 1970");
  const ready = gauge(
    "ready",
    "1 while the recorder can record: the engine runs and its data folder is writable",
  );
  const clockTrusted = gauge("clock_trusted", "1 while the machine's clock is trusted");
  const recordings = gauge(
    "recordings",
    "Recordings by state, including those that ended in the last 30 days",
    ["state"],
  );
  const conflicts = gauge("conflicts", "Upcoming recordings that lose part of their event, or all of it");
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
  const tunerState = gauge("tuner_state", "1 for the tuner's current state, 0 for the others", [
    "tuner",
    "state",
  ]);
  const tunerRecordings = gauge("tuner_recordings", "Recordings that use the tuner", ["tuner"]);
  const tunerLeases = gauge("tuner_leases", "Leases of the tuner: viewers, probes and EIT gathering", [
    "tuner",
    "use",
  ]);
  const tunerQuarantined = gauge(
    "tuner_quarantined",
    "1 while the tuner does not work and the plan does not count on it",
    ["tuner"],
  );
  const tunerDrained = gauge("tuner_drained", "1 while only drained nodes of the fleet have the tuner", [
    "tuner",
  ]);
  const nodeUp = gauge("fleet_node_up", "1 while the node of the fleet runs, 0 while it is away", ["node"]);
  const nodeDrained = gauge("fleet_node_drained", "1 while the node of the fleet is drained", ["node"]);
  const tunerLocked = gauge(
    "tuner_locked",
    "1 while a tuner in use reports lock; absent if it reports nothing",
    ["tuner"],
  );
  const tunerStrength = gauge("tuner_strength_percent", "Signal strength on the tuner's own scale", [
    "tuner",
  ]);
  const tunerQuality = gauge("tuner_quality_percent", "Signal quality on the tuner's own scale", ["tuner"]);
  const tunerSnr = gauge("tuner_snr_db", "Signal to noise ratio", ["tuner"]);
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
  const diskFree = gauge("disk_free_bytes", "Free space on the disk of recordings");
  const diskTotal = gauge("disk_total_bytes", "Size of the disk of recordings");
  const diskReserved = gauge(
    "disk_reserved_bytes",
    "Space that the plan needs, including running recordings",
  );
  const diskFull = gauge(
    "disk_full_seconds",
    "Time until the disk reaches the stop mark if nothing is deleted; absent if nothing is planned",
  );
  const jobs = gauge("jobs", "Jobs on finished recordings, by state", ["state"]);

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

  function tuners(all: Snapshot["tuners"]): void {
    const perTuner = [
      tunerState,
      tunerRecordings,
      tunerLeases,
      tunerQuarantined,
      tunerDrained,
      tunerLocked,
      tunerStrength,
      tunerQuality,
      tunerSnr,
    ];
    for (const metric of perTuner) metric.reset();
    for (const { id: tuner, state: now, recordings: held, leases, quarantine, isDrained, reception } of all) {
      for (const state of TUNER_STATES) tunerState.set({ tuner, state }, Number(state === now));
      tunerRecordings.set({ tuner }, held.length);
      for (const { use } of leases) tunerLeases.inc({ tuner, use });
      tunerQuarantined.set({ tuner }, Number(quarantine !== undefined));
      tunerDrained.set({ tuner }, Number(isDrained === true));
      if (reception === undefined) continue;
      const { isLocked, strengthPercent, qualityPercent, snrDb } = reception;
      if (isLocked !== undefined) tunerLocked.set({ tuner }, Number(isLocked));
      if (strengthPercent !== undefined) tunerStrength.set({ tuner }, strengthPercent);
      if (qualityPercent !== undefined) tunerQuality.set({ tuner }, qualityPercent);
      if (snrDb !== undefined) tunerSnr.set({ tuner }, snrDb);
    }
  }

  function fleet(nodes: NonNullable<Snapshot["nodes"]>): void {
    nodeUp.reset();
    nodeDrained.reset();
    for (const { name: node, state, isDrained } of nodes) {
      nodeUp.set({ node }, Number(state !== "away"));
      nodeDrained.set({ node }, Number(isDrained));
    }
  }

  function guide({ guide: { lastGoodAt, failure, quarantine, ...reports }, at }: Snapshot): void {
    reportsWaiting.set(reports.reportsWaiting);
    reportsAge.set(reports.reportsSince === undefined ? 0 : Math.max(0, at - reports.reportsSince) / SECOND);
    syncAge.remove();
    if (lastGoodAt !== undefined) syncAge.set(Math.max(0, at - lastGoodAt) / SECOND);
    syncFailing.reset();
    if (failure !== undefined) syncFailing.set({ code: failure.code }, 1);
    listQuarantined.set(Number(quarantine !== undefined));
  }

  function disk({ space, at }: Snapshot): void {
    for (const metric of [diskFree, diskTotal, diskReserved, diskFull]) metric.remove();
    if (space === undefined) return;
    diskFree.set(space.freeBytes);
    diskTotal.set(space.totalBytes);
    diskReserved.set(space.reservedBytes);
    if (space.fills !== undefined) diskFull.set(Math.max(0, space.fills.at - at) / SECOND);
  }

  return {
    text: async ({ snapshot, jobs: work, isReady }) => {
      info.set({ version: snapshot.version }, 1);
      startTime.set(snapshot.startedAt / SECOND);
      ready.set(Number(isReady));
      clockTrusted.set(Number(snapshot.clock.trusted));
      for (const state of STATES) {
        recordings.set({ state }, snapshot.recordings.filter((each) => each.state === state).length);
      }
      fleet(snapshot.nodes ?? []);
      conflicts.set(snapshot.plan.conflicts.length);
      for (const recording of snapshot.recordings) count(recording, snapshot.startedAt);
      counted = seen;
      seen = new Set();
      tuners(snapshot.tuners);
      guide(snapshot);
      disk(snapshot);
      for (const state of JOB_STATES) jobs.set({ state }, work.filter((job) => job.state === state).length);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
