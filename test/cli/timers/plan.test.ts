import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planText } from "../../../src/cli/timers/plan-text.ts";
import { createWebServer } from "../../../src/kit/http/web-server.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { Snapshot } from "../../../src/model/snapshot.ts";
import { DAY, MINUTE } from "../../../src/model/time.ts";
import type { WhatIf } from "../../../src/model/what-if.ts";
import type { DaemonApi } from "../../../src/recorder/api/daemon-api.ts";
import { daemonRoutes } from "../../../src/recorder/api/daemon-routes.ts";
import { snapshotOf } from "../../../src/recorder/engine/core/snapshot.ts";
import { whatIf } from "../../../src/recorder/engine/core/what-if.ts";
import { Brain, EIGHT, timer, tuner } from "../../recorder/engine/runtime/world.ts";
import { commandLine } from "../command-line.ts";

function seenOf({ document, tuners, policy, planner, now }: Brain): Snapshot {
  return snapshotOf({
    document,
    tuners,
    policy,
    preview: planner.preview,
    guide: { signInNeeded: false },
    clock: { trusted: true, holds: false, kernel: "synchronised", aheadSeconds: {} },
    at: now,
    startedAt: now,
    version: "0",
  });
}

const shown = (brain: Brain, columns?: number) =>
  planText(seenOf(brain), { columns, timeZone: "UTC" }).split("\n");

/** Three channels of three multiplexes at once for two tuners, and one more the day after. */
const evening = () =>
  new Brain().fetch(
    timer("1"),
    timer("2", { channelId: "4" }),
    timer("3", { channelId: "6", event: { start: EIGHT + 10 * MINUTE, stop: EIGHT + 25 * MINUTE } }),
    timer("4", { event: { start: EIGHT + DAY, stop: EIGHT + DAY + 60 * MINUTE } }),
  );

const PICTURE = [
  "Fri 2026-11-20",
  "   19:30          20:00          20:30",
  "a                      3=======1=-",
  "b                 2==============-",
  "",
  "Sat 2026-11-21",
  "   19:30          20:00          20:30          21:00",
  "a                 4=============================-",
  "b",
  "",
];

describe("recorderd plan", () => {
  it("R-20 shows the time and tuner of every recording, and its shortened parts", () => {
    expect(shown(evening()).slice(0, 5)).toEqual([
      "#  WHEN                        TITLE   CHANNEL    PRIORITY  TUNER  GIVEN UP",
      "1  Fri 2026-11-20 20:25–20:32  Show 1  Channel 1  50        a      the first 25 min, begins up to 2 s late",
      "2  Fri 2026-11-20 19:59–20:32  Show 2  Channel 4  50        b",
      "3  Fri 2026-11-20 20:09–20:25  Show 3  Channel 6  50        a      2 min after",
      "4  Sat 2026-11-21 19:59–21:02  Show 4  Channel 1  50        a",
    ]);
  });

  it("draws the tuners over time, day by day, within the width of the terminal", () => {
    const lines = shown(evening(), 60);
    const from = lines.indexOf("Fri 2026-11-20");
    expect(lines.slice(from, from + 10)).toEqual(PICTURE);
    expect(lines.every((line) => line.length <= 60 || line.startsWith("  "))).toBe(true);
  });

  it("R-20 names the causes of each incomplete recording, and all remedies", () => {
    const lines = shown(evening());
    const from = lines.indexOf("Conflicts:");
    expect(lines.slice(from + 1, from + 6)).toEqual([
      "  1  Show 1: loses the first 25 min, begins up to 2 s late",
      "     a records “Show 3” 20:09–20:27; b records “Show 2” 19:59–20:32.",
      "     - Without “Show 3” it would be recorded.",
      "     - With priority 51 it would be recorded, but these would lose a part: “Show 2”.",
      "     - One more tuner like a would record it.",
    ]);
    expect(lines.at(-1)).toBe("Proven for all recordings: no plan records more.");
  });

  it("R-22 draws simultaneous recordings of a tuner on separate lines, and those without a tuner on their own line", () => {
    const shared = new Brain({ tuners: [tuner("a")] }).fetch(
      timer("1"),
      timer("2", { channelId: "2" }),
      timer("3", { channelId: "6" }),
    );
    const lines = shown(shared, 60);
    const from = lines.indexOf("Fri 2026-11-20");
    expect(lines.slice(from + 2, from + 5).map((line) => line.replace(/[ =-]+/g, " ").trim())).toEqual([
      "a 1",
      "2",
      "no tuner 3",
    ]);
  });

  it("reports an empty plan", () => {
    expect(shown(new Brain())).toEqual(["Nothing is planned."]);
  });

  it("does not change the plan of the daemon", () => {
    const brain = evening();
    const before = brain.document;
    for (let times = 0; times < 3; times += 1) seenOf(brain);
    expect(brain.at(brain.now).document).toBe(before);
  });

  it("prints the plan of a running daemon, with proofs, conflicts and remedies in --json", async () => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-cli-plan-"));
    const path = join(folder, "control.sock");
    const brain = evening();
    const seen = seenOf(brain);
    const server = createWebServer({
      routes: [
        {
          method: "GET",
          path: "/v1/snapshot",
          handle: async () => ({
            status: 200,
            headers: { "content-type": "application/json" },
            body: JSON.stringify(seen),
          }),
        },
        ...daemonRoutes({
          whatIf: (change: WhatIf) =>
            whatIf(change, brain.document, {
              world: brain.world,
              space: () => undefined,
              plans: async (problems) =>
                problems.map(({ requests, tuners }) => brain.planner.plan(requests, tuners)),
            }),
        } as DaemonApi).filter(({ path }) => path === "/v1/what-if"),
      ],
      refuse: () => ({ status: 500, headers: {}, body: "" }),
      bodyBytesMax: 1024,
      clock: systemClock(),
    });
    await server.listenOnSocket(path);
    try {
      expect((await commandLine(["plan", "--socket", path])).out).toContain("Without “Show 3”");
      const { out } = await commandLine(["plan", "--socket", path, "--json"]);
      expect(JSON.parse(out)).toMatchObject({
        recordings: [{ timerId: "1" }, { timerId: "2" }, { timerId: "3" }, { timerId: "4" }],
        plan: {
          conflicts: [{ recordingId: seen.recordings[0]?.id, remedies: [{ kind: "withdraw" }, {}, {}] }],
          groups: [{ proven: "all" }, { proven: "all" }],
        },
      });
      const other = (change: string) => commandLine(["plan", "--socket", path, "--what-if", change]);
      expect((await other("priority 1 51")).out.split("\n")[0]).toBe("won: “Show 1” (timer 1)");
      expect(await other("without tuner z")).toEqual({ out: "", err: "There is no tuner z.", code: 1 });
      expect((await other("disk much")).code).toBe(64);
    } finally {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
