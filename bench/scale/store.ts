import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { GuideData } from "../../src/guide-server/domain/catalogue.ts";
import { type GuideServerOptions, openGuideServer } from "../../src/guide-server/server.ts";
import { hashPassword } from "../../src/kit/http/password.ts";
import { silentLog } from "../../src/kit/log.ts";
import { parseDatabaseAddress } from "../../src/kit/postgres/address.ts";
import { openSqlite } from "../../src/kit/sqlite.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { DAY, type EpochMs } from "../../src/model/time.ts";
import { Postgres } from "../../test/postgres/postgres.ts";
import { familyOf } from "../capture/usage.ts";
import { allShows, CHANNELS, countersAfter, emailOf, type Row, rowsOfAccount } from "./accounts.ts";

const clock = systemClock();
/** Accounts that are written at once. */
const AT_ONCE = 200;

/** The data of a guide server with many accounts. */
export interface Store extends AsyncDisposable {
  /** Options that lead a server to it. */
  readonly args: readonly string[];
  /** The processes of the database, besides the server's own. */
  pids(): readonly number[];
  bytes(): Promise<number>;
}

interface Order {
  readonly accounts: number;
  /** Hears how far it is. */
  readonly told: (what: string) => void;
}

/** In a folder. */
export async function sqliteStore(folder: string, order: Order): Promise<Store> {
  const data = join(folder, "data");
  const first = await publish({ dataFolder: data });
  {
    using sql = await openSqlite({
      file: join(data, "guide.db"),
      durability: "deferred",
      cacheKiB: 64 * 1024,
    });
    for await (const { rows, owners } of portions(first, order)) {
      sql.transaction(() => {
        for (const owner of owners)
          sql.run("INSERT INTO owners (owner, version, seen, email) VALUES (?, ?, ?, ?)", owner);
        for (const row of rows)
          sql.run("INSERT INTO records (kind, id, owner, body, sum) VALUES (?, ?, ?, ?, ?)", valuesOf(row));
      });
    }
    for (const { id, next } of countersAfter(order.accounts))
      sql.run("INSERT OR REPLACE INTO counters (kind, next) VALUES (?, ?)", [id, next]);
  }
  return {
    args: ["--data", data],
    pids: () => [],
    bytes: async () =>
      readdirSync(data)
        .map((name) => statSync(join(data, name)).size)
        .reduce((sum, each) => sum + each, 0),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** In a PostgreSQL of its own, which syncs each transaction. */
export async function postgresStore(folder: string, order: Order): Promise<Store> {
  const settings = { shared_buffers: "512MB", max_wal_size: "8GB", checkpoint_timeout: "15min" };
  const server = await Postgres.start({ isDurable: true, settings });
  try {
    const name = await server.createDatabase();
    const args = ["--database", server.url(name)];
    const address = parseDatabaseAddress(server.url(name));
    const first = await publish({ dataFolder: join(folder, "data"), database: { address } });
    const copying = server.psql(name);
    const write = async (text: string) => {
      if (!copying.stdin.write(text)) await once(copying.stdin, "drain");
    };
    for await (const { rows, owners } of portions(first, order)) {
      await write("COPY owners (owner, version, seen, email) FROM STDIN;\n");
      await write(`${owners.map(lineOf).join("")}\\.\n`);
      await write("COPY records (kind, id, owner, body, sum) FROM STDIN;\n");
      await write(`${rows.map((row) => lineOf(valuesOf(row))).join("")}\\.\n`);
    }
    for (const { id, next } of countersAfter(order.accounts))
      await write(
        `INSERT INTO counters VALUES ('${id}', ${next}) ON CONFLICT (kind) DO UPDATE SET next = ${next};\n`,
      );
    copying.stdin.end("VACUUM ANALYZE;\n");
    await copying.outcome;
    return {
      args,
      pids: () => familyOf(server.pid ?? 0),
      bytes: async () => Number((await server.sql(`SELECT pg_database_size('${name}')`))[0]),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** Publishes the guide. @returns the start of its first show */
async function publish(options: Pick<GuideServerOptions, "dataFolder" | "database">): Promise<EpochMs> {
  const first = Math.floor(clock.now() / DAY) * DAY;
  await using server = await openGuideServer({ ...options, clock, log: silentLog });
  await server.seed(guideOf(first));
  return first;
}

interface Portion {
  readonly rows: readonly Row[];
  /** The columns owner, version, seen and email. */
  readonly owners: readonly (readonly string[])[];
}

async function* portions(first: EpochMs, { accounts, told }: Order): AsyncGenerator<Portion> {
  const facts = { first, now: clock.now(), password: await hashPassword("measured, not secret") };
  for (let from = 1; from <= accounts; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, accounts + 1 - from) }, (_, nth) => from + nth);
    yield {
      owners: numbers.map((number) => [String(number), "bench", "bench", emailOf(number)]),
      rows: numbers.flatMap((number) => rowsOfAccount(number, facts)),
    };
    if ((from - 1) % 20_000 === 0) told(`${from - 1} of ${accounts} accounts`);
  }
}

function valuesOf({ table, id, owner, body, sum }: Row): readonly [string, string, string, string, number] {
  return [table, id, owner, body, sum];
}

/** A line of COPY. JSON has no tabs and no line ends. */
function lineOf(values: readonly (string | number)[]): string {
  return `${values.map((value) => String(value).replaceAll("\\", "\\\\")).join("\t")}\n`;
}

function guideOf(first: EpochMs): GuideData {
  return {
    regions: [{ id: 1, name: "Everywhere", timezone: "UTC" }],
    channels: Array.from({ length: CHANNELS }, (_, index) => ({
      id: index + 1,
      name: `Channel ${index + 1}`,
      region_id: 1,
    })),
    manufacturers: [],
    types: [{ id: 1, model: "Recorder" }],
    series: [],
    shows: allShows(first),
  };
}
