import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { exportGuide } from "../../src/backup/guide-export.ts";
import { migrateToDatabase, migrateToFolder } from "../../src/backup/guide-migrate.ts";
import { openGuideServer } from "../../src/guide-server/server.ts";
import { silentLog } from "../../src/kit/log.ts";
import { parseDatabaseAddress } from "../../src/kit/postgres/address.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { hosted } from "../guide-server/hosted.ts";
import { Postgres } from "../postgres/postgres.ts";
import { whyNoPostgres } from "../postgres/programs.ts";

const why = whyNoPostgres();
const parts = { clock: systemClock(), log: silentLog };

let postgres: Postgres;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start();
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-migrate-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function exported(data: string): Promise<string> {
  const file = join(folder, "export.gz");
  await exportGuide(
    { file, folder: data, version: "1.2.3" },
    { ...parts, signal: new AbortController().signal },
  );
  return gunzipSync(await readFile(file)).toString("utf8");
}

describe.skipIf(why !== undefined)(
  `a migration of the guide server${why === undefined ? "" : ` (${why})`}`,
  () => {
    it("to PostgreSQL and back loses nothing: the exports are identical, and sessions go on", async () => {
      await using guide = await hosted();
      const id = await guide.book();
      await guide.server[Symbol.asyncDispose]();
      const database = { address: parseDatabaseAddress(postgres.url(await postgres.createDatabase())) };
      const there = await migrateToDatabase(guide.folder, database, parts);
      const back = join(folder, "back");
      expect(await migrateToFolder(database, back, parts)).toEqual(there);
      expect(await exported(back)).toBe(await exported(guide.folder));
      const own = join(folder, "own");
      // The timer is listed for a week after its event.
      const { clock } = guide;
      await using server = await openGuideServer({ dataFolder: own, database, ...parts, clock });
      const { baseUrl } = await server.listen({ host: "127.0.0.1", port: 0 });
      const query = new URLSearchParams({ email_address: guide.email, token: guide.token });
      const answer = await fetch(`${baseUrl}/shows/timers/${id}?${query}`);
      expect(answer.status).toBe(200);
    });

    it("changes nothing in a database or a folder that has data already", async () => {
      await using guide = await hosted();
      await guide.server[Symbol.asyncDispose]();
      const name = await postgres.createDatabase();
      const database = { address: parseDatabaseAddress(postgres.url(name)) };
      await migrateToDatabase(guide.folder, database, parts);
      const before = await postgres.sql("SELECT count(*), max(place) FROM records", name);
      await expect(migrateToDatabase(guide.folder, database, parts)).rejects.toMatchObject({
        code: "FILE_NOT_OURS",
      });
      expect(await postgres.sql("SELECT count(*), max(place) FROM records", name)).toEqual(before);
      await expect(migrateToFolder(database, guide.folder, parts)).rejects.toMatchObject({
        code: "FILE_NOT_OURS",
      });
    });
  },
);
