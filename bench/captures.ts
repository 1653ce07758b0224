import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { BroadcasterFigures } from "./capture/broadcaster-child.ts";
import { type Contender, contenders, pauseMs } from "./capture/contenders.ts";
import { makeLoopFile } from "./capture/loop.ts";
import { cpuSecondsOf, proportionalBytesOf } from "./capture/usage.ts";
import { type Benchmark, type Case, type Measures, ms, quantile } from "./harness.ts";

const CHILD = join(import.meta.dirname, "capture/broadcaster-child.js");
/** Probing, first writes and the like are over then. */
const SETTLE_SECONDS = 8;

export interface CaptureBenchmarkOptions {
  /** How many recordings at once. */
  readonly recordings: readonly number[];
  /** How long they are measured. */
  readonly seconds: number;
  /** The names of those that take part, all when there are none; the first of them is held against each of the others. */
  readonly contenders: readonly string[];
}

/**
 * The cost of recordings of 8 Mbit/s each over HTTP on loopback, next to bare programs that do nothing else. All processes
 * of a contender count, its children too; the broadcaster, a process of its own, does not.
 */
export function capturesBenchmark({
  recordings,
  seconds,
  contenders: names,
}: CaptureBenchmarkOptions): Benchmark {
  return {
    name: "captures",
    onlyWhenNamed: true,
    settles: true,
    open: async (folder) => {
      const taking = contenders().filter(({ name }) => names.length === 0 || names.includes(name));
      if (taking.length < Math.max(1, names.length)) {
        throw new Error(
          `contenders: ${contenders()
            .map(({ name }) => name)
            .join("; ")}`,
        );
      }
      const file = join(folder, "service.ts");
      await makeLoopFile(file, new AbortController().signal);
      const broadcaster = fork(CHILD, [file]);
      const [port] = (await once(broadcaster, "message")) as [number];
      const cases = recordings.flatMap((count) =>
        taking.map((contender): Case => {
          const urls = Array.from({ length: count }, (_, nth) => `http://127.0.0.1:${port}/${nth}`);
          return {
            name: `${contender.name} × ${count}`,
            run: () => cost(contender, { broadcaster, folder, urls, seconds }),
          };
        }),
      );
      return {
        cases,
        ratios: recordings.flatMap((count) =>
          taking.slice(1).map(({ name }) => ({
            over: `${taking[0]?.name} × ${count}`,
            under: `${name} × ${count}`,
            measures: ["cpu", "memory"],
          })),
        ),
        [Symbol.asyncDispose]: async () => {
          broadcaster.disconnect();
          await once(broadcaster, "exit");
        },
      };
    },
  };
}

async function cost(
  contender: Contender,
  {
    broadcaster,
    folder,
    urls,
    seconds,
  }: {
    readonly broadcaster: ChildProcess;
    readonly folder: string;
    readonly urls: readonly string[];
    readonly seconds: number;
  },
): Promise<Measures> {
  await figuresOf(broadcaster);
  const running = await contender.start({ folder, urls, seconds: SETTLE_SECONDS + seconds + 2 });
  await pauseMs(SETTLE_SECONDS * 1000);
  const processes = running.processes();
  const cpu = () => processes.map(cpuSecondsOf);
  const [before, from] = [cpu(), performance.now()];
  await pauseMs(seconds * 1000);
  const [after, to] = [cpu(), performance.now()];
  const memory = processes.map(proportionalBytesOf);
  const { supervisor } = running;
  const ownBytes = supervisor === undefined ? 0 : proportionalBytesOf(supervisor);
  const recorded = await running.end();
  const { latestMs, behindBytes } = await figuresOf(broadcaster);
  const spent = after.map((seconds_, index) => seconds_ - (before[index] ?? 0));
  const minutes = (to - from) / 60_000;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    cpu: { value: sum(spent) / minutes / urls.length, unit: "s/min" },
    memory: { value: sum(memory) / 1e6, unit: "MB" },
    ...(supervisor === undefined
      ? {}
      : {
          "daemon, cpu": {
            value: (100 * (spent[processes.indexOf(supervisor)] ?? 0)) / (minutes * 60),
            unit: "% of a core",
          },
          "daemon, memory": { value: ownBytes / 1e6, unit: "MB" },
        }),
    "first byte": ms(quantile(recorded.firstByteMs, 0.5)),
    "first byte, latest": ms(quantile(recorded.firstByteMs, 1)),
    "continuity errors": { value: recorded.continuityErrors, unit: "" },
    damaged: { value: recorded.damaged, unit: "recordings" },
    "broadcaster late": ms(latestMs),
    "broadcaster behind": { value: behindBytes / 1e6, unit: "MB" },
  };
}

/** What the broadcaster has to say since it was asked last. */
async function figuresOf(broadcaster: ChildProcess): Promise<BroadcasterFigures> {
  const answer = once(broadcaster, "message");
  broadcaster.send("figures");
  const [figures] = (await answer) as [BroadcasterFigures];
  return figures;
}
