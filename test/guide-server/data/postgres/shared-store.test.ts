import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseDatabaseAddress, poolConfigs } from "../../../../src/guide-server/data/postgres/address.ts";
import { Cluster } from "../../../../src/guide-server/data/postgres/cluster.ts";
import { openPostgresRecords } from "../../../../src/guide-server/data/postgres/postgres-records.ts";
import { openSharedStore } from "../../../../src/guide-server/data/postgres/shared-store.ts";
import type { GuideStore } from "../../../../src/guide-server/data/store.ts";
import { put } from "../../../../src/guide-server/data/tables.ts";
import { silentLog } from "../../../../src/kit/log.ts";
import { type Clock, systemClock } from "../../../../src/kit/time/clock.ts";
import { SECOND } from "../../../../src/model/time.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { freePort } from "../../../free-port.ts";
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

function open(url: string, clock: Clock = systemClock()): Promise<GuideStore> {
  return openSharedStore({
    address: parseDatabaseAddress(url),
    password: undefined,
    folder,
    clock,
    log: silentLog,
  });
}

const named = (account: string, id: string) =>
  ({
    ...put("users", { id, accountId: account, password: "", rights: "owner", createdAt: 0 }),
    owner: account,
  }) as const;

describe.skipIf(why !== undefined)(`a shared store${why === undefined ? "" : ` (${why})`}`, () => {
  it("refuses a name that another account has, and stores the others of the same group", async () => {
    const address = parseDatabaseAddress(postgres.url(await postgres.createDatabase()));
    await using cluster = new Cluster(await poolConfigs(address, undefined));
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

/** The files of the folder that this process has open. */
async function openFilesIn(place: string): Promise<readonly string[]> {
  const handles = await readdir("/proc/self/fd");
  const files = await Promise.all(handles.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return files.filter((file) => file.startsWith(place));
}

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
