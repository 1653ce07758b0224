import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Records } from "../../../src/guide-server/data/records.ts";
import { type Change, put, remove } from "../../../src/guide-server/data/tables.ts";
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
const stored = async (): Promise<readonly Change[]> => {
  await using records = await Records.open(file);
  const found: Change[] = [];
  for await (const change of records.all()) found.push(change);
  return found;
};
const spoilt = async (statement: string) => {
  using sql = await openSqlite({ file, durability: "full", cacheKiB: 1024 });
  sql.exec(statement);
};

describe("the records of the guide server", () => {
  it("are after a restart what the changes made of them, in the order of their addition", async () => {
    const some = fc.array(
      fc.record({ id: fc.integer({ min: 1, max: 6 }), name: fc.option(fc.string(), { nil: undefined }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(some, { maxLength: 8 }), async (groups) => {
        await rm(folder, { recursive: true, force: true });
        await mkdir(folder);
        const expected = new Map<number, Change>();
        {
          await using records = await Records.open(file);
          const written = groups.map((group) => {
            const changes = group.map(({ id, name }) =>
              name === undefined ? remove("regions", String(id)) : region(id, name),
            );
            return records.append(changes);
          });
          await Promise.all(written);
        }
        for (const { id, name } of groups.flat()) {
          if (name === undefined) expected.delete(id);
          else expected.set(id, region(id, name));
        }
        expect(await stored()).toEqual([...expected.values()]);
      }),
      { numRuns: 25 },
    );
  });

  it("are refused if one of them was changed on the disk, with its place", async () => {
    {
      await using records = await Records.open(file);
      await records.append([region(7, "Ulm")]);
    }
    await spoilt(`UPDATE regions SET body = replace(body, 'Ulm', 'Uln')`);
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

  it("take no change after a failed write: what the disk has is unknown", async () => {
    const records = await Records.open(file);
    await records.append([region(1)]);
    // A closed database takes no write, like a disk that is gone.
    await records[Symbol.asyncDispose]();
    await expect(records.append([region(2)])).rejects.toThrow();
    await expect(records.append([])).rejects.toThrow();
    await expect(records.settled()).rejects.toThrow();
  });

  it("can be read only by their owner", async () => {
    await using records = await Records.open(file);
    await records.append([region(1)]);
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
