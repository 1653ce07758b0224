import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { Config } from "../../../src/recorder/config/schema.ts";
import { openFleetDatabase } from "../../../src/recorder/fleet/access.ts";
import { Fleet } from "../../../src/recorder/fleet/fleet.ts";
import { fleetOverview } from "../../../src/recorder/fleet/overview.ts";
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
  return {
    fleet,
    /** How often it was told to end its captures. */
    stoodBy: () => stoodBy,
    overview: async () => {
      await using own = await openFleetDatabase(config, { use: "state", clock });
      return await fleetOverview(own);
    },
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
});
