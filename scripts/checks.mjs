// npm run checks: what needs no running program, and the build. Two at once, because each uses one processor most of the time.
import { execFile } from "node:child_process";

const AT_ONCE = 2;
const OUTPUT_MAX = 64 * 1024 * 1024;
/** Scripts of package.json, the longest first. */
const waiting = ["types", "unused", "imports", "build", "lint"];

await Promise.all(Array.from({ length: AT_ONCE }, inTurn));

async function inTurn() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await check(name);
}

/** Runs all checks even if one fails: its reader wants to know about the others as well. */
function check(name) {
  return new Promise((done) => {
    execFile("npm", ["run", "--silent", name], { maxBuffer: OUTPUT_MAX }, (error, out, err) => {
      process.stdout.write(out);
      process.stderr.write(err);
      if (error !== null) {
        console.error(`checks: npm run ${name} failed`);
        process.exitCode = 1;
      }
      done();
    });
  });
}
