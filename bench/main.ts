// npm run bench [-- [OPTION]… [NAME]…]
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { tableText } from "../src/cli/table.ts";
import { VERSION } from "../src/kit/version.ts";
import { capturesBenchmark } from "./captures.ts";
import { channelListBenchmark } from "./channel-list.ts";
import { commitBenchmark } from "./commit.ts";
import { dashboardBenchmark } from "./dashboard.ts";
import { decideBenchmark } from "./decide.ts";
import { flashBenchmark } from "./flash.ts";
import { fleetBenchmark } from "./fleet.ts";
import { guideScaleBenchmark } from "./guide-scale.ts";
import { guideServerBenchmark } from "./guide-server.ts";
import { guideYearBenchmark } from "./guide-year.ts";
import { type Benchmark, measured, type Progress } from "./harness.ts";
import { idleBenchmark } from "./idle.ts";
import { inspectionBenchmark } from "./inspection.ts";
import { planningBenchmark } from "./planning.ts";
import { profileBenchmark } from "./profile.ts";
import { rulesBenchmark } from "./rules.ts";
import { simulatorBenchmark } from "./simulator.ts";
import { stallsBenchmark } from "./stalls.ts";
import { timerListBenchmark } from "./timer-list.ts";
import { viewersBenchmark } from "./viewers.ts";
import { watchBenchmark } from "./watch.ts";
import { xmltvBenchmark } from "./xmltv.ts";

const { values: flags, positionals } = readArguments({
  options: {
    json: { type: "boolean", default: false },
    /** Gets the figures as JSON, anew after each case: a run that is broken off has not been for nothing. */
    save: { type: "string" },
    rounds: { type: "string", default: "7" },
    /** The folder of written files: the disk matters for commits. */
    folder: { type: "string", default: tmpdir() },
    /** Options of `captures`: simultaneous recordings (also for `stalls`), and (also for `idle` and `flash`) the duration. */
    recordings: { type: "string", default: "1,4,8,16,32,64" },
    seconds: { type: "string", default: "60" },
    /** Option of `captures`: only these contenders; all if absent. */
    contender: { type: "string", multiple: true, default: [] },
    /** Options of `guide-scale`: the database (postgres or sqlite), and the numbers of accounts and of recorders that wait for changes. */
    engine: { type: "string", default: "postgres" },
    accounts: { type: "string", default: "200000" },
    streams: { type: "string", default: "10000" },
    /** Option of `dashboard`: a checkout of another version, in which `npm run build` and `npm run bench -- dashboard` have run. */
    against: { type: "string" },
    /** Option of `profile`: the output folder. */
    profiles: { type: "string" },
  },
  allowPositionals: true,
});
const rounds = Number(flags.rounds);
const seconds = Number(flags.seconds);
const accounts = Number(flags.accounts);
const streams = Number(flags.streams);
const recordings = flags.recordings.split(",").map(Number);
const BENCHMARKS: readonly Benchmark[] = [
  timerListBenchmark,
  guideServerBenchmark,
  inspectionBenchmark,
  channelListBenchmark,
  commitBenchmark,
  decideBenchmark,
  planningBenchmark,
  simulatorBenchmark,
  fleetBenchmark,
  xmltvBenchmark,
  guideYearBenchmark,
  guideScaleBenchmark({ engine: flags.engine, accounts, streams, seconds, told }),
  rulesBenchmark,
  dashboardBenchmark({ against: flags.against }),
  idleBenchmark({ seconds }),
  flashBenchmark({ seconds }),
  stallsBenchmark({ recordings }),
  ...(["http", "udp", "multiplex"] as const).map((way) =>
    capturesBenchmark({ recordings, seconds, way, contenders: flags.contender }),
  ),
  profileBenchmark({ recordings, seconds, profiles: flags.profiles }),
  viewersBenchmark({ seconds, profiles: flags.profiles }),
  watchBenchmark({ seconds }),
];
const unknown = positionals.filter((name) => BENCHMARKS.every((each) => each.name !== name));
const numbers = [rounds, seconds, accounts, streams, ...recordings];
if (unknown.length > 0)
  endWithUsage(
    `there is no benchmark ${unknown.join(", ")}: choose of ${BENCHMARKS.map(({ name }) => name).join(", ")}`,
  );
if (!numbers.every((each) => Number.isInteger(each) && each >= 1))
  endWithUsage("rounds, recordings, seconds, accounts and streams are whole numbers from 1 on");

const machine = {
  recorderd: VERSION,
  node: process.version,
  cores: cpus().length,
  processor: cpus()[0]?.model.trim() ?? "unknown",
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${release()}`,
};
let done: Progress = { results: [], notes: [] };
for (const benchmark of BENCHMARKS) {
  const named = positionals.includes(benchmark.name);
  if (!named && (positionals.length > 0 || benchmark.onlyWhenNamed === true)) continue;
  process.stderr.write(`${benchmark.name} …\n`);
  const before = done;
  const folder = await mkdtemp(join(flags.folder, "recorderd-bench-"));
  const found = async ({ results, notes }: Progress) => {
    done = { results: [...before.results, ...results], notes: [...before.notes, ...notes] };
    if (flags.save !== undefined) await writeFile(flags.save, json());
  };
  try {
    await measured(benchmark, { folder, rounds, told, found });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
process.stdout.write(flags.json ? json() : `${text()}\n`);

function readArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    return endWithUsage(error instanceof Error ? error.message : String(error));
  }
}

function endWithUsage(mistake: string): never {
  process.stderr.write(
    `${mistake}\nusage: npm run bench -- [--json] [--save FILE] [--rounds N] [--folder DIR] [--recordings N,N…] [--seconds N] [--engine NAME] [--accounts N] [--streams N] [--contender NAME]… [--against DIR] [--profiles DIR] [NAME…]\n`,
  );
  process.exit(2);
}

function json(): string {
  return `${JSON.stringify({ machine, ...done }, null, 2)}\n`;
}

function told(what: string): void {
  process.stderr.write(`  ${new Date().toISOString()} ${what}\n`);
}

function text(): string {
  const { recorderd, node, cores, processor, memoryGiB, system } = machine;
  const about = `recorderd ${recorderd}, Node.js ${node}, ${cores} cores (${processor}), ${memoryGiB} GiB, ${system}; ${rounds} rounds`;
  const rows = done.results.map((each) => [
    each.benchmark,
    each.case,
    each.measure,
    ...[each.min, each.median, each.max].map(figure),
    each.unit,
  ]);
  const head = ["benchmark", "case", "measure", "min", "median", "max", "unit"];
  return [about, "", tableText({ head, rows }, undefined), ...done.notes].join("\n");
}

/** Three figures that mean something. */
function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
