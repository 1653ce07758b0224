import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CATALOGUE, SHOWS } from "../../../../src/guide-server/data/engine.ts";
import { openCluster } from "../../../../src/guide-server/data/postgres/guarded.ts";
import { openPostgresRecords } from "../../../../src/guide-server/data/postgres/postgres-records.ts";
import { openSharedStore } from "../../../../src/guide-server/data/postgres/shared-store.ts";
import type { Show } from "../../../../src/guide-server/data/show.ts";
import type { GuideStore } from "../../../../src/guide-server/data/store.ts";
import { put } from "../../../../src/guide-server/data/tables.ts";
import { newTimer } from "../../../../src/guide-server/domain/timer-add.ts";
import { followShows } from "../../../../src/guide-server/domain/timer-follow.ts";
import { silentLog } from "../../../../src/kit/log.ts";
import { parseDatabaseAddress } from "../../../../src/kit/postgres/address.ts";
import { type Clock, systemClock } from "../../../../src/kit/time/clock.ts";
import { HOUR, SECOND } from "../../../../src/model/time.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { freePort } from "../../../free-port.ts";
import { openFilesIn } from "../../../open-files.ts";
import { Postgres } from "../../../postgres/postgres.ts";
import { whyNoPostgres } from "../../../postgres/programs.ts";

const why = whyNoPostgres();

let postgres: Postgres;
let folder: string;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start();
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-shared-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function open(url: string, clock: Clock = systemClock(), place = folder): Promise<GuideStore> {
  return openSharedStore({
    address: parseDatabaseAddress(url),
    password: undefined,
    folder: place,
    clock,
    connectionClock: clock,
    log: silentLog,
  });
}

const fullShow = (show: Pick<Show, "id" | "channelId" | "start" | "durationMinutes" | "title">): Show => ({
  ...{ seriesId: "s", episodeId: "", subtitle: "", desc: "", category: [], rating: "", date: "" },
  ...show,
  eitId: show.id,
  updatedAt: 0,
});

const named = (account: string, id: string) =>
  ({
    ...put("users", { id, accountId: account, password: "", rights: "owner", createdAt: 0 }),
    owner: account,
  }) as const;

