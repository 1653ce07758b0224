import { describe, expect, it } from "vitest";
import { differenceText, whatIfOf } from "../../../../src/cli/timers/what-if-text.ts";
import { MINUTE } from "../../../../src/model/time.ts";
import type { WhatIf } from "../../../../src/model/what-if.ts";
import { whatIf } from "../../../../src/recorder/engine/core/what-if.ts";
import { createPlanner } from "../../../../src/recorder/plan/planner.ts";
import { spaceFacts } from "../../../../src/recorder/subsystems/library/core/space.ts";
import { fc } from "../../../properties.ts";
import { Brain, EIGHT, timer } from "../runtime/world.ts";

const ask = (brain: Brain, change: WhatIf) =>
  whatIf(change, brain.document, {
    world: brain.world,
    space: (freeBytes = 1e9) =>
      spaceFacts({
        disk: { freeBytes, totalBytes: 1e12 },
        marks: { lowBytes: 0, stopBytes: 0 },
        recordings: Object.values(brain.document.recordings),
        bytesPerSecond: () => 1e6,
        now: brain.now,
      }),
    plans: async (problems) => problems.map(({ requests, tuners }) => createPlanner().plan(requests, tuners)),
  });

/** The answer in words. */
async function answer(brain: Brain, text: string): Promise<readonly string[]> {
  const change = whatIfOf(text);
  if (change === undefined) throw new Error(`not understood: ${text}`);
  const found = await ask(brain, change);
  if (found.kind === "unknown") return [found.text];
  const recordings = Object.values(brain.document.recordings);
  return differenceText(found, { recordings, timeZone: "UTC" }).split("\n");
}

/** Two multiplexes on two tuners. */
const two = () => new Brain().fetch(timer("1"), timer("2", { channelId: "3" }));

describe("recorderd plan --what-if", () => {
  it("without a tuner names the lost recordings and the users of the others", async () => {
    const brain = two();
    const kept = brain.of("1").tunerId === "a" ? "b" : "a";
    expect(await answer(brain, `without tuner ${kept}`)).toEqual([
      expect.stringMatching(/^lost: “Show \d” \(timer \d\): [ab] records “Show \d” 19:59–20:32$/),
    ]);
    expect(await answer(brain, "without tuner z")).toEqual(["There is no tuner z."]);
  });

  it("without a tuner includes its running recordings", async () => {
    const brain = two()
      .at(EIGHT - MINUTE)
      .flowing("1");
    const { tunerId = "?" } = brain.of("1");
    const found = await ask(brain, { kind: "without-tuner", tunerId });
    expect(found).not.toMatchObject({ lost: [] });
  });

  it("with another priority names the gained and the lost recordings", async () => {
    const brain = two().fetch(timer("1"), timer("2", { channelId: "3" }), timer("3", { channelId: "5" }));
    const [loser = "?"] = ["1", "2", "3"].filter((id) => brain.of(id).state === "conflicted");
    const lines = await answer(brain, `priority ${loser} 80`);
    expect(lines.map((line) => line.split(":")[0])).toEqual(["won", "lost"]);
    expect(lines[0]).toContain(`Show ${loser}`);
    expect(await answer(brain, "priority 99 80")).toEqual(["Nothing is planned for timer 99."]);
  });

  it("with another disk names when that is full, and which recordings fit then", async () => {
    // Each takes 33 minutes of a megabyte in a second.
    const lines = await answer(two(), "disk 2.5G");
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(
        /^now: 1\.00 GB of .* free, 3\.96 GB reserved for the plan, full on 2026-11-20 at 20:07/,
      ),
      expect.stringMatching(
        /^then: 2\.50 GB of .* free, 3\.96 GB reserved for the plan, full on 2026-11-20 at 20:19/,
      ),
    ]);
    expect(lines).toHaveLength(2);
    const ample = await answer(two(), "disk 5G");
    expect(ample.slice(2).map((line) => line.split(" (")[0])).toEqual(["won: “Show 1”", "won: “Show 2”"]);
  });

  it("with another event names its tuner or the reason against it, and the recordings that would lose", async () => {
    const brain = two();
    expect(await answer(brain, "add Channel 2 2026-11-20T20:00Z 30")).toEqual([
      `It would be recorded on ${brain.of("1").tunerId}`,
    ]);
    expect(await answer(brain, "add 6 2026-11-20T23:00Z 30")).toEqual(["It would be recorded on a"]);
    const full = await answer(brain, "add Channel 5 2026-11-20T20:00Z 45");
    expect(full.join("\n")).toMatch(/in part|no tuner|lost/);
    expect((await answer(brain, "add Nowhere 2026-11-20T20:00Z 30"))[0]).toContain(
      "There is no channel Nowhere",
    );
  });

  it("R-24 with other padding never reports an event as gained or lost, because padding yields by itself", async () => {
    const brain = two().fetch(
      timer("1"),
      timer("2", { channelId: "3" }),
      timer("3", { channelId: "5", event: { start: EIGHT + 30 * MINUTE, stop: EIGHT + 60 * MINUTE } }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 30 }), async (minutes) => {
        const found = await ask(brain, { kind: "padding", minutes });
        return found.kind === "difference" && found.won.length === 0 && found.lost.length === 0;
      }),
    );
  });

  it("changes nothing", async () => {
    const brain = two();
    const before = brain.document;
    await answer(brain, "without tuner a");
    await answer(brain, "padding 0");
    expect(brain.at(brain.now).document).toBe(before);
    expect(await answer(brain, `priority 1 50`)).toEqual(["Nothing would change."]);
  });

  it("accepts the documented changes, and no others", async () => {
    expect(whatIfOf("add ABC Kids 2026-11-20T20:00Z 45")).toEqual({
      kind: "add",
      channel: "ABC Kids",
      start: EIGHT,
      minutes: 45,
    });
    const others = [
      "",
      "without a",
      "padding -1",
      "padding 1 2",
      "priority 7 101",
      "add 7 20:15 30",
      "disk 1",
    ];
    for (const text of others) expect(whatIfOf(text), text).toBeUndefined();
  });
});
