// npm run test:nodes [-- VERSION …]: the main job and the quick tests with each Node.js that recorderd runs on, which npm's package
// `node` has. Says of each what was tested, and ends with 1 where something failed; what was said is in build/nodes.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The oldest there may be, and the newest of each line that gets long support. */
const VERSIONS = ["20.19", "22", "24", "26"];
const QUICK = ["model", "recorder/plan", "recorder/engine", "kit"].map((folder) => `test/${folder}/`);
const MAIN_JOB = ["daemon", "bundle", "simulator", "start"].map((name) => `test/main-job/${name}.test.ts`);

process.chdir(dirname(import.meta.dirname));
// vitest runs what is left when one of several names matches nothing.
const unmatched = [...QUICK, ...MAIN_JOB].filter((path) => !hasTests(path));
if (unmatched.length > 0) throw new Error(`no tests: ${unmatched.join(", ")}`);
const given = process.argv.slice(2);
if (given[0] === "--list") {
  console.log([...QUICK, ...MAIN_JOB].join("\n"));
  process.exit();
}
const results = (given.length > 0 ? given : VERSIONS).map(tried);
for (const { said, version } of results) console.log(`Node.js ${version}: ${said}`);
process.exitCode = results.every(({ failed }) => !failed) ? 0 : 1;

function hasTests(path) {
  if (!existsSync(path)) return false;
  const names = statSync(path).isFile() ? [path] : readdirSync(path, { recursive: true, encoding: "utf8" });
  return names.some((name) => name.endsWith(".test.ts"));
}

function tried(wanted) {
  const folder = join(process.cwd(), "build/nodes", wanted);
  const node = install(folder, wanted);
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1);
  const file = join(folder, "results.json");
  const log = openSync(join(folder, "log"), "w");
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--reporter=default",
    "--reporter=json",
    "--outputFile",
    file,
  ];
  // Tests that start `node` by name also get this version.
  const env = { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` };
  const { status } = spawnSync(node, [...args, ...QUICK, ...MAIN_JOB], { env, stdio: ["ignore", log, log] });
  const { numTotalTests, numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  const said = `${numTotalTests} tests, ${numPassedTests} passed, ${numPendingTests} skipped, ${numFailedTests} failed (exit ${status})`;
  return { version, said, failed: status !== 0 };
}

/** @returns the program */
function install(folder, wanted) {
  const node = join(folder, "node_modules/node/bin/node");
  if (existsSync(node)) return node;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--no-audit", "--no-fund", `node@${wanted}`], {
    cwd: folder,
    stdio: "inherit",
  });
  return node;
}
