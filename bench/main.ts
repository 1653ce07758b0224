// npm run bench [-- [--json] [--rounds N] [--folder DIR] [--recordings N,N…] [--seconds N] [--contender NAME]… [NAME…]]
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { tableText } from "../src/cli/table.ts";
import { VERSION } from "../src/version.ts";
import { capturesBenchmark } from "./captures.ts";
import { channelListBenchmark } from "./channel-list.ts";
import { commitBenchmark } from "./commit.ts";
import { dashboardBenchmark } from "./dashboard.ts";
import { decideBenchmark } from "./decide.ts";
import { guideServerBenchmark } from "./guide-server.ts";
import { type Benchmark, measured, type Result } from "./harness.ts";
import { idleBenchmark } from "./idle.ts";
import { inspectionBenchmark } from "./inspection.ts";
import { planningBenchmark } from "./planning.ts";
import { timerListBenchmark } from "./timer-list.ts";
import { xmltvBenchmark } from "./xmltv.ts";

const { values: flags, positionals } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    rounds: { type: "string", default: "7" },
    /** Where files are written: which disk it is matters for commits. */
    folder: { type: "string", default: tmpdir() },
    /** Of `captures`: how many at once; of that and `idle`, for how long. */
    recordings: { type: "string", default: "1,4,8,16,32,64" },
    seconds: { type: "string", default: "60" },
    /** Of `captures`: these alone, all without. */
    contender: { type: "string", multiple: true, default: [] },
  },
  allowPositionals: true,
});
const rounds = Number(flags.rounds);
const seconds = Number(flags.seconds);
const recordings = flags.recordings.split(",").map(Number);
const BENCHMARKS: readonly Benchmark[] = [
  timerListBenchmark,
  guideServerBenchmark,
  inspectionBenchmark,
  channelListBenchmark,
  commitBenchmark,
  decideBenchmark,
  planningBenchmark,
  xmltvBenchmark,
  dashboardBenchmark,
  idleBenchmark({ seconds }),
  capturesBenchmark({ recordings, seconds, contenders: flags.contender }),
];
const unknown = positionals.filter((name) => BENCHMARKS.every((each) => each.name !== name));
const numbers = [rounds, seconds, ...recordings];
if (unknown.length > 0 || !numbers.every((each) => Number.isInteger(each) && each >= 1)) {
  const names = BENCHMARKS.map(({ name }) => name).join(", ");
  process.stderr.write(
    `usage: npm run bench -- [--json] [--rounds N] [--folder DIR] [--recordings N,N…] [--seconds N] [--contender NAME]… [NAME…]\nnames: ${names}\n`,
  );
  process.exit(2);
}

const results: Result[] = [];
for (const benchmark of BENCHMARKS) {
  const named = positionals.includes(benchmark.name);
  if (!named && (positionals.length > 0 || benchmark.onlyWhenNamed === true)) continue;
  process.stderr.write(`${benchmark.name} …\n`);
  const folder = await mkdtemp(join(flags.folder, "recorderd-bench-"));
  try {
    results.push(...(await measured(benchmark, { folder, rounds, told })));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const machine = {
  recorderd: VERSION,
  node: process.version,
  cores: cpus().length,
  processor: cpus()[0]?.model.trim() ?? "unknown",
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${release()}`,
};
process.stdout.write(flags.json ? `${JSON.stringify({ machine, results }, null, 2)}\n` : `${text()}\n`);

function told(caseName: string): void {
  process.stderr.write(`  ${new Date().toISOString()} ${caseName}\n`);
}

function text(): string {
  const { recorderd, node, cores, processor, memoryGiB, system } = machine;
  const about = `recorderd ${recorderd}, Node.js ${node}, ${cores} cores (${processor}), ${memoryGiB} GiB, ${system}; ${rounds} rounds`;
  const rows = results.map((each) => [
    each.benchmark,
    each.case,
    each.measure,
    ...[each.min, each.median, each.max].map(figure),
    each.unit,
  ]);
  const head = ["benchmark", "case", "measure", "min", "median", "max", "unit"];
  return `${about}\n\n${tableText({ head, rows }, undefined)}`;
}

/** Three figures that mean something. */
function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
