// npm test: builds what has changed, then runs the tests that record in real time, and the others beside them. The checks that need no
// program take what these leave of two processors.
// npm run test:quick: some of those checks, and the tests that only compute.
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { isBuilt } from "./built.mjs";

const OUTPUT_MAX = 64 * 1024 * 1024;
const QUICK = process.argv[2] === "--quick";
/** They mostly wait. More of them at once leave each so little of a slow processor that recordings begin late. */
const TIMED = { projects: ["timed", "alone"], workers: 4 };
/** Browsers and servers wait for each other. More of them make the timed tests late, and each worker imports everything anew. */
const PATIENT = { projects: ["computing", "patient"], workers: 2 };
/** They keep a processor busy, and each worker begins with a second or two of imports. */
const COMPUTING = { projects: ["computing"], workers: 2 };
/** A check may take as long as all the tests; a test that is held up by them fails. */
const NICENESS = { check: 10, test: 2 };
/** Each run of tests adds its failures: only the end of a long log may be kept. */
const FAILED_TESTS = resolve("build/failed-tests.txt");
/** Scripts of package.json, the longest first. */
const CHECKS = ["types", "imports", "lint", ...(QUICK ? [] : ["unused"])];

mkdirSync("build", { recursive: true });
rmSync(FAILED_TESTS, { force: true });
const failed = [];
if (QUICK) {
  await Promise.all([checks(CHECKS), shown(testsOf(COMPUTING, "--reporter=dot"))]);
} else {
  if (!isBuilt()) await checks(["build"]);
  await Promise.all([shown(testsOf(TIMED)), beside(testsOf(PATIENT), NICENESS.test), checks(CHECKS)]);
}
if (failed.length > 0) {
  if (existsSync(FAILED_TESTS)) console.error(readFileSync(FAILED_TESTS, "utf8"));
  console.error(failed.join("\n"));
  process.exitCode = 1;
}

/** Projects do not see the command line's number of workers. */
function testsOf({ projects, workers }, ...more) {
  const args = ["unit", "--", ...projects.map((name) => `--project=${name}`), ...more];
  return { args, env: { ...process.env, VITEST_MAX_WORKERS: String(workers), FAILED_TESTS } };
}

/** Runs scripts one after another, all of them even if one fails: its reader wants to know about the others as well. */
async function checks(names) {
  for (const name of names) await beside({ args: [name] }, NICENESS.check);
}

/** Runs a script, and prints its output at its end: it would mix with that of others. That of a failed check comes last, as well. */
function beside({ args, env }, niceness) {
  return new Promise((done) => {
    const line = ["-n", String(niceness), "npm", "run", "--silent", ...args];
    execFile("nice", line, { env, maxBuffer: OUTPUT_MAX }, (error, out, err) => {
      process.stdout.write(out + err);
      if (error !== null) fail(args, niceness === NICENESS.check ? out + err : "");
      done();
    });
  });
}

function shown({ args, env }) {
  return new Promise((done) => {
    const child = spawn("npm", ["run", "--silent", ...args], { env, stdio: "inherit" });
    child.on("close", (code) => {
      if (code !== 0) fail(args);
      done();
    });
  });
}

function fail(args, said = "") {
  failed.push(`${said}npm test: npm run ${args.join(" ")} failed`);
}
