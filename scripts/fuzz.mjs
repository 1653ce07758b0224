// npm run fuzz [target …] [-- --seconds N] [--seed N]: looks for inputs that break a law or a budget of test/fuzz/targets.
// Findings go into test/fuzz/corpus, and test/fuzz/replay.test.ts replays them from then on. CONTRIBUTING.md says more.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { rolldown } from "rolldown";
import { countingBranches } from "./fuzz-instrument.mjs";

const OUT = "build/fuzz";
const FOUND = "test/fuzz/corpus";
/** Our code, and the packages that read what others wrote. */
const COUNTED = /\/src\/|\/node_modules\/(fast-xml-parser|saxes|yaml)\//;
/** One input has so long, and a worker so much memory, before it counts as hanging or bloated. */
const HANG_MS = 20_000;
const RSS_BYTES = 1024 ** 3;
const LOOK_MS = 200;
const INPUT_BYTES = 1024 * 1024;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now()) },
  },
});

const modules = await bundle();
const { TARGETS } = await import(join(process.cwd(), OUT, "targets.js"));
const names = TARGETS.map(({ name }) => name);
const wanted = positionals.length === 0 ? names : positionals;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`No target ${unknown.join(", ")}. There are: ${names.join(", ")}.`);
  process.exit(2);
}
let findings = 0;
for (const target of wanted) if (!(await fuzzed(target))) findings += 1;
process.exitCode = findings === 0 ? 0 : 1;

async function bundle() {
  let counted = [];
  const build = await rolldown({
    input: { targets: "test/fuzz/targets.ts", worker: "test/fuzz/engine/worker.ts" },
    platform: "node",
    external: [
      "highs",
      "node-sqlite3-wasm",
      "fluent-ffmpeg",
      "mqtt",
      "nodemailer",
      "web-push",
      "pino",
      "undici",
      "zod",
    ],
    logLevel: "warn",
    plugins: [countingBranches(COUNTED, (all) => (counted = all))],
  });
  await build.write({ dir: OUT, preserveModules: true, entryFileNames: "[name].js", cleanDir: true });
  return counted;
}

/** @returns whether nothing was found */
async function fuzzed(target) {
  const shared = { input: new SharedArrayBuffer(INPUT_BYTES), state: new SharedArrayBuffer(12) };
  const state = new Int32Array(shared.state);
  const kept = join("build/fuzz-corpus", target);
  const found = join(FOUND, target);
  const worker = new Worker(join(process.cwd(), OUT, "worker.js"), {
    workerData: {
      target,
      modules,
      seed: Number(values.seed),
      shared,
      folders: existsSync(found) ? [kept, found] : [kept],
    },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const endsAt = Date.now() + Number(values.seconds) * 1000;
  let runs = -1;
  let movedAt = Date.now();
  const explored = await new Promise((resolve) => {
    const ended = (explored) => {
      clearInterval(watch);
      resolve(explored);
    };
    const broken = (reason) => {
      const input = new Uint8Array(shared.input).slice(0, state[0]);
      ended({ runs: state[1], branches: 0, inputs: 0, slowestMs: 0, finding: { input, reason } });
      worker.terminate();
    };
    const watch = setInterval(() => {
      const now = Date.now();
      if (state[1] !== runs) [runs, movedAt] = [state[1], now];
      if (now >= endsAt) Atomics.store(state, 2, 1);
      if (now - movedAt > HANG_MS) broken(`does not end within ${HANG_MS} ms`);
      else if (process.memoryUsage.rss() > RSS_BYTES)
        broken(`makes the process larger than ${RSS_BYTES} bytes`);
    }, LOOK_MS);
    worker.once("message", ended);
    worker.once("error", (error) => broken(String(error.stack ?? error)));
  });
  await worker.terminate();
  tell(target, explored);
  return explored.finding === undefined;
}

function tell(target, { runs, branches, inputs, slowestMs, finding }) {
  const figures = `${runs} inputs, ${branches} branches, ${inputs} kept, slowest ${slowestMs.toFixed(1)} ms`;
  console.log(`${target}: ${figures}`);
  if (finding === undefined) return;
  const folder = join(FOUND, target);
  const name = createHash("sha256").update(finding.input).digest("hex").slice(0, 16);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), finding.input);
  console.log(`${target}: FOUND ${join(folder, name)} (${finding.input.length} bytes): ${finding.reason}`);
}
