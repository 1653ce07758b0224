import { readFile, stat } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECOND } from "../../src/model/time.ts";
import { openInspection } from "../../src/recorder/evidence/file-inspection.ts";
import { commandLine } from "../cli/command-line.ts";
import { freePort } from "../free-port.ts";
import { pause, type Recorder, type TestWorld, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { Postgres } from "../postgres/postgres.ts";
import { whyNoPostgres } from "../postgres/programs.ts";
import { endNodes, hostsOf, isOver, losePower, nodesIn, recordingOn, says, simOf } from "./nodes.ts";

const why = whyNoPostgres();

let postgres: Postgres;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start();
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());

interface Pair extends AsyncDisposable {
  readonly one: Recorder;
  readonly two: Recorder;
}

/** Two recorders with one configuration, one folder of recordings and one database; the first one leads. */
async function pair(folder: string, home: TestWorld, more: object = {}): Promise<Pair> {
  const install = await nodesIn({ folder, home, postgres });
  const nodes = { one: await install("one", more), two: await install("two", more) };
  await nodes.one.start();
  nodes.two.launch();
  await says(nodes.two, "this node stands by");
  return { ...nodes, [Symbol.asyncDispose]: () => endNodes(Object.values(nodes)) };
}

async function nodesOf({ config }: Recorder) {
  const { out } = await commandLine(["fleet", "--json", "--config", config]);
  const { term, nodes } = JSON.parse(out);
  return { term, roles: nodes.map(({ name, role }: { name: string; role: string }) => `${name}: ${role}`) };
}

/** Reads the whole file as a player would. */
async function inspectionOf(file: string) {
  await using opened = openInspection(file, undefined);
  return await opened.advance(new AbortController().signal);
}

