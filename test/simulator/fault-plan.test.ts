import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FAULTS } from "../../src/simulator/weeks/script.ts";
import { commandLine } from "../cli/command-line.ts";

const EXAMPLE = "config/faults.example.yaml";
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-plan-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function lived(plan: string, ...flags: readonly string[]) {
  const file = join(folder, "plan.yaml");
  await writeFile(file, plan);
  return commandLine(["simulate", "--days", "3", ...flags, "--faults", file]);
}

describe("recorderd simulate --faults PLAN.yaml", () => {
  it("simulates the example", async () => {
    const { out, code } = await commandLine(["simulate", "--days", "7", "--json", "--faults", EXAMPLE]);
    expect(code).toBe(0);
    const { timers, lives, plan } = JSON.parse(out);
    expect({ lives, plan }).toEqual({ lives: 3, plan: EXAMPLE });
    expect(timers).toMatchObject([
      {
        timerId: "1",
        name: "The Harbour",
        start: "2026-11-03T20:00:00.000Z",
        outcome: "completed",
        attempts: 2,
      },
      { timerId: "2", start: "2026-11-04T21:45:00.000Z", outcome: "completed" },
      {
        timerId: "3",
        outcome: "missed",
        message: expect.stringMatching(/^Not recorded: the recorder was off 05:29(:\d\d)?–07:30\.$/),
      },
    ]);
  });

  it("prints how to repeat the simulation", async () => {
    const { out } = await commandLine(["simulate", "--days", "7", "--faults", EXAMPLE]);
    expect(out).toMatch(
      /^seed 1, 7 days, \d+ steps, 3 runs of the daemon, faults: config\/faults\.example\.yaml\n/,
    );
  });

  it("offers every kind of random fault as a step", async () => {
    const { out, err, code } = await lived(
      `household: none
steps:
  - { at: Monday 10:00, is: booked, timer: 5, channel: 1, start: Monday 20:00, minutes: 60, before: 2, after: 5 }
  - { at: Monday 10:00, is: booked, timer: 6, channel: 4, start: Monday 21:00, minutes: 60 }
  - { at: Monday 10:00, is: booked, timer: 7, channel: 7, start: Tuesday 21:00, minutes: 60 }
  - { at: Monday 10:00, is: booked, timer: 8, channel: 8, start: Tuesday 02:00, minutes: 60 }
  - { at: Monday 11:00, is: moved, timer: 6, start: Monday 22:00, minutes: 30 }
  - { at: Monday 12:00, is: outage, for: 90 seconds, code: GUIDE_SIGN_IN_NEEDED, lost: true, retryAfter: 1 minute }
  - { at: Monday 13:00, is: slow service, for: 1 hour, delay: 40 seconds }
  - { at: Monday 14:00, is: empty list, for: 4 minutes }
  - { at: Monday 14:10, is: shrunken list, for: 4 minutes }
  - { at: Monday 14:20, is: duplicates, for: 10 minutes }
  - { at: Monday 14:30, is: malformed entries, for: 10 minutes }
  - { at: Monday 15:00, is: re-keyed, timer: 6 }
  - { at: Monday 16:00, is: gone, timer: 8 }
  - { at: Monday 20:01, is: tuner dead, tuner: tuner-1, for: 2 minutes, code: TUNER_IN_USE }
  - { at: Monday 20:02, is: capture dies }
  - { at: Monday 20:10, is: tuner without data, tuner: tuner-1, for: 2 minutes }
  - { at: Monday 20:11, is: capture stalls, capture: 1 }
  - { at: Monday 20:20, is: stream ends }
  - { at: Monday 20:25, is: capture host dies }
  - { at: Monday 20:30, is: storage offline, for: 1 minute }
  - { at: Monday 20:40:30, is: crash, for: 20 seconds }
  - { at: Monday 22:10, is: disk full, for: 1 minute }
  - { at: day 2 20:00, is: power cut, for: 3 hours }
  - { at: day 2 23:30, is: forgotten, timer: 7 }
`,
      "--json",
    );
    expect({ err, code }).toEqual({ err: "", code: 0 });
    const { timers, steps } = JSON.parse(out);
    expect(steps).toBe(24);
    const outcomes = timers.map(({ timerId, outcome }: Record<string, string>) => [timerId, outcome]);
    expect(outcomes).toEqual([
      ["5", "partial"],
      ["6", "unknown to the recorder"],
      ["7", "missed"],
      ["8", "cancelled"],
      ["60", "partial"],
    ]);
  });

  it("R-06 continues all copied recordings at once after the capture host dies, each in a new attempt", async () => {
    const { out, code } = await lived(
      `household: none
tuners: 3
steps:
  - { at: Monday 10:00, is: booked, timer: 1, channel: 1, start: Monday 20:00, minutes: 60 }
  - { at: Monday 10:00, is: booked, timer: 2, channel: 2, start: Monday 20:00, minutes: 60 }
  - { at: Monday 10:00, is: booked, timer: 3, channel: 4, start: Monday 20:00, minutes: 60 }
  - { at: Monday 10:00, is: booked, timer: 4, channel: 7, start: Monday 20:00, minutes: 60 }
  - { at: Monday 20:20, is: capture host dies }
  - { at: Monday 20:40, is: capture host dies }
`,
      "--json",
    );
    expect(code).toBe(0);
    const all = JSON.parse(out).timers;
    expect(all).toHaveLength(4);
    for (const { outcome, attempts, coverage } of all) {
      expect({ outcome, attempts }).toEqual({ outcome: "completed", attempts: 3 });
      // Seconds of an hour.
      expect(coverage).toBeGreaterThan(0.997);
      expect(coverage).toBeLessThan(1);
    }
  });

  it("can add to the household of a seed", async () => {
    const plan = "steps:\n  - { at: Monday 18:00, is: crash, for: 1 day }\n";
    const { timers, lives } = JSON.parse((await lived(plan, "--json")).out);
    expect(lives).toBe(2);
    expect(timers.length).toBeGreaterThan(5);
  });

  it("names each mistake with its line and path, and the known values", async () => {
    const { err, code } = await lived(
      `household: none
stepps: []
steps:
  - { at: Tuesday 25:10, is: crash, for: 1 minute }
  - { at: Tuesday 20:10, is: tuner dead, tuner: dvb0, for: 30 minuts }
  - { at: Tuesday 20:10, is: flood }
  - { at: Tuesday 20:10, is: crash, for: 1 minute, how: hard }
`,
    );
    expect(code).not.toBe(0);
    expect(err).toContain("plan.yaml has 6 mistakes:");
    for (const mistake of [
      "line 2: stepps: unknown key, did you mean steps?",
      "line 4: steps[0].at: expected an instant such as “Tuesday 20:10” or “day 9 20:10:30”, in UTC",
      "line 5: steps[1].tuner: expected a tuner such as tuner-1",
      "line 5: steps[1].for: expected a duration such as “30 minutes”",
      "line 6: steps[2].is: expected one of booked, moved",
      "line 7: steps[3].how: unknown key, known here: at, is, for",
    ])
      expect(err).toContain(mistake);
  });

  it.each([
    [
      "steps:\n  - { at: Friday 20:10, is: crash, for: 1 minute }\n",
      "line 2: steps[0].at: comes after the last",
    ],
    [
      "tuners: 1\nsteps:\n  - { at: Monday 20:10, is: tuner dead, tuner: tuner-2, for: 1 minute }\n",
      "line 3: steps[0].tuner: there is no tuner-2",
    ],
    [
      `steps:
  - { at: Monday 20:10, is: booked, timer: 1, channel: 1, start: Monday 21:00, minutes: 5 }
  - { at: Monday 20:10, is: booked, timer: 1, channel: 2, start: Monday 21:00, minutes: 5 }
`,
      "line 3: steps[1].timer: 1 is booked already",
    ],
    ["steps: [", "is not YAML"],
  ])("refuses impossible steps: %#", async (plan, told) => {
    const { err, code } = await lived(plan);
    expect(code).not.toBe(0);
    expect(err).toContain(told);
  });

  it("names the example if the file is missing", async () => {
    const { err, code } = await commandLine(["simulate", "--days", "1", "--faults", join(folder, "no.yaml")]);
    expect(code).not.toBe(0);
    expect(err).toContain("no.yaml does not exist: config/faults.example.yaml is one to begin with.");
  });
});

describe("docs/dev/simulation.md", () => {
  it("names every kind of fault, and every key of a plan", async () => {
    const page = (await readFile("docs/dev/simulation.md", "utf8")).replaceAll("\n", " ");
    const random = /Random faults: ([^#]*)/.exec(page)?.[1] ?? "";
    expect(FAULTS.filter((fault) => !new RegExp(`\\b${fault}\\b`).test(random))).toEqual([]);
    const { err } = await lived("steps:\n  - { at: Monday 10:00, is: flood }\n");
    const kinds = /expected one of (.*), found/.exec(err)?.[1]?.split(", ") ?? [];
    expect(kinds.length).toBeGreaterThan(15);
    for (const kind of kinds) expect(page).toContain(`\`${kind}\``);
  });
});
