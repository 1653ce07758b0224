import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Recording } from "../../src/model/recording.ts";
import { SECOND } from "../../src/model/time.ts";
import { commandLine } from "../cli/command-line.ts";
import { type Recorder, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { Postgres } from "../postgres/postgres.ts";
import { whyNoPostgres } from "../postgres/programs.ts";
import { endNodes, isOver, nodesIn, recordingOn, SECRET, says, simOf, tellFleet, trio } from "./nodes.ts";

const why = whyNoPostgres();

let postgres: Postgres;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start();
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());

const fleetOf = ({ config }: Recorder, ...words: readonly string[]) =>
  commandLine(["fleet", ...words, "--config", config]);

function tunersOf({ attempts }: Recording): readonly string[] {
  return attempts.map(({ tunerId }) => tunerId);
}

describe.skipIf(why !== undefined)(`a drained node${why === undefined ? "" : ` (${why})`}`, () => {
  it("hands its recording over without a lost packet, and records nothing new, also after a restart", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using nodes = await trio({ folder: folder.path, home, postgres });
    const { one, two, three } = nodes;
    const { timerId, tunerId } = await recordingOn(one, home, 24 * SECOND);
    const [drained, name, other] =
      tunerId === "sim@two" ? ([two, "two", "sim@three"] as const) : ([three, "three", "sim@two"] as const);
    const { out, err } = await fleetOf(two, "drain", name);
    expect(out).toBe(
      `${name} is drained and records nothing: it can be stopped. Undo: recorderd fleet resume ${name}`,
    );
    expect(err).toContain("still records Survivor");
    const moved = await one.until(timerId, ({ attempts }) => attempts.length === 2);
    expect([moved.state, tunersOf(moved)]).toEqual(["recording", [tunerId, other]]);

    await drained.stop();
    drained.launch();
    await says(drained, "the leader of the fleet may use the tuners of this node");
    expect((await fleetOf(one)).out).toMatch(new RegExp(`^${name}: drained since`, "m"));
    const { state, evidence } = await one.until(timerId, isOver);
    expect([state, evidence?.gaps, evidence?.continuityErrors]).toEqual(["completed", [], 0]);

    const next = await recordingOn(one, home, 4 * SECOND);
    expect(next.tunerId).toBe(other);
    expect((await fleetOf(one, "resume", name)).out).toBe(`${name} can lead and record again.`);
  });

  it("hands over the lead and its recording, if it leads", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const place = { folder: folder.path, home, postgres };
    const install = await nodesIn(place);
    const [one, two] = [
      await install("one", { tuners: [simOf(place)] }),
      await install("two", { tuners: [simOf(place)] }),
    ];
    await using _nodes = { [Symbol.asyncDispose]: () => endNodes([one, two]) };
    for (const node of [one, two]) await tellFleet(node, { secret: SECRET });
    await one.start();
    expect((await fleetOf(one, "drain", "one")).err).toContain("one is the only node of the fleet");
    two.launch();
    await says(one, "a node of the fleet records for this one");
    const { timerId, tunerId } = await recordingOn(one, home, 24 * SECOND);
    expect(tunerId).toBe("sim@one");
    const { out, err } = await fleetOf(one, "drain", "one");
    expect(out).toContain("one is drained and records nothing");
    process.stderr.write(`the command said: ${err}\n`);
    await says(two, "this node leads the fleet");
    const { state, evidence, attempts } = await two.until(timerId, isOver);
    expect(attempts.map((each) => [each.tunerId, each.cause])).toEqual([
      ["sim@one", "asked"],
      ["sim@two", "asked"],
    ]);
    expect([state, evidence?.gaps, evidence?.continuityErrors]).toEqual(["completed", [], 0]);
    const seen = await two.snapshot();
    expect(seen?.nodes?.map(({ name, state, isDrained }) => [name, state, isDrained])).toEqual([
      ["one", "standby", true],
      ["two", "leader", false],
    ]);
    expect(seen?.tuners.map(({ id, isDrained }) => [id, isDrained])).toEqual([
      ["sim@two", undefined],
      ["sim@one", true],
    ]);
    expect((await fleetOf(one, "resume", "one")).code).toBe(0);
    expect((await fleetOf(one, "drain", "two")).out).toContain("two is drained");
    await says(one, '"term":3,"node":"one","msg":"this node leads the fleet"');
  });
});
