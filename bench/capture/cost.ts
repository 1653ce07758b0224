import { type Measures, ms, quantile } from "../harness.ts";
import type { Broadcaster, Way } from "./broadcast.ts";
import type { BroadcasterFigures } from "./broadcaster-child.ts";
import { type Contender, pauseMs, type Recorded, type Running } from "./contender.ts";
import { cpuSecondsOf, proportionalBytesOf } from "./usage.ts";

/** Probing, first writes and the like are over then. */
const SETTLE_SECONDS = 8;
/** Longer runs also measure memory at this moment, which shows growth. */
const EARLY_SECONDS = 120;

export interface CostOrder {
  readonly broadcaster: Broadcaster;
  readonly way: Way;
  readonly folder: string;
  readonly count: number;
  readonly seconds: number;
}

/** The cost of this many simultaneous recordings, and their results. */
export async function costOf(
  contender: Contender,
  { broadcaster, way, folder, count, seconds }: CostOrder,
): Promise<Measures> {
  await broadcaster.figures();
  const recordedSeconds = SETTLE_SECONDS + seconds + 2;
  const running = await contender.start({
    folder,
    ...broadcaster.send(way, count),
    seconds: recordedSeconds,
  });
  await pauseMs(SETTLE_SECONDS * 1000);
  const usage = await used(running, seconds);
  const recorded = await running.end();
  const broadcast = await broadcaster.figures();
  const closing = closingCost(recorded, (count * recordedSeconds) / 60);
  return { ...inParts(usage, count), ...closing, ...outcome(recorded), ...lateness(broadcast) };
}

/** Totals over all processes. */
interface Share {
  readonly cpuSeconds: number;
  readonly bytes: number;
}

interface Usage {
  readonly minutes: number;
  readonly all: Share;
  /** The share of the supervising process. */
  readonly supervisor: Share | undefined;
  readonly earlyBytes: number | undefined;
}

async function used({ processes, supervisor }: Running, seconds: number): Promise<Usage> {
  const pids = processes();
  const cpu = () => new Map(pids.map((pid) => [pid, cpuSecondsOf(pid)]));
  const bytesOfAll = () => pids.reduce((sum, pid) => sum + proportionalBytesOf(pid), 0);
  const [before, from] = [cpu(), performance.now()];
  const early = Math.min(seconds, EARLY_SECONDS);
  await pauseMs(early * 1000);
  const earlyBytes = early < seconds ? bytesOfAll() : undefined;
  await pauseMs((seconds - early) * 1000);
  const [after, to] = [cpu(), performance.now()];
  const spent = (pid: number) => (after.get(pid) ?? 0) - (before.get(pid) ?? 0);
  return {
    minutes: (to - from) / 60_000,
    all: { cpuSeconds: pids.reduce((sum, pid) => sum + spent(pid), 0), bytes: bytesOfAll() },
    supervisor:
      supervisor === undefined
        ? undefined
        : { cpuSeconds: spent(supervisor), bytes: proportionalBytesOf(supervisor) },
    earlyBytes,
  };
}

function inParts({ minutes, all, supervisor, earlyBytes }: Usage, recordings: number): Measures {
  const cpu = (seconds: number) => ({ value: seconds / minutes / recordings, unit: "s/min" });
  const memory = (bytes: number) => ({ value: bytes / 1e6, unit: "MB" });
  return {
    cpu: cpu(all.cpuSeconds),
    ...(supervisor === undefined
      ? {}
      : {
          "daemon, cpu": cpu(supervisor.cpuSeconds),
          "captures, cpu": cpu(all.cpuSeconds - supervisor.cpuSeconds),
        }),
    memory: memory(all.bytes),
    ...(earlyBytes === undefined ? {} : { [`memory after ${EARLY_SECONDS} s`]: memory(earlyBytes) }),
    ...(supervisor === undefined
      ? {}
      : {
          "daemon, memory": memory(supervisor.bytes),
          "captures, memory": memory(all.bytes - supervisor.bytes),
        }),
  };
}

/** Like `cpu`: for each minute of each recording. A part of it does not depend on a recording's length. */
function closingCost({ closingSeconds }: Recorded, minutes: number): Measures {
  if (closingSeconds === undefined) return {};
  return { "closing, cpu": { value: closingSeconds / minutes, unit: "s/min" } };
}

function outcome({ firstByteMs, continuityErrors, damaged, lostBytes, margins }: Recorded): Measures {
  const least = (values: readonly number[]) => ms(Math.min(...values));
  return {
    "first byte": ms(quantile(firstByteMs, 0.5)),
    "first byte, latest": ms(quantile(firstByteMs, 1)),
    "continuity errors": { value: continuityErrors, unit: "" },
    damaged: { value: damaged, unit: "recordings" },
    ...(lostBytes === undefined ? {} : { lost: { value: lostBytes, unit: "bytes" } }),
    ...(margins === undefined
      ? {}
      : {
          "begins before its start, least": least(margins.map(({ startMs }) => startMs)),
          "ends behind its end, least": least(margins.map(({ endMs }) => endMs)),
        }),
  };
}

function lateness({ lateMs, latestMs, behindBytes, cpuShare }: BroadcasterFigures): Measures {
  return {
    "broadcaster late, p99": ms(lateMs),
    "broadcaster late": ms(latestMs),
    "broadcaster, cpu": { value: 100 * cpuShare, unit: "% of a core" },
    "broadcaster behind": { value: behindBytes / 1e6, unit: "MB" },
  };
}
