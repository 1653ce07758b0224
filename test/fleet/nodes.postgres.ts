import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECOND } from "../../src/model/time.ts";
import { commandLine } from "../cli/command-line.ts";
import { pause, soon, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { Postgres } from "../postgres/postgres.ts";
import { whyNoPostgres } from "../postgres/programs.ts";
import { isOver, losePower, recordingOn, SECRET, says, trio } from "./nodes.ts";

const why = whyNoPostgres();

let postgres: Postgres;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start();
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());

describe.skipIf(why !== undefined)(`nodes of a fleet${why === undefined ? "" : ` (${why})`}`, () => {
  it("record with their own tuners, also when the leader dies, without a lost packet", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using nodes = await trio({ folder: folder.path, home, postgres });
    const { one, two, three } = nodes;
    const { timerId, tunerId, show } = await recordingOn(one, home, 24 * SECOND);
    expect(tunerId).toMatch(/^sim@(two|three)$/);
    const { out } = await commandLine(["fleet", "--config", two.config]);
    expect(out).toContain(`${tunerId}: Survivor`);
    await pause(show.start + 4 * SECOND - Date.now());
    await losePower(one);
    const next = await Promise.race(
      [two, three].map(async (node) => {
        await says(node, "this node leads the fleet");
        return node;
      }),
    );
    const { state, attempts, evidence } = await next.until(timerId, isOver);
    expect([state, attempts.length, attempts[0]?.tunerId]).toEqual(["completed", 1, tunerId]);
    expect(evidence).toMatchObject({ verdict: "perfect", continuityErrors: 0, gaps: [] });
  });

  it("are replaced by another node when they die, and the gap is declared", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using nodes = await trio({ folder: folder.path, home, postgres });
    const { one, two, three } = nodes;
    const { timerId, tunerId, show } = await recordingOn(one, home, 24 * SECOND);
    const [lost, other] = tunerId === "sim@two" ? [two, "sim@three"] : [three, "sim@two"];
    await pause(show.start + 4 * SECOND - Date.now());
    const diedAt = Date.now();
    await losePower(lost);
    const continued = await one.until(timerId, ({ attempts }) => attempts.length === 2);
    const [first, second] = continued.attempts;
    process.stderr.write(`the other node began ${(second?.startedAt ?? 0) - diedAt} ms after the death\n`);
    expect([first?.cause, second?.tunerId]).toEqual(["CAPTURE_DIED", other]);
    const { state, evidence } = await one.until(timerId, isOver);
    expect(state).toBe("partial");
    expect(evidence).toMatchObject({ kept: [1, 2], segments: 2, continuityErrors: 0 });
    expect(evidence?.gaps).toHaveLength(1);
  });

  it("are replaced when they fall silent, and end what they captured meanwhile when they are back", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using nodes = await trio({ folder: folder.path, home, postgres });
    const { one, two, three } = nodes;
    const { timerId, tunerId } = await recordingOn(one, home, 24 * SECOND);
    const silent = tunerId === "sim@two" ? two : three;
    silent.signal("SIGSTOP");
    await one.until(timerId, ({ attempts }) => attempts[1]?.flowingAt !== undefined);
    silent.signal("SIGCONT");
    await says(one, "ending a capture of a node that was lost");
    const { state, attempts, evidence } = await one.until(timerId, isOver);
    expect([state, attempts.length, attempts[0]?.cause]).toEqual(["completed", 2, "CAPTURE_DIED"]);
    // The capture of the silent node went on until its replacement had begun.
    expect(evidence).toMatchObject({ continuityErrors: 0, gaps: [] });
    expect(one.said + two.said + three.said).not.toContain(SECRET);
  });

  it("record what was planned on their tuners while leader and database are dead, and the next leader takes it up", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using nodes = await trio({ folder: folder.path, home, postgres });
    const { one, two, three } = nodes;
    const start = soon() + 30 * SECOND;
    const show = { channel: 1, title: "Survivor", start, durationMs: 12 * SECOND };
    const timerId = await home.world.book(show, home.deviceId);
    const { tunerId = "" } = await one.until(timerId, ({ state }) => state === "planned");
    const alone = tunerId === "sim@two" ? two : three;
    const part = () => readFile(join(alone.data, "part.json"), "utf8").catch(() => "");
    await expect.poll(part).toContain(`"timerId":"${timerId}"`);
    await postgres.end("immediate");
    await losePower(one);
    await says(alone, "recording without a leader");
    await pause(start + show.durationMs / 2 - Date.now());
    await postgres.start();
    const next = await Promise.race(
      [two, three].map(async (node) => {
        await says(node, "this node leads the fleet");
        return node;
      }),
    );
    const { state, attempts, evidence } = await next.until(timerId, isOver);
    expect([state, attempts.length, attempts[0]?.tunerId]).toEqual(["completed", 1, tunerId]);
    expect(evidence).toMatchObject({ verdict: "perfect", continuityErrors: 0, gaps: [] });
  });
});
