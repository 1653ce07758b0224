// npm run test:at -- TIME FILE…: runs tests at another time of day or date, such as "2028-02-28T23:55:00+01:00". TZ sets the zone.
// The kernel dates files by its own clock: tests of the evidence of a recording fail at any shift.
import { spawnSync } from "node:child_process";

const [time = "", ...files] = process.argv.slice(2);
const aheadS = Math.round((Date.parse(time) - Date.now()) / 1000);
if (Number.isNaN(aheadS) || files.length === 0) {
  console.error('usage: npm run test:at -- "2028-02-28T23:55:00+01:00" test/dashboard …');
  process.exit(2);
}
const clock = ["-m", "--exclude-monotonic", "-f", `${aheadS < 0 ? "" : "+"}${aheadS}s`];
const { status } = spawnSync(
  "faketime",
  [...clock, process.execPath, "node_modules/vitest/vitest.mjs", "run", ...files],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;
