import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine } from "../../../src/guide-server/data/engine.ts";
import { ShowNews } from "../../../src/guide-server/data/show-news.ts";
import { openShows } from "../../../src/guide-server/data/shows.ts";
import { openSqliteRecords } from "../../../src/guide-server/data/sqlite-records.ts";
import { type GuideStore, Store, type StoreParts } from "../../../src/guide-server/data/store.ts";
import { put } from "../../../src/guide-server/data/tables.ts";
import { takeId } from "../../../src/guide-server/domain/ids.ts";
import { newTimer } from "../../../src/guide-server/domain/timer-add.ts";
import { settleAccount } from "../../../src/guide-server/settle.ts";
import { HOUR } from "../../../src/model/time.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-store-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const accountOf = (id: string) => ({ id, email: `${id}@example.org`, regionId: 1, createdAt: 0 });
const account = (id: string) => put("accounts", accountOf(id));
const favourite = (accountId: string, seriesId: string) =>
  put("favourites", { id: `${accountId} ${seriesId}`, accountId, seriesId });
const device = (accountId: string, id: number) =>
  put("devices", { id, accountId, uid: "", label: "Lounge", typeId: 1 });

/** Writes as another process would. */
let otherWrite: Engine["write"];
/** The version on the disk. */
let present: Engine["versionOf"];

/** A store whose engine `change` may alter. */
async function opened(change: (engine: Engine) => Partial<Engine> = () => ({})): Promise<GuideStore> {
  const engine = await openSqliteRecords(join(folder, "guide.db"));
  otherWrite = (entries) => engine.write(entries);
  present = (owner) => engine.versionOf(owner);
  const own: Engine = {
    isShared: engine.isShared,
    load: (owner) => engine.load(owner),
    versionOf: (owner) => engine.versionOf(owner),
    locate: (table, id) => engine.locate(table, id),
    ownerOfEmail: (email) => engine.ownerOfEmail(email),
    page: (table, after) => engine.page(table, after),
    ownersOfTimers: (shows) => engine.ownersOfTimers(shows),
    ownersOfOld: (table, before, after) => engine.ownersOfOld(table, before, after),
    first: (table) => engine.first(table),
    counters: () => engine.counters(),
    reserve: (kind, count) => engine.reserve(kind, count),
    write: (entries) => engine.write(entries),
    addUnfollowed: (shows) => engine.addUnfollowed(shows),
    unfollowed: () => engine.unfollowed(),
    removeUnfollowed: (shows) => engine.removeUnfollowed(shows),
    fact: (name) => engine.fact(name),
    keepFact: (name, value) => engine.keepFact(name, value),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
    ...change(engine),
  };
  const shows = await openShows(folder);
  const others = { tell: () => {}, hear: () => {} };
  const alone = { others, alone: (work: () => Promise<never>) => work(), job: async () => true };
  return await Store.open({ engine: own, shows, news: new ShowNews(0), ...alone } as StoreParts);
}

