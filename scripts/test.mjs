// npm test: builds, then runs the tests that record in real time, and the others beside them. The checks that need no program take what
// these leave of two processors.
// npm run test:quick: some of those checks, and the tests that only compute.
import { execFile, spawn } from "node:child_process";

const OUTPUT_MAX = 64 * 1024 * 1024;
const QUICK = process.argv[2] === "--quick";
/** They mostly wait. More of them at once leave each so little of a slow processor that recordings begin late. */
const TIMED = { projects: ["timed", "alone"], workers: 5 };
/** They keep a processor busy. */
const PATIENT = { projects: ["computing", "patient"], workers: 2 };
const COMPUTING = { projects: ["computing"], workers: 2 };
/** A check may take as long as all the tests; a test that is held up by them fails. */
const NICENESS = { check: 10, test: 2 };
/** Scripts of package.json, the longest first. */
const CHECKS = ["types", "imports", "lint", ...(QUICK ? [] : ["unused"])];

if (QUICK) {
  await Promise.all([checks(CHECKS), shown([...testsOf(COMPUTING), "--reporter=dot"])]);
} else {
  await checks(["build"]);
  await Promise.all([shown(testsOf(TIMED)), beside(testsOf(PATIENT), NICENESS.test), checks(CHECKS)]);
}

function testsOf({ projects, workers }) {
  return ["unit", "--", `--maxWorkers=${workers}`, ...projects.map((name) => `--project=${name}`)];
}

/** Runs scripts one after another, all of them even if one fails: its reader wants to know about the others as well. */
async function checks(names) {
  for (const name of names) await beside([name], NICENESS.check);
}

/** Runs a script, and prints its output at its end: it would mix with that of others. */
function beside(args, niceness) {
  return new Promise((done) => {
    const line = ["-n", String(niceness), "npm", "run", "--silent", ...args];
    execFile("nice", line, { maxBuffer: OUTPUT_MAX }, (error, out, err) => {
      process.stdout.write(out + err);
      if (error !== null) fail(args);
      done();
    });
  });
}

function shown(args) {
  return new Promise((done) => {
    const child = spawn("npm", ["run", "--silent", ...args], { stdio: "inherit" });
    child.on("close", (code) => {
      if (code !== 0) fail(args);
      done();
    });
  });
}

function fail(args) {
  console.error(`npm test: npm run ${args.join(" ")} failed`);
  process.exitCode = 1;
}
