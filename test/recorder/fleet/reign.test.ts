import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FleetDatabase } from "../../../src/recorder/fleet/database.ts";
import { look, type NodeCard, renew, take } from "../../../src/recorder/fleet/lease.ts";
import { Reign } from "../../../src/recorder/fleet/reign.ts";
import { openSharedDocument } from "../../../src/recorder/fleet/shared-document.ts";
import { openSharedLedger, readSharedLedger } from "../../../src/recorder/fleet/shared-ledger.ts";
import { Postgres } from "../../postgres/postgres.ts";
import { whyNoPostgres } from "../../postgres/programs.ts";
import { fleetDatabase, lossyWay } from "./fleet-database.ts";

const why = whyNoPostgres();

let postgres: Postgres;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start();
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());

const node = (name: string): NodeCard => ({
  ...{ web: "", keeps: false, home: "" },
  ...{ node: name, name, version: "1", trouble: "" },
  ...{ address: "", certificate: "", tuners: [] },
});

async function reignOf(database: FleetDatabase, name: string): Promise<Reign> {
  const taken = await take(database, node(name), await look(database, node(name)));
  return new Reign(database, taken?.term ?? 0);
}

interface Plan {
  readonly recordings: Readonly<Record<string, { readonly state: string }>>;
  readonly outbox: readonly number[];
}

/** The plan as the database has it; a new one is empty, or that of this node. */
async function planIn(reign: Reign, own?: Plan) {
  return openSharedDocument<Plan>({
    reign,
    name: "plan",
    format: {
      schemaVersion: 1,
      parse: (stored, { old = new Map() }) => {
        const { recordings, outbox } = stored as Plan;
        return { recordings: { ...Object.fromEntries(old), ...recordings } as Plan["recordings"], outbox };
      },
      split: ({ recordings, outbox }) => {
        const isOld = ([, { state }]: readonly [string, { readonly state: string }]) => state === "completed";
        const all = Object.entries(recordings);
        const now = { outbox, recordings: Object.fromEntries(all.filter((one) => !isOld(one))) };
        return { now, past: { old: new Map(all.filter(isOld)) } };
      },
      empty: () => ({ recordings: {}, outbox: [] }),
    },
    earlier: async () => own,
  });
}

async function collected<T>(all: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const each of all) found.push(each);
  return found;
}

const storedPlan = async (reign: Reign) => (await planIn(reign)).current;

describe.skipIf(why !== undefined)(`the lease of a fleet${why === undefined ? "" : ` (${why})`}`, () => {
  it("goes to one of those that take it after the same look", async () => {
    await using database = await fleetDatabase(postgres.url(await postgres.createDatabase()));
    const seen = await look(database, node("a"));
    const taken = await Promise.all(["a", "b", "c"].map((name) => take(database, node(name), seen)));
    expect(taken.filter((one) => one !== undefined)).toEqual([{ term: 1, aliveAt: 0 }]);
  });

  it("stays with a leader that renews it after the look", async () => {
    await using database = await fleetDatabase(postgres.url(await postgres.createDatabase()));
    const { term } = await reignOf(database, "a");
    const seen = await look(database, node("b"));
    expect(await renew(database, node("a"), { term, aliveAt: 7, captures: [], idle: [] })).toEqual({
      ...{ isUnwanted: false, isHomeAble: false },
    });
    expect(await take(database, node("b"), seen)).toBeUndefined();
    expect(await take(database, node("b"), await look(database, node("b")))).toEqual({ term: 2, aliveAt: 7 });
    expect(await renew(database, node("a"), { term, aliveAt: 8, captures: [], idle: [] })).toBeUndefined();
  });
});

describe.skipIf(why !== undefined)(`the home of a fleet${why === undefined ? "" : ` (${why})`}`, () => {
  const at = (name: string, home: string) => ({ ...node(name), home });
  const leads = async (database: FleetDatabase, card: NodeCard) =>
    await take(database, card, await look(database, card));
  const mayHave = async (database: FleetDatabase) => {
    const rows = await database.query("SELECT name FROM fleet_nodes WHERE led IS NOT NULL ORDER BY name");
    return rows.map(({ name }) => name);
  };

  it("is known to be able while it runs, and who leads in its place may have its recordings", async () => {
    await using database = await fleetDatabase(postgres.url(await postgres.createDatabase()));
    expect(await look(database, at("attic", "cellar"))).toMatchObject({ isHomeAble: false, home: "" });
    await leads(database, at("cellar", "cellar"));
    expect(await look(database, at("attic", "cellar"))).toMatchObject({ isHomeAble: true, home: "cellar" });
    expect(await mayHave(database)).toEqual([]);
    await leads(database, at("attic", "cellar"));
    expect(await mayHave(database)).toEqual(["attic"]);
  });

  it("gets the recordings of an earlier one, and nothing is noted while the nodes share a folder", async () => {
    await using database = await fleetDatabase(postgres.url(await postgres.createDatabase()));
    await leads(database, node("cellar"));
    await leads(database, node("attic"));
    expect(await mayHave(database)).toEqual([]);
    await leads(database, at("cellar", "cellar"));
    await leads(database, at("attic", "attic"));
    expect(await mayHave(database)).toEqual(["cellar"]);
  });
});