describe("the store", () => {
  it("shows a change to readers and tells of it only when it is on the disk", async () => {
    let open = () => {};
    let gate: Promise<void> | undefined;
    await using store = await opened((engine) => ({
      write: async (entries) => {
        await gate;
        return await engine.write(entries);
      },
    }));
    await store.commitShared(() => ({ changes: [account("1")], value: 0 }));
    const tables = await store.of("1");
    let told = 0;
    store.subscribe("1", () => {
      told += 1;
    });
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const done = store.commit("1", () => ({ changes: [device("1", 5)], value: 0 }));
    await new Promise((resolve) => setImmediate(resolve));
    expect([tables.devices.size, told]).toEqual([0, 0]);
    open();
    await done;
    expect([tables.devices.size, told]).toEqual([1, 1]);
    expect(tables.seen).not.toBe("");
  });

  it("makes a decision again if the records have changed meanwhile", async () => {
    let meanwhile: Engine["write"] | undefined;
    await using store = await opened((engine) => ({
      isShared: true,
      write: async (entries) => {
        const outcome = await meanwhile?.(entries);
        meanwhile = undefined;
        return outcome ?? (await engine.write(entries));
      },
    }));
    await store.commitShared(() => ({ changes: [account("1")], value: 0 }));
    // Another process stores the first change, and then one of its own.
    meanwhile = async ([entry]) => {
      const move = { owner: "1", from: entry?.moves[0]?.from, to: "theirs" };
      const theirs = { ...device("1", 7), owner: "1" };
      return await otherWrite([{ moves: [move], changes: [theirs], counters: [] }]).then(() => ["stale"]);
    };
    const seen: number[] = [];
    const decided = await store.commit("1", ({ devices }) => {
      seen.push(devices.size);
      return { changes: [device("1", 8)], value: [...devices.keys()] };
    });
    expect([seen, decided]).toEqual([[0, 1], ["7"]]);
    expect([...(await store.of("1")).devices.keys()]).toEqual(["7", "8"]);
  });

  it("never takes a read that began before the change that is meant", async () => {
    let open = () => {};
    let gate: Promise<void> | undefined;
    await using store = await opened((engine) => ({
      isShared: true,
      load: async (owner) => {
        const loaded = await engine.load(owner);
        await gate;
        return loaded;
      },
    }));
    await store.commitShared(() => ({ changes: [account("1")], value: 0 }));
    const written = async (from: string | undefined, to: string, id: number) => {
      const changes = [{ ...device("1", id), owner: "1" }];
      return await otherWrite([{ moves: [{ owner: "1", from, to }], changes, counters: [] }]);
    };
    await store.commit("1", () => ({ changes: [device("1", 5)], value: 0 }));
    expect(await written(await present("1"), "second", 6)).toEqual(["written"]);
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const early = store.of("1");
    await new Promise((resolve) => setImmediate(resolve));
    expect(await written("second", "third", 7)).toEqual(["written"]);
    const late = store.of("1").then(({ devices }) => [...devices.keys()]);
    await new Promise((resolve) => setImmediate(resolve));
    open();
    await early;
    expect(await late).toEqual(["5", "6", "7"]);
  });

  it("keeps the records of an account apart from those of all others", async () => {
    await using store = await opened();
    await store.commitShared(() => ({ changes: [account("1"), account("2")], value: 0 }));
    await store.commit("1", () => ({ changes: [favourite("1", "x")], value: 0 }));
    expect((await store.of("2")).favourites.size).toBe(0);
    expect(store.catalogue.favourites.size).toBe(0);
    await expect(store.commit("2", () => ({ changes: [favourite("1", "y")], value: 0 }))).rejects.toThrow(
      /another account/,
    );
  });

  it("adds votes of accounts up without deciding again", async () => {
    const series = { id: "s1", summary: { id: "s1", title: "Lighthouses" }, votes: 0, isNew: false };
    await using store = await opened();
    const names = ["1", "2", "3"];
    await store.commitShared(() => ({ changes: [...names.map(account), put("series", series)], value: 0 }));
    let decided = 0;
    const votes = names.map((name) =>
      store.commit(name, (tables) => {
        decided += 1;
        const known = tables.series.get("s1") ?? series;
        const changes = [favourite(name, "s1"), put("series", { ...known, votes: known.votes + 1 })];
        return { changes, value: 0 };
      }),
    );
    await Promise.all(votes);
    expect([decided, store.catalogue.series.get("s1")?.votes]).toEqual([3, 3]);
    await store[Symbol.asyncDispose]();
    await using again = await opened();
    expect(again.catalogue.series.get("s1")?.votes).toBe(3);
  });

  it("keeps votes that are given while the series is published again", async () => {
    const series = { id: "s1", summary: { id: "s1", title: "Lighthouses" }, votes: 4, isNew: false };
    await using store = await opened();
    await store.commitShared(() => ({ changes: [account("1"), put("series", series)], value: 0 }));
    // Another process has written it, and this one does not know.
    await otherWrite([{ moves: [], changes: [], counters: [], votes: [series] }]);
    const voted = store.commit("1", () => ({
      changes: [favourite("1", "s1"), put("series", { ...series, votes: 5 })],
      value: 0,
    }));
    const renamed = store.commitShared(({ series: known }) => ({
      changes: [put("series", { ...series, votes: known.get("s1")?.votes ?? 0, isNew: true })],
      value: 0,
    }));
    await Promise.all([voted, renamed]);
    expect(store.catalogue.series.get("s1")).toMatchObject({ votes: 5, isNew: true });
    await store[Symbol.asyncDispose]();
    await using again = await opened();
    expect(again.catalogue.series.get("s1")).toMatchObject({ votes: 6, isNew: true });
  });

  it("is not written for an account whose timers no rule has made", async () => {
    let writes = 0;
    await using store = await opened((engine) => ({
      write: (entries) => {
        writes += 1;
        return engine.write(entries);
      },
    }));
    await store.commitShared(() => ({ changes: [account("1")], value: 0 }));
    const show = { showId: 5, eitId: 5, channelId: 7, name: "x", start: HOUR, durationMinutes: 60 };
    const timer = newTimer(show, { id: 1, accountId: "1", deviceId: 5, now: 0 });
    await store.commit("1", () => ({ changes: [device("1", 5), put("timers", timer)], value: 0 }));
    const tables = await store.of("1");
    const settle = () => settleAccount(store, { account: accountOf("1"), tables, now: 0 });
    const before = writes;
    await settle();
    expect(writes).toBe(before);
    await store.commit("1", () => ({ changes: [put("timers", { ...timer, ruleId: 3 })], value: 0 }));
    await settle();
    expect(writes).toBeGreaterThan(before + 1);
  });

  it("gives no id twice, though decisions overlap", async () => {
    await using store = await opened();
    const names = ["1", "2", "3"];
    await store.commitShared(() => ({ changes: names.map(account), value: 0 }));
    const taken = Array.from({ length: 60 }, (_, at) =>
      store.commit(names[at % 3] ?? "", (tables) => {
        const { id, change } = takeId(tables, "timer");
        return { changes: [change, favourite(names[at % 3] ?? "", String(at))], value: id };
      }),
    );
    expect(new Set(await Promise.all(taken)).size).toBe(60);
    await store[Symbol.asyncDispose]();
    await using again = await opened();
    expect(again.catalogue.counters.get("timer")).toEqual({ id: "timer", next: 61 });
  });
});
