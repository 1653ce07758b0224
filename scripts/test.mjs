// npm test: builds, then runs the tests. Beside them run the checks that need no program and the tests that only compute: at low
// priority, so that they take what the tests leave of two processors while these wait, and delay none of them.
// npm run test:quick: those checks and those tests alone.
import { execFile, spawn } from "node:child_process";

const OUTPUT_MAX = 64 * 1024 * 1024;
const QUICK = process.argv[2] === "--quick";
/** Scripts of package.json, the longest first. */
const CHECKS = ["types", "imports", "lint", ...(QUICK ? [] : ["unused"])];
const COMPUTING = ["unit", "--", "--project", "computing", "--maxWorkers"];

if (QUICK) {
  await Promise.all([besides(CHECKS.map((name) => [name])), shown([...COMPUTING, "2", "--reporter", "dot"])]);
} else {
  // The other tests run the program.
  await besides([["build"]]);
  const others = shown(["unit", "--", "--project", "!computing"]);
  const both = [CHECKS.map((name) => [name]), [[...COMPUTING, "1"]]];
  await Promise.all([others, ...both.map(besides)]);
}

/** Runs scripts one after another, all of them even if one fails: its reader wants to know about the others as well. */
async function besides(scripts) {
  for (const args of scripts) {
    const { out, failed } = await quietly(args);
    process.stdout.write(out);
    if (failed) fail(args);
  }
}

/** Runs a script at low priority. @returns its output, which would mix with that of the tests */
function quietly(args) {
  return new Promise((done) => {
    const line = ["-n", "10", "npm", "run", "--silent", ...args];
    execFile("nice", line, { maxBuffer: OUTPUT_MAX }, (error, out, err) =>
      done({ out: out + err, failed: error !== null }),
    );
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
