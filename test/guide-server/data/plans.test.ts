import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely } from "kysely";
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../../../src/guide-server/data/engine.ts";
import { RecordsImport } from "../../../src/guide-server/data/import-records.ts";
import { Records } from "../../../src/guide-server/data/records.ts";
import { bringUpToDate, type Schema } from "../../../src/guide-server/data/schema.ts";
import { sqliteDialect } from "../../../src/guide-server/data/sqlite-dialect.ts";
import { SQLITE_MIGRATIONS } from "../../../src/guide-server/data/sqlite-schema.ts";
import { openGuideServer } from "../../../src/guide-server/server.ts";
import { NO_COST } from "../../../src/kit/http/password.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { parseDatabaseAddress } from "../../../src/kit/postgres/address.ts";
import { openSqlite } from "../../../src/kit/sqlite.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { HOUR } from "../../../src/model/time.ts";
import { Postgres } from "../../postgres/postgres.ts";
import { whyNoPostgres } from "../../postgres/programs.ts";
import { GUIDE } from "../hosted.ts";

const why = whyNoPostgres();
/** Tables with a row for each kind of thing: reading them whole is right. */
const SMALL = /\b(counters|facts|jobs|unfollowed|migrations|migrations_lock)\b/;

describe("no query reads a whole table of records", () => {
  it("in SQLite, by its plans", async () => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-plans-"));
    try {
      using sql = await openSqlite({ file: join(folder, "guide.db"), durability: "scratch", cacheKiB: 1024 });
      const texts = new Set<string>();
      const db = new Kysely<Schema>({
        dialect: sqliteDialect(sql),
        log: ({ query }) => {
          texts.add(query.sql);
        },
      });
      await bringUpToDate(db, { migrations: SQLITE_MIGRATIONS, place: "here" });
      texts.clear();
      const records = new Records({
        db,
        place: "here",
        isShared: false,
        lockOwners: (all, owners) =>
          all.selectFrom("owners").selectAll().where("owner", "in", owners).execute(),
        sync: async () => {},
        isDuplicate: () => false,
        guarded: async (work) => await work(),
        [Symbol.asyncDispose]: async () => {},
      });
      await everyQueryOf(records);
      expect(texts.size).toBeGreaterThan(8);
      const scans = [...texts]
        .filter((text) => /^(select|insert|update|delete)/.test(text) && !SMALL.test(text))
        .flatMap((text) => sql.all(`EXPLAIN QUERY PLAN ${text}`, Array(count(text)).fill(null)))
        .map(({ detail }) => String(detail))
        .filter((detail) => /^SCAN (?!CONSTANT|.*INDEX|.*VALUES CLAUSE)/.test(detail));
      expect(scans).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.skipIf(why !== undefined)("in PostgreSQL, by its own count", async () => {
    await using postgres = await Postgres.start();
    const name = await postgres.createDatabase();
    // An index is used wherever there is one, though the tables are small.
    await postgres.sql(`ALTER DATABASE ${name} SET enable_seqscan = off`);
    const folder = await mkdtemp(join(tmpdir(), "recorderd-plans-"));
    const options = {
      database: { address: parseDatabaseAddress(postgres.url(name)) },
      ...{
        dataFolder: folder,
        clock: systemClock(),
        log: silentLog,
        allowSignUp: true,
        passwordCost: NO_COST,
      },
    };
    await (await openGuideServer(options))[Symbol.asyncDispose]();
    await postgres.sql("SELECT pg_stat_reset()", name);
    await useServer(options);
    const read = await postgres.sql(
      "SELECT relname FROM pg_stat_user_tables WHERE seq_scan > 0 AND relname IN ('records', 'owners', 'shows')",
      name,
    );
    expect(read).toEqual([]);
    const [used] = await postgres.sql(
      "SELECT idx_scan > 10 FROM pg_stat_user_tables WHERE relname = 'records'",
      name,
    );
    expect(used).toBe("t");
    await rm(folder, { recursive: true, force: true });
  });
});

function count(text: string): number {
  return [...text.matchAll(/\?/g)].length;
}

async function everyQueryOf(records: Records): Promise<void> {
  const favourite = { id: "1 x", accountId: "1", seriesId: "x" };
  const account = { id: "1", email: "a@b", regionId: 1, createdAt: 0 };
  await new RecordsImport(records).add([
    ["counters", { id: "account", next: 2 }],
    ["accounts", account],
    ["favourites", favourite],
  ]);
  const from = await records.versionOf("1");
  const gone = { kind: "remove", table: "favourites", id: "1 x", owner: "1" } as const;
  await records.write([{ moves: [{ owner: "1", from, to: "next" }], changes: [gone], counters: [] }]);
  await records.load("1");
  await records.load(CATALOGUE);
  await records.locate("accounts", "1");
  await records.ownerOfEmail("a@b");
  await records.page("accounts", 0);
  await records.first("accounts");
  await records.ownersOfTimers([1, 2]);
  await records.ownersOfOld("timers", 1, undefined);
  await records.ownersOfOld("timers", 1, { aged: 1, place: 1 });
}

async function useServer(options: Parameters<typeof openGuideServer>[0]): Promise<void> {
  await using server = await openGuideServer(options);
  await server.seed(GUIDE);
  const { baseUrl } = await server.listen({ host: "127.0.0.1", port: 0 });
  const headers = { "content-type": "application/json" };
  const login = await fetch(`${baseUrl}/login`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      member: { email_address: "a@example.org", password: "correct horse" },
      device: { uid: "u", label: "Lounge", type_id: 77 },
    }),
  });
  const { member, device } = (await login.json()) as { member: { token: string }; device: { id: number } };
  const query = new URLSearchParams({ email_address: "a@example.org", token: member.token });
  const start = systemClock().now() + HOUR;
  const showId = await server.addShow({ channelId: 7, start, durationMinutes: 60, title: "Show" });
  const body = JSON.stringify({ device_id: device.id, show_id: showId });
  const { status } = await fetch(`${baseUrl}/shows/timers?${query}`, { method: "POST", headers, body });
  expect(status).toBe(201);
  for (const path of ["shows/timers", "shows", "series", "devices", "regions/1/channels", "rules"])
    expect((await fetch(`${baseUrl}/${path}?${query}`)).status).toBeLessThan(500);
  await server.forgetOld();
  await server.newlySilentDevices(HOUR);
}