describe.skipIf(why !== undefined)(`the state of a fleet${why === undefined ? "" : ` (${why})`}`, () => {
  it("takes nothing from a leader whose term is over, and the leader learns it", async () => {
    await using database = await fleetDatabase(postgres.url(await postgres.createDatabase()));
    const first = await reignOf(database, "a");
    const before = await planIn(first);
    const ledger = await openSharedLedger(first, async function* () {});
    await before.commit({ recordings: { r1: { state: "recording" } }, outbox: [1] });
    const second = await reignOf(database, "b");
    expect(first.lost.aborted).toBe(false);
    await expect(before.commit({ recordings: {}, outbox: [] })).rejects.toMatchObject({
      code: "STORE_LOCKED",
    });
    expect(first.lost.aborted).toBe(true);
    await expect(ledger.append([{ at: 1, fact: "late" }])).rejects.toMatchObject({ code: "STORE_LOCKED" });
    expect(await storedPlan(second)).toEqual({ recordings: { r1: { state: "recording" } }, outbox: [1] });
    expect(await collected(readSharedLedger(database))).toEqual([]);
  });

  it("takes nothing from a try that arrives after a later one", async () => {
    await using database = await fleetDatabase(postgres.url(await postgres.createDatabase()));
    const reign = await reignOf(database, "a");
    const plan = await planIn(reign);
    await plan.commit({ recordings: {}, outbox: [1] });
    await plan.commit({ recordings: {}, outbox: [2] });
    // It has the number of the first one.
    const late = await planIn(new Reign(database, reign.term));
    await expect(late.commit({ recordings: {}, outbox: [9] })).rejects.toMatchObject({
      code: "STORE_LOCKED",
    });
    expect((await storedPlan(reign)).outbox).toEqual([2]);
  });

  it("keeps what was committed last when an answer was lost, whether that write took place or not", async () => {
    const name = await postgres.createDatabase();
    await using way = await lossyWay(postgres.port);
    await using direct = await fleetDatabase(postgres.url(name));
    await using database = await fleetDatabase(`postgres://guide@127.0.0.1:${way.port}/${name}`);
    const reign = await reignOf(database, "a");
    const plan = await planIn(reign);
    const ledger = await openSharedLedger(reign, async function* () {});
    const kept = { state: "recording" };
    await plan.commit({ recordings: { kept }, outbox: [] });
    way.loseNextAnswer();
    const uncertain = plan.commit({ recordings: { kept, lost: { state: "planned" } }, outbox: [] });
    await expect(uncertain).rejects.toMatchObject({ code: "STORE_WRITE_FAILED" });
    expect(plan.current.recordings).toEqual({ kept });
    await plan.commit({ recordings: { kept, other: { state: "planned" } }, outbox: [3] });
    way.loseNextAnswer();
    await expect(ledger.append([{ at: 1, fact: "one" }])).rejects.toMatchObject({
      code: "STORE_WRITE_FAILED",
    });
    await ledger.append([{ at: 1, fact: "one" }]);
    const after = await reignOf(direct, "b");
    expect(await storedPlan(after)).toEqual({
      recordings: { kept, other: { state: "planned" } },
      outbox: [3],
    });
    expect(await collected(readSharedLedger(direct))).toEqual([{ at: 1, fact: "one" }]);
  });

  it("has a document value by value, in the order in which they came, and writes those that changed", async () => {
    await using database = await fleetDatabase(postgres.url(await postgres.createDatabase()));
    const reign = await reignOf(database, "a");
    const plan = await planIn(reign);
    const [b, a] = [{ state: "planned" }, { state: "planned \u0000 “é”" }];
    await plan.commit({ recordings: { b, a }, outbox: [1, 2] });
    const places = () =>
      database.query("SELECT id, xmin::text AS version FROM fleet_values ORDER BY document, collection, id");
    const first = await places();
    await plan.commit({ recordings: { b, a, c: { state: "planned" } }, outbox: plan.current.outbox });
    const unchanged = new Set((await places()).map(({ version }) => version));
    expect(first.filter(({ version }) => !unchanged.has(version))).toEqual([]);
    await plan.commit({ ...plan.current, recordings: { a, c: { state: "completed" } } });
    const stored = await storedPlan(reign);
    expect(stored).toEqual({ recordings: { a, c: { state: "completed" } }, outbox: [1, 2] });
    await plan.commit({ recordings: {}, outbox: [] });
    expect(await storedPlan(reign)).toEqual({ recordings: {}, outbox: [] });
  });

  it("begins with what its first leader has, and never takes that of a later one", async () => {
    const own = { recordings: { r: { state: "planned" } }, outbox: [1] };
    const other = { recordings: {}, outbox: [2] };
    await using one = await fleetDatabase(postgres.url(await postgres.createDatabase()));
    expect((await planIn(await reignOf(one, "a"), own)).current).toEqual(own);
    expect((await planIn(await reignOf(one, "b"), other)).current).toEqual(own);
    await using two = await fleetDatabase(postgres.url(await postgres.createDatabase()));
    expect((await planIn(await reignOf(two, "a"))).current).toEqual({ recordings: {}, outbox: [] });
    expect((await planIn(await reignOf(two, "b"), other)).current).toEqual({ recordings: {}, outbox: [] });
  });

  it("has each fact once in the ledger, also those that a crash kept out", async () => {
    await using database = await fleetDatabase(postgres.url(await postgres.createDatabase()));
    const earlier = async function* () {
      for (let at = 1; at <= 1200; at += 1) yield { at, fact: "earlier", timerId: `${at % 2}` };
    };
    const ledger = await openSharedLedger(await reignOf(database, "a"), earlier);
    const facts = [1, 2, 3].map((at) => ({ at, fact: "new" }));
    await ledger.append(facts.slice(0, 2));
    await ledger.catchUp(facts);
    await ledger.catchUp(facts);
    const all = await collected(readSharedLedger(database));
    expect([all.length, all[0], ...all.slice(-3)]).toEqual([
      1203,
      { at: 1, fact: "earlier", timerId: "1" },
      ...facts,
    ]);
    expect(await collected(readSharedLedger(database, { timerId: "1" }))).toHaveLength(600);
  });
});