describe.skipIf(why !== undefined)(`a standby recorder${why === undefined ? "" : ` (${why})`}`, () => {
  it("goes on with the recording of a leader whose machine dies, and declares the gap", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using nodes = await pair(folder.path, home);
    const { one, two } = nodes;
    expect(await nodesOf(one)).toEqual({ term: 1, roles: ["one: leader", "two: standby"] });
    const { show, timerId } = await recordingOn(one, home, 24 * SECOND);
    await pause(show.start + 5 * SECOND - Date.now());
    const diedAt = Date.now();
    await losePower(one);

    const continued = await two.until(timerId, ({ attempts }) => attempts.at(-1)?.number === 2);
    const [first, second] = continued.attempts;
    expect(first?.cause).toBe("CAPTURE_DIED");
    process.stderr.write(
      `the standby began its attempt ${(second?.startedAt ?? 0) - diedAt} ms after the death\n`,
    );
    const { state, evidence } = await two.until(timerId, isOver);
    expect(state).toBe("partial");
    expect(evidence).toMatchObject({ kept: [1, 2], segments: 2, continuityErrors: 0 });
    expect(evidence?.gaps).toHaveLength(1);
    const [gap] = evidence?.gaps ?? [];
    expect(gap?.start).toBeLessThan(diedAt + SECOND);
    expect(gap?.stop).toBeGreaterThan(diedAt);
    const file = evidence?.file ?? "";
    // The hole in the stream's own clock is the gap that is declared.
    const { junkBytes, spans } = await inspectionOf(file);
    expect([junkBytes, spans.length, (await stat(file)).size]).toEqual([0, 2, evidence?.bytes]);
    const holeMs = (spans[1]?.start ?? 0) - (spans[0]?.stop ?? 0);
    expect(holeMs).toBeCloseTo((gap?.stop ?? 0) - (gap?.start ?? 0), -2);
    const sidecar = JSON.parse(await readFile(file.replace(/\.ts$/, ".json"), "utf8"));
    // A busy machine needs longer, and the gap is a larger share then.
    expect(sidecar).toMatchObject({
      title: "Survivor",
      verdict: expect.stringMatching(/^(damaged|unusable)$/),
    });
    expect(await nodesOf(two)).toEqual({ term: 2, roles: ["two: leader", "one: standby"] });
    const { out } = await commandLine(["why", timerId, "--config", two.config]);
    expect(out).toContain("Survivor");

    one.launch();
    await says(one, '"leader":"two"');
    expect(await one.snapshot()).toBeUndefined();
  });

  it("leads to the dashboard of the leader, and has its own when it leads", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const install = await nodesIn({ folder: folder.path, home, postgres });
    const ports = { one: await freePort(), two: await freePort() };
    const node = (name: "one" | "two") =>
      install(name, { web: { port: ports[name], names: [`${name}.example`] } });
    const nodes = { one: await node("one"), two: await node("two") };
    const page = (name: "one" | "two") => fetch(`http://127.0.0.1:${ports[name]}/`, { redirect: "manual" });
    try {
      await nodes.one.start();
      nodes.two.launch();
      await says(nodes.two, "this node stands by");
      const answer = await page("two");
      expect([answer.status, answer.headers.get("location")]).toEqual([
        307,
        `http://one.example:${ports.one}/`,
      ]);
      await losePower(nodes.one);
      await says(nodes.two, "the dashboard and the API are available");
      expect((await page("two")).status).toBe(200);
    } finally {
      await endNodes(Object.values(nodes));
    }
  });

  it("takes over from a leader that is paused, which then stops its captures and changes nothing", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using nodes = await pair(folder.path, home);
    const { one, two } = nodes;
    const { show, timerId } = await recordingOn(one, home, 24 * SECOND);
    await pause(show.start + 4 * SECOND - Date.now());
    one.signal("SIGSTOP");
    await two.until(timerId, ({ attempts }) => attempts.length === 2);
    expect(await hostsOf(one)).toHaveLength(1);
    one.signal("SIGCONT");
    await says(one, "captures of this node have ended");
    await expect.poll(() => hostsOf(one)).toEqual([]);
    await says(one, "this node stands by");
    const { evidence, attempts } = await two.until(timerId, isOver);
    expect(attempts.map(({ number }) => number)).toEqual([1, 2]);
    expect(evidence).toMatchObject({ kept: [1, 2], continuityErrors: 0 });
    expect(await inspectionOf(evidence?.file ?? "")).toMatchObject({ junkBytes: 0 });
  });

  it("stands by while the database is away, and the leader loses nothing", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using nodes = await pair(folder.path, home);
    const { one, two } = nodes;
    const { show, timerId } = await recordingOn(one, home, 16 * SECOND);
    await pause(show.start + 2 * SECOND - Date.now());
    await postgres.end("immediate");
    await says(one, "the lead in the fleet cannot be renewed");
    await says(two, "the database of the fleet is not available");
    await pause(8 * SECOND);
    await postgres.start();
    const { state, evidence, attempts } = await one.until(timerId, isOver);
    expect([state, attempts.length, evidence?.gaps]).toEqual(["completed", 1, []]);
    expect(await nodesOf(one)).toEqual({ term: 1, roles: ["one: leader", "two: standby"] });
  });

  it("is not needed for a show that begins and ends while the database is away", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, 2);
    const sim = simOf({ home });
    const tuners = [1, 2].map((number) => ({ ...sim, id: `sim-${number}` }));
    await using nodes = await pair(folder.path, home, { tuners });
    const { one, two } = nodes;
    const { show, timerId: other } = await recordingOn(one, home, 40 * SECOND);
    const start = show.start + 22 * SECOND;
    const timerId = await home.world.book(
      { ...show, channel: 2, start, durationMs: 6 * SECOND },
      home.deviceId,
    );
    await one.until(timerId, ({ state }) => state === "planned");
    await postgres.end("immediate");
    expect(Date.now()).toBeLessThan(start - 10 * SECOND);
    await says(two, "the database of the fleet is not available");
    await says(one, "recordings begin and end, and all else waits");
    await one.until(timerId, ({ state }) => state === "closing");
    expect((await home.world.guide.timerReports(timerId)).at(-1)?.state).toBe("waiting");
    await postgres.start();
    for (const id of [timerId, other]) {
      const { state, evidence, attempts } = await one.until(id, isOver);
      expect([state, attempts.length, evidence?.gaps]).toEqual(["completed", 1, []]);
    }
    const said = async () => (await home.world.guide.timerReports(timerId)).at(-1)?.state;
    await expect.poll(said).toBe("completed");
  });
});
