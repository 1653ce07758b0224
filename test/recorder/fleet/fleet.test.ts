import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { Config } from "../../../src/recorder/config/schema.ts";
import { openFleetDatabase } from "../../../src/recorder/fleet/access.ts";
import type { FleetDatabase } from "../../../src/recorder/fleet/database.ts";
import { drainNode, drainProgress, resumeNode } from "../../../src/recorder/fleet/drain.ts";
import { Fleet } from "../../../src/recorder/fleet/fleet.ts";
import { FLEET_LIMITS } from "../../../src/recorder/fleet/limits.ts";
import { fleetOverview } from "../../../src/recorder/fleet/overview.ts";
import type { DocumentFormat } from "../../../src/recorder/store/state-store.ts";
import { Postgres } from "../../postgres/postgres.ts";
import { whyNoPostgres } from "../../postgres/programs.ts";

const why = whyNoPostgres();
const clock = systemClock();

const openPorts = () => Promise.reject(new Error("this fleet has no secret"));

let postgres: Postgres;
let folder: string;
let database: string;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start();
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-fleet-"));
  if (why === undefined) database = postgres.url(await postgres.createDatabase());
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The configuration of a node; those with one name for their recordings share them. */
async function configOf(node: string, recordings: string): Promise<Config> {
  const at = (name: string) => join(folder, name);
  await mkdir(at(node), { recursive: true });
  await mkdir(join(at(recordings), ".recorderd"), { recursive: true });
  return Config.parse({
    guide: { url: "http://127.0.0.1:1/", regionId: 1 },
    recordings: { folder: at(recordings) },
    tuners: [{ kind: "mock", id: "a", broadcaster: "http://127.0.0.1:1/" }],
    data: { folder: at(node) },
    fleet: { database, node },
  });
}

async function nodeWith(node: string, recordings = "shared") {
  const config = await configOf(node, recordings);
  let stoodBy = 0;
  const onStandBy = async () => {
    stoodBy += 1;
  };
  const fleet = await Fleet.open(config, { clock, log: silentLog, onPulse: () => {}, onStandBy, openPorts });
  const using = async <T>(work: (own: FleetDatabase) => Promise<T>): Promise<T> => {
    await using own = await openFleetDatabase(config, { use: "state", clock });
    return await work(own);
  };
  return {
    fleet,
    /** How often it was told to end its captures. */
    stoodBy: () => stoodBy,
    drain: (name: string) => using((own) => drainNode(own, name)),
    resume: (name: string) => using((own) => resumeNode(own, name)),
    progress: (name: string) => using((own) => drainProgress(own, name)),
    overview: () => using(fleetOverview),
    [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose](),
  };
}

const never = new AbortController().signal;

describe.skipIf(why !== undefined)(`the lead of a fleet${why === undefined ? "" : ` (${why})`}`, () => {
  it("goes to the node that waits when the leader releases it", async () => {
    await using one = await nodeWith("one");
    expect(await one.fleet.lead(never)).toBeDefined();
    await using two = await nodeWith("two");
    const next = two.fleet.lead(never);
    await expect.poll(two.stoodBy).toBe(1);
    await one.fleet.release();
    expect(await next).toBeDefined();
    const { term, nodes } = await two.overview();
    expect([term, nodes.map(({ name, role }) => [name, role])]).toEqual([
      2,
      [
        ["two", "leader"],
        ["one", "standby"],
      ],
    ]);
  });

  it("returns at once to a node that starts again, whose captures go on", async () => {
    {
      await using before = await nodeWith("one");
      await before.fleet.lead(never);
    }
    await using one = await nodeWith("one");
    const lead = await one.fleet.lead(never);
    expect([lead?.lost.aborted, one.stoodBy(), (await one.overview()).term]).toEqual([false, 0, 2]);
  });

  it("goes to no node that does not see the shared folder, and such a node says so", async () => {
    await using one = await nodeWith("one");
    await one.fleet.lead(never);
    await using two = await nodeWith("two", "own");
    const ending = new AbortController();
    const waiting = two.fleet.lead(ending.signal);
    const trouble = async () => (await one.overview()).nodes.find(({ name }) => name === "two")?.trouble;
    await expect.poll(trouble).toContain("is not the folder that the fleet shares");
    await one.fleet.release();
    await expect
      .poll(async () => (await one.overview()).nodes.map(({ role }) => role))
      .toEqual(["standby", "standby"]);
    ending.abort();
    expect(await waiting).toBeUndefined();
  });

  it("is handed over by a leader that is drained, and returns to it when no other node is left", async () => {
    await using one = await nodeWith("one");
    const lead = await one.fleet.lead(never);
    expect(await one.drain("one")).toMatch(/^one is the only node of the fleet/);
    expect(await one.drain("nobody")).toMatch(/ has no node nobody\. Its nodes: one$/);
    {
      await using two = await nodeWith("two");
      const next = two.fleet.lead(never);
      await expect.poll(two.stoodBy).toBe(1);
      expect(await one.drain("one")).toBeUndefined();
      await expect.poll(() => lead?.unwanted.aborted).toBe(true);
      expect(lead?.lost.aborted).toBe(false);
      const drainedAgain = one.fleet.lead(never);
      expect(await next).toBeDefined();
      expect(lead?.lost.aborted).toBe(true);
      await expect.poll(async () => (await one.progress("one"))?.isDone).toBe(true);
      expect(await one.drain("two")).toBe(
        "no other node could take over from two (one is drained), so nothing would be recorded: start or resume one first",
      );
      await two.fleet[Symbol.asyncDispose]();
      // It waits longer than others would, and leads in the end.
      expect((await drainedAgain)?.unwanted.aborted).toBe(false);
    }
    const { term, nodes } = await one.overview();
    expect([term, nodes.map(({ name, role }) => [name, role])]).toEqual([
      3,
      [
        ["one", "leader"],
        ["two", "standby"],
      ],
    ]);
    await one.resume("one");
    expect(await one.progress("one")).toBeUndefined();
  });

  it("does not leave a leader that records, if no other node could adopt its captures", async () => {
    await using one = await nodeWith("one");
    const lead = await one.fleet.lead(never);
    const format: DocumentFormat<object> = {
      schemaVersion: 1,
      empty: () => ({}),
      parse: (now) => now as object,
    };
    await using store = await lead?.state.openDocument("document", format);
    const attempts = [{ number: 1, tunerId: "a", startedAt: 1, boot: "b" }];
    await store?.commit({ recordings: { r1: { id: "r1", name: "Show", state: "recording", attempts } } });
    await using two = await nodeWith("two");
    const next = two.fleet.lead(never);
    await expect.poll(two.stoodBy).toBe(1);
    expect(await one.drain("one")).toBeUndefined();
    await expect.poll(async () => (await one.progress("one"))?.node.captures).toHaveLength(1);
    await clock.sleep(2 * FLEET_LIMITS.renewMs, never);
    expect(lead?.unwanted.aborted).toBe(false);
    await store?.commit({ recordings: {} });
    await expect.poll(() => lead?.unwanted.aborted).toBe(true);
    const over = new AbortController();
    const after = one.fleet.lead(over.signal);
    expect(await next).toBeDefined();
    over.abort();
    expect(await after).toBeUndefined();
  });
});
