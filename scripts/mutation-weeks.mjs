// Simulates one week of each seed with every fault, with the build in a folder, until an invariant breaks. Used by scripts/mutations.mjs.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder = "", first = "1", last = "200"] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(folder, "simulator/weeks", path)).href);
const { simulateWeeks } = await load("weeks.js");
const { FAULTS } = await load("script.js");

for (let seed = Number(first); seed <= Number(last); seed += 1) {
  // The parent process kills a week that does not end.
  process.stdout.write(`${JSON.stringify({ seed })}\n`);
  const violation = await violationOf(seed);
  if (violation === undefined) continue;
  process.stdout.write(`${JSON.stringify({ seed, invariant: violation.invariant })}\n`);
  process.exit(0);
}

async function violationOf(seed) {
  try {
    return (await simulateWeeks({ days: 7, seed, faults: FAULTS })).violation;
  } catch (error) {
    // For instance, the virtual clock throws at a loop that takes no time.
    return { invariant: `the week breaks off: ${error.message}` };
  }
}