describe.skipIf(why !== undefined)(`a shared store${why === undefined ? "" : ` (${why})`}`, () => {
  it("refuses a name that another account has, and stores the others of the same group", async () => {
    const address = parseDatabaseAddress(postgres.url(await postgres.createDatabase()));
    await using cluster = await openCluster({ address });
    const { records } = await openPostgresRecords(cluster, "here");
    const entries = [
      { owner: "1", changes: [named("1", "eve")] },
      { owner: "2", changes: [named("2", "eve"), named("2", "ann")] },
      { owner: "3", changes: [named("3", "joe")] },
    ].map(({ owner, changes }) => ({
      moves: [{ owner, from: undefined, to: "first" }],
      changes,
      counters: [],
    }));
    expect(await records.write(entries)).toEqual(["written", "taken", "written"]);
  });

  it("adds up votes for a series that several processes create at once, and that one publishes again", async () => {
    const address = parseDatabaseAddress(postgres.url(await postgres.createDatabase()));
    await using cluster = await openCluster({ address });
    const { records } = await openPostgresRecords(cluster, "here");
    const series = (id: string) => ({ id, summary: { id, title: id }, votes: 1, isNew: false });
    const votes = (ids: readonly string[]) =>
      records.write([{ moves: [], changes: [], counters: [], votes: ids.map(series) }]);
    // Opens the connections.
    await Promise.all(Array.from({ length: 8 }, () => votes(["others"])));
    const ids = ["a", "b", "c"];
    await Promise.all(Array.from({ length: 8 }, (_, at) => votes(at % 2 === 0 ? ids : [...ids].reverse())));
    const move = { owner: CATALOGUE, from: "", to: "next" };
    const published = { ...put("series", { ...series("a"), votes: 3, isNew: true }), owner: CATALOGUE };
    await Promise.all([votes(ids), records.write([{ moves: [move], changes: [published], counters: [] }])]);
    const { records: stored } = await records.page("series", 0);
    expect(stored.map(({ id, votes: count, isNew }) => [id, count, isNew])).toEqual([
      ["others", 8, false],
      ["a", 9, true],
      ["b", 9, false],
      ["c", 9, false],
    ]);
  });

  it("writes every key of a series, though shows are put at once", async () => {
    const name = await postgres.createDatabase();
    await using store = await open(postgres.url(name));
    const { shows } = store;
    shows.seriesOf({ ids: ["first"], title: "First" });
    const writes = [shows.keepSource("one", {}), shows.keepSource("two", {})];
    await writes[0];
    // While the second one is under way.
    shows.seriesOf({ ids: ["second"], title: "Second" });
    await writes[1];
    await shows.keepSource("three", {});
    const [count] = await postgres.sql("SELECT count(*) FROM shows WHERE kind = 'series_keys'", name);
    expect(count).toBe("4");
  });

  it("leaves no file open where it cannot be opened", async () => {
    const name = await postgres.createDatabase();
    await (await open(postgres.url(name)))[Symbol.asyncDispose]();
    await postgres.sql(
      "INSERT INTO records (kind, id, owner, body, sum) VALUES ('regions', '1', '', '{}', 5)",
      name,
    );
    await expect(open(postgres.url(name))).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    expect(await openFilesIn(folder)).toEqual([]);
    await postgres.sql("DROP TABLE jobs; ALTER TABLE shows RENAME COLUMN body TO text", name);
    await expect(open(postgres.url(name))).rejects.toThrow();
    expect(await openFilesIn(folder)).toEqual([]);
  });

  it("moves timers that another process has booked, without reading other accounts", async () => {
    const name = await postgres.createDatabase();
    // An index is used wherever there is one, though the tables are small.
    await postgres.sql(`ALTER DATABASE ${name} SET enable_seqscan = off`);
    await using one = await open(postgres.url(name));
    const other = await mkdtemp(join(tmpdir(), "recorderd-shared-"));
    await using two = await open(postgres.url(name), systemClock(), other);
    const start = Date.UTC(2026, 10, 20, 20);
    const now = start - HOUR;
    const show = fullShow({ id: 5, channelId: 7, start, durationMinutes: 60, title: "Moved" });
    await one.shows.put([show]);
    const accounts = ["1", "2"].map((id) =>
      put("accounts", { id, email: `${id}@example.org`, regionId: 1, createdAt: 0 }),
    );
    await one.commitShared(() => ({ changes: accounts, value: 0 }));
    await one.of("1");
    const timer = newTimer(
      { showId: 5, eitId: 5, channelId: 7, name: "Moved", start, durationMinutes: 60 },
      { id: 1, accountId: "1", deviceId: 1, now },
    );
    await two.commit("1", () => ({ changes: [put("timers", timer)], value: 0 }));
    await one.shows.put([{ ...show, start: start + HOUR }]);
    await postgres.sql("SELECT pg_stat_reset()", name);
    expect(await followShows(one, now)).toBe(1);
    expect((await two.of("1")).timers.get("1")?.start).toBe(start + HOUR);
    expect(await two.unfollowed()).toEqual([]);
    await rm(other, { recursive: true, force: true });
    const read = await postgres.sql(
      "SELECT relname FROM pg_stat_user_tables WHERE seq_scan > 0 AND relname IN ('records', 'owners')",
      name,
    );
    expect(read).toEqual([]);
  });

  it("follows shows that a process changed which ended before the timers had followed", async () => {
    const name = await postgres.createDatabase();
    const start = Date.UTC(2026, 10, 20, 20);
    const now = start - HOUR;
    const show = fullShow({ id: 5, channelId: 7, start, durationMinutes: 60, title: "Moved" });
    const other = await mkdtemp(join(tmpdir(), "recorderd-shared-"));
    await using two = await open(postgres.url(name), systemClock(), other);
    // It has read listings before, and finds nothing new when it reads them after the other one.
    expect(await followShows(two, now)).toBe(0);
    await using one = await open(postgres.url(name));
    await one.shows.put([show]);
    const account = put("accounts", { id: "1", email: "1@example.org", regionId: 1, createdAt: 0 });
    await one.commitShared(() => ({ changes: [account], value: 0 }));
    const timer = newTimer(
      { showId: 5, eitId: 5, channelId: 7, name: "Moved", start, durationMinutes: 60 },
      { id: 1, accountId: "1", deviceId: 1, now },
    );
    await one.commit("1", () => ({ changes: [put("timers", timer)], value: 0 }));
    await one.shows.put([{ ...show, start: start + HOUR }]);
    await one[Symbol.asyncDispose]();
    expect(await followShows(two, now)).toBe(1);
    expect((await two.of("1")).timers.get("1")?.start).toBe(start + HOUR);
    await rm(other, { recursive: true, force: true });
  });

  it("answers though the latest change of the shows is gone again, and brings a copy up to a long import", async () => {
    const name = await postgres.createDatabase();
    const url = postgres.url(name);
    const other = await mkdtemp(join(tmpdir(), "recorderd-shared-"));
    await using one = await open(url);
    await using two = await open(url, systemClock(), other);
    const account = put("accounts", { id: "1", email: "1@example.org", regionId: 1, createdAt: 0 });
    await one.commitShared(() => ({ changes: [account], value: 0 }));
    const show = { channelId: 7, durationMinutes: 60, title: "Over" };
    const shows = Array.from({ length: 2500 }, (_, at) =>
      fullShow({ ...show, id: at + 1, start: at * HOUR }),
    );
    await one.shows.put(shows);
    await two.holding("accounts", "1");
    expect(two.shows.count({})).toBe(2500);
    // The rows of this change were removed before the copy had them.
    await postgres.sql(`UPDATE owners SET version = '9000' WHERE owner = '${SHOWS}'`, name);
    expect((await two.holding("accounts", "1"))?.accounts.size).toBe(1);
    await rm(other, { recursive: true, force: true });
  });

  it("ends requests of a database that has gone silent, and continues when it answers again", async () => {
    await using way = await Way.to(postgres.port);
    const clock = createVirtualClock(0);
    const name = await postgres.createDatabase();
    await using store = await open(`postgres://guide@127.0.0.1:${way.port}/${name}`, clock);
    const region = put("regions", { id: 1, name: "Here" });
    await store.commitShared(() => ({ changes: [region], value: 0 }));
    await expect.poll(() => clock.sleepers).toBeGreaterThan(0);
    way.silence();
    const asked = store.of("1").then(
      () => "answered",
      (error: { readonly code?: string }) => error.code,
    );
    let outcome: string | undefined;
    void asked.then((result) => {
      outcome = result;
    });
    await expect
      .poll(async () => {
        await clock.advance(5 * SECOND);
        return outcome;
      })
      .toBe("GUIDE_UNAVAILABLE");
    way.speak();
    await expect
      .poll(() =>
        store.of("1").then(
          () => "answered",
          () => "away",
        ),
      )
      .toBe("answered");
  });
});

/** A way to a server that can go silent: no byte comes through, and no connection ends. */
class Way implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isSilent = false;

  private constructor(port: number, to: number) {
    this.port = port;
    this.#server = createServer((near) => {
      const far = connect(to, "127.0.0.1");
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(one);
        one.on("data", (bytes) => {
          if (!this.#isSilent) other.write(bytes);
        });
        one.on("error", () => {});
        one.on("close", () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
  }

  static async to(port: number): Promise<Way> {
    const way = new Way(await freePort(), port);
    await new Promise<void>((resolve) => way.#server.listen(way.port, "127.0.0.1", resolve));
    return way;
  }

  silence(): void {
    this.#isSilent = true;
  }

  /** For new connections; those of before have lost bytes. */
  speak(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#isSilent = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
