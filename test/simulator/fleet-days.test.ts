import { describe, expect, it } from "vitest";
import { EXIT_USAGE } from "../../src/cli/exit-codes.ts";
import { HOUR } from "../../src/model/time.ts";
import { simulateFleetDays } from "../../src/simulator/fleet/fleet-days.ts";
import { FLEET_FAULTS } from "../../src/simulator/fleet/fleet-faults.ts";
import { fleetText } from "../../src/simulator/fleet/fleet-text.ts";
import { commandLine } from "../cli/command-line.ts";
import { casesOf } from "../lane.ts";

const NODES = 3;
/** Seeds that notice the loss of a protection (`scripts/mutation-table.mjs`). */
const NAMED: Readonly<Record<number, string>> = {
  3: "seed 3: a drained leader loses nothing",
  221: "seed 221: a tuner is opened when a capture that an earlier leader gave up has left it",
  3088: "seed 3088: what a node has begun by itself goes on while the answer about it waits for the database",
  5217: "seed 5217: a capture of a node that was lost goes on until another has taken its place",
};
/** Long enough for a few shows and faults; the rest of the time is for the last recordings. */
const LENGTH_MS = HOUR;

const COUNT = casesOf({ sample: 20, all: 1000 });
const SEEDS = new Set([
  ...Array.from({ length: COUNT }, (_, index) => index + 1),
  ...Object.keys(NAMED).map(Number),
]);

describe("a fleet in simulated time", () => {
  for (const seed of SEEDS) {
    it(NAMED[seed] ?? `seed ${seed}: what a node that is well can receive is recorded`, async () => {
      const { violation, terms, spells, timers } = await simulateFleetDays({
        ...{ seed, nodes: NODES, lengthMs: LENGTH_MS, faults: FLEET_FAULTS },
      });
      expect(violation).toBeUndefined();
      expect(Math.min(terms, spells.length, timers.length)).toBeGreaterThan(0);
    });
  }

  it("gives the same result for the same seed, and prints it", async () => {
    const live = () => simulateFleetDays({ seed: 1, nodes: 2, lengthMs: HOUR / 4, faults: ["node-daemon"] });
    const result = await live();
    expect(await live()).toEqual(result);
    const [first, show, ...more] = fleetText(result);
    expect(first).toMatch(/^seed 1, 2 nodes, .* faults, \d+ terms, faults: node-daemon$/);
    expect(show).toMatch(/^1001 .*“Show 1” on \d: completed, [\d.]+ %, on (dvb[12]@node-[12]|sat)/);
    expect(more.at(-1)).toBe("every law held");
  });

  it("records everything from end to end without faults, over the tuners of all nodes", async () => {
    const { timers, terms } = await simulateFleetDays({
      ...{ seed: 3, nodes: NODES, lengthMs: LENGTH_MS, faults: [] },
    });
    expect(terms).toBe(1);
    expect(timers.map(({ outcome, coverage }) => ({ outcome, coverage }))).toEqual(
      timers.map(() => ({ outcome: "completed", coverage: 1 })),
    );
    const nodes = new Set(timers.flatMap(({ recordedOn }) => recordedOn.map((tuner) => tuner.split("@")[1])));
    expect(nodes.size).toBeGreaterThan(1);
  });
});

describe("recorderd simulate --nodes", () => {
  it.each([
    [["--nodes", "3"], "--nodes needs --days"],
    [
      ["--nodes", "3", "--days", "1", "--faults", "outage"],
      "a simulation with --nodes has no fault “outage”",
    ],
    [["--days", "1", "--faults", "link"], "a simulation without --nodes has no fault “link”"],
    [["--nodes", "3", "--days", "1", "--faults", "plan.yaml"], "--nodes takes no written plan of faults"],
    [["--nodes", "1", "--days", "1"], "expected a whole number from 2 to 16"],
  ])("refuses %j", async (flags, text) => {
    const { err, code } = await commandLine(["simulate", ...flags]);
    expect(err).toContain(text);
    expect(code).toBe(EXIT_USAGE);
  });
});
