import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { shortestBreak } from "../../src/simulator/shortest.ts";
import { simulateWeeks, type WeeksResult } from "../../src/simulator/weeks/weeks.ts";
import { weeksText } from "../../src/simulator/weeks/weeks-text.ts";
import { commandLine } from "../cli/command-line.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");
const DAYS = ["simulate", "--days", "2", "--seed", "7"];

async function inZone(zone: string, ...flags: readonly string[]): Promise<string> {
  const env = { ...process.env, TZ: zone, LC_ALL: zone === "UTC" ? "C" : "de_DE.UTF-8" };
  return (await promisify(execFile)(process.execPath, [MAIN, ...DAYS, ...flags], { env })).stdout;
}

describe("recorderd simulate --days", () => {
  it("prints the same, byte for byte, at any time and in any time zone", async () => {
    const said = await inZone("UTC", "--json");
    expect(await inZone("Australia/Lord_Howe", "--json")).toBe(said);
    expect(JSON.parse(said)).toMatchObject({ seed: 7, days: 2 });
  });

  it("prints the outcome of every timer, and that no invariant broke", async () => {
    const { out, code } = await commandLine([...DAYS, "--faults", "crash,stall"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^seed 7, 2 days, \d+ steps, \d+ runs of the daemon, faults: stall,crash\n/);
    expect(out).toMatch(/completed, 100 %, 1 attempt, reported waiting → running → completed\n/);
    expect(out.endsWith("every invariant held")).toBe(true);
  });

  it("leaves out the effects of all other faults", async () => {
    const { timers, lives } = await simulateWeeks({ days: 4, seed: 7, faults: [] });
    expect(lives).toBe(1);
    // Nothing but life: conflicts, orders that came late, and second thoughts.
    expect(timers.length).toBeGreaterThan(10);
    expect(timers.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(
      timers.filter(({ outcome }) => outcome === "unknown to the recorder" || !isTerminal(outcome)),
    ).toEqual([]);
  });

  it("refuses an unknown kind of fault, and names the known ones", async () => {
    const { err, code } = await commandLine([...DAYS, "--faults", "crash,flood"]);
    expect(code).not.toBe(0);
    expect(err).toContain("“flood” is not one of: all, none, outage");
  });

  it("simulates seed after seed for a given time, and prints the speed", async () => {
    let ms = 0;
    const { out, err, code } = await commandLine(["simulate", "--days", "1", "--minutes", "1"], {
      // Each look at the clock is half a minute later.
      clock: {
        now: () => 0,
        monotonicMs: () => (ms += 20_000),
        sleep: async () => {},
        after: () => () => {},
        whenAt: () => () => {},
      },
    });
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toMatch(/^seeds 1 to 2: 0 broken; 2 days in \d+ s, [\d.]+ simulated days per second$/);
  });
});

describe("a broken invariant", () => {
  const broken = (steps: number): WeeksResult => ({
    seed: 3,
    days: 7,
    faults: ["crash"],
    steps,
    lives: 2,
    timers: [],
    violation: {
      invariant: "R-30 a recording has one capture at a time",
      at: 0,
      text: "two",
      timerId: "1001",
    },
    ledger: [{ at: 0, fact: "due", timerId: "1001" }],
  });

  it("is reduced to the shortest script that still breaks it", async () => {
    const lived: number[] = [];
    const shortest = await shortestBreak(broken(120), async (steps) => {
      lived.push(steps);
      const { violation: _sound, ...sound } = broken(steps);
      return steps < 37 ? sound : broken(steps);
    });
    expect(shortest.steps).toBe(37);
    expect(lived.length).toBeLessThanOrEqual(7);
  });

  it("is printed with its seed, its steps and the ledger of the timer", () => {
    const text = weeksText(broken(37)).join("\n");
    expect(text).toContain("BROKEN: R-30 a recording has one capture at a time");
    expect(text).toContain("recorderd simulate --days 7 --seed 3 --faults crash --steps 37");
    expect(text).toContain('"fact":"due"');
  });
});
