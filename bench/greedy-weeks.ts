// npm run bench:greedy [-- WEEKS]: whole events of the plan and of two greedy rules, side by side; see docs/dev/planning.md.
import { tableText } from "../src/cli/table.ts";
import { loadIntegerPrograms } from "../src/kit/integer-program.ts";
import { SECOND } from "../src/model/time.ts";
import { sideBySide, TUNERS } from "./side-by-side.ts";

const weeks = Number(process.argv[2] ?? 1000);
const optimize = await loadIntegerPrograms(10 * SECOND);
const rows = TUNERS.map((tuners) => {
  const sums = sideBySide({ weeks, tuners, optimize });
  const { ordered, plan, first, highest, better, unproven } = sums;
  return [tuners, ordered, first, highest, plan, better.first, better.highest, unproven].map(String);
});
const head = [
  "TUNERS",
  "ORDERED",
  "FIRST COME",
  "HIGHEST FIRST",
  "PLAN",
  "WEEKS BETTER THAN FIRST COME",
  "THAN HIGHEST FIRST",
  "GROUPS NOT PROVEN",
];
process.stdout.write(
  `${weeks} weeks of 60 timers on 12 multiplexes\n\n${tableText({ head, rows }, undefined)}\n`,
);
