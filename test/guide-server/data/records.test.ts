import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Entry, Outcome } from "../../../src/guide-server/data/engine.ts";
import { CATALOGUE } from "../../../src/guide-server/data/engine.ts";
import { GroupCommit } from "../../../src/guide-server/data/group-commit.ts";
import { RecordsImport } from "../../../src/guide-server/data/import-records.ts";
import type { Records } from "../../../src/guide-server/data/records.ts";
import { openSqliteRecords } from "../../../src/guide-server/data/sqlite-records.ts";
import { type Change, put, type RecordOf, remove } from "../../../src/guide-server/data/tables.ts";
import { newTimer } from "../../../src/guide-server/domain/timer-add.ts";
import { openSqlite } from "../../../src/kit/sqlite.ts";
import { fc } from "../../properties.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-records-"));
  file = join(folder, "guide.db");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const region = (id: number, name = "x") => put("regions", { id, name });
const stored = async (): Promise<readonly RecordOf<"regions">[]> => {
  await using records = await openSqliteRecords(file);
  return (await records.page("regions", 0)).records;
};
const spoilt = async (statement: string) => {
  using sql = await openSqlite({ file, durability: "full", cacheKiB: 1024 });
  sql.exec(statement);
};

/** The next versions of an owner, one for each entry. */
function entriesOf(owner: string, groups: readonly (readonly Change[])[], first: string | undefined) {
  let from = first;
  return groups.map((changes, at): Entry => {
    const to = `${owner} ${at}`;
    const move = { owner, from, to };
    from = to;
    return { moves: [move], changes: changes.map((change) => ({ ...change, owner })), counters: [] };
  });
}

async function written(records: Records, ...changes: readonly Change[]): Promise<Outcome | undefined> {
  const from = await records.versionOf(CATALOGUE);
  return (await records.write(entriesOf(CATALOGUE, [changes], from)))[0];
}

const timerOf = (showId: number) =>
  newTimer(
    { showId, eitId: 5, channelId: 7, name: "x", start: 0, durationMinutes: 60 },
    { id: showId, accountId: "1", deviceId: 1, now: 0 },
  );

describe("the shows that timers have not followed", () => {
  it("stay until they have followed, also those that change meanwhile", async () => {
    await using records = await openSqliteRecords(file);
    await records.addUnfollowed([1, 2, 3]);
    const seen = await records.unfollowed();
    await records.addUnfollowed([2]);
    await records.removeUnfollowed(seen);
    expect((await records.unfollowed()).map(({ showId }) => showId)).toEqual([2]);
  });

  it("are all that are booked, after an upgrade and after an import", async () => {
    {
      await using records = await openSqliteRecords(file);
      await records.write(entriesOf("1", [[8, 0, 4].map((id) => put("timers", timerOf(id)))], undefined));
    }
    // An earlier version left it so.
    await spoilt("DROP TABLE unfollowed; DELETE FROM migrations WHERE name = '0004-unfollowed'");
    await using records = await openSqliteRecords(file);
    expect((await records.unfollowed()).map(({ showId }) => showId)).toEqual([4, 8]);
    await new RecordsImport(records).add([["timers", timerOf(9)]]);
    expect((await records.unfollowed()).map(({ showId }) => showId)).toEqual([4, 8, 9]);
  });
});

describe("the records of the guide server", () => {
  it("are after a restart what the changes made of them, in the order of their addition", async () => {
    const some = fc.array(
      fc.record({ id: fc.integer({ min: 1, max: 6 }), name: fc.option(fc.string(), { nil: undefined }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(some, { maxLength: 8 }), async (groups) => {
        await rm(folder, { recursive: true, force: true });
        await mkdir(folder);
        const expected = new Map<number, RecordOf<"regions">>();
        {
          await using records = await openSqliteRecords(file);
          const group = new GroupCommit(records);
          const changes = groups.map((one) =>
            one.map(({ id, name }) =>
              name === undefined ? remove("regions", String(id)) : region(id, name),
            ),
          );
          const entries = entriesOf(CATALOGUE, changes, await records.versionOf(CATALOGUE));
          const outcomes = await Promise.all(entries.map((entry) => group.write(entry)));
          expect(outcomes).toEqual(entries.map(() => "written"));
        }
        for (const { id, name } of groups.flat()) {
          if (name === undefined) expected.delete(id);
          else expected.set(id, { id, name });
        }
        expect(await stored()).toEqual([...expected.values()]);
      }),
      { numRuns: 25 },
    );
  });

  it("refuse a change that was decided on others than the stored ones, as a whole", async () => {
    await using records = await openSqliteRecords(file);
    const before = await records.versionOf(CATALOGUE);
    expect(await written(records, region(1))).toBe("written");
    const [late] = entriesOf(CATALOGUE, [[region(1, "late"), region(2)]], before);
    const [early] = entriesOf(
      "7",
      [[put("favourites", { id: "7 x", accountId: "7", seriesId: "x" })]],
      undefined,
    );
    if (late === undefined || early === undefined) return;
    expect(await records.write([late, early])).toEqual(["stale", "written"]);
    expect((await records.page("regions", 0)).records).toEqual([{ id: 1, name: "x" }]);
    expect((await records.load("7"))?.records).toHaveLength(1);
  });

  it("of one account are never replaced by another's, and others in the same group are stored", async () => {
    await using records = await openSqliteRecords(file);
    const named = (account: string, id: string) =>
      put("users", { id, accountId: account, password: "", rights: "owner", createdAt: 0 });
    const [first] = entriesOf("1", [[named("1", "eve")]], undefined);
    const [second] = entriesOf("2", [[named("2", "eve"), named("2", "ann")]], undefined);
    const [third] = entriesOf("3", [[named("3", "joe")]], undefined);
    if (first === undefined || second === undefined || third === undefined) return;
    expect(await records.write([first, second, third])).toEqual(["written", "taken", "written"]);
    expect((await records.locate("users", "eve"))?.owner).toBe("1");
    expect((await records.locate("users", "ann"))?.owner).toBeUndefined();
    expect((await records.locate("users", "joe"))?.owner).toBe("3");
  });

  it("are refused if one of them was changed on the disk, with its place", async () => {
    {
      await using records = await openSqliteRecords(file);
      await written(records, region(7, "Ulm"));
    }
    await spoilt(`UPDATE records SET body = replace(body, 'Ulm', 'Uln')`);
    await expect(stored()).rejects.toMatchObject({
      code: "STORE_DAMAGED",
      message: expect.stringContaining("the record 7 of regions"),
    });
  });

  it("of a later version are left alone", async () => {
    expect(await stored()).toEqual([]);
    await spoilt("INSERT INTO migrations VALUES ('9999-later', '2030-01-01')");
    await expect(stored()).rejects.toMatchObject({ code: "STORE_TOO_NEW", facts: { file } });
  });

  it("can be read only by their owner", async () => {
    await using records = await openSqliteRecords(file);
    await written(records, region(1));
    const names = (await readdir(folder)).filter(
      (name) => name.startsWith("guide.db") && !name.endsWith(".lock"),
    );
    const modes = await Promise.all(
      names.map(async (name) => [name, (await stat(join(folder, name))).mode & 0o777]),
    );
    expect(modes).toEqual([
      ["guide.db", 0o600],
      ["guide.db-wal", 0o600],
    ]);
  });
});
