import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exportGuide } from "../../src/backup/guide-export.ts";
import { importGuide } from "../../src/backup/guide-import.ts";
import { type ExportRow, exportText, IS_EXPORTED } from "../../src/backup/guide-lines.ts";
import { openShows } from "../../src/guide-server/data/shows.ts";
import { SHOWS_TABLES } from "../../src/guide-server/data/shows-rows.ts";
import { TABLE_NAMES, TABLES } from "../../src/guide-server/data/tables.ts";
import { seedDemo } from "../../src/guide-server/demo/seed-demo.ts";
import { openGuideServer } from "../../src/guide-server/server.ts";
import { silentLog } from "../../src/kit/log.ts";
import { openSqlite } from "../../src/kit/sqlite.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { createVirtualClock } from "../../src/simulator/virtual-clock.ts";
import { GUIDE, NOW, PASSWORD, SHOW_ID } from "../guide-server/hosted.ts";
import { casesOf, inLong } from "../lane.ts";
import { openFilesIn } from "../open-files.ts";
import { fc } from "../properties.ts";
import { recordsOf } from "./records-of.ts";

const EMAIL = "home@example.org";
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-guide-export-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const opened = (name: string) =>
  openGuideServer({ dataFolder: at(name), clock: createVirtualClock(NOW), log: silentLog });
const exported = (name: string, file: string) =>
  exportGuide(
    { file: at(file), folder: at(name), version: "1.2.3" },
    { clock: systemClock(), signal: new AbortController().signal, log: silentLog },
  );
const textOf = async (file: string) => gunzipSync(await readFile(at(file))).toString("utf8");

/** A file with these records, as an export writes it, with its text changed by `spoil`. */
async function written(
  rows: readonly ExportRow[],
  spoil: (text: string) => string = (text) => text,
): Promise<string> {
  let text = "";
  for await (const line of exportText(Readable.from(rows), "1.2.3")) text += line;
  await writeFile(at("made.gz"), gzipSync(spoil(text)));
  return at("made.gz");
}

const REGION: ExportRow = ["regions", { id: 1, name: "Sydney", timezone: "Australia/Sydney" }];
const MAKER: ExportRow = ["manufacturers", { id: "1", name: "recorderd", url: "" }];

describe("an export of a guide server", () => {
  it("exports every table or names it as left out", async () => {
    (await openShows(folder))[Symbol.dispose]();
    using sql = await openSqlite({ file: at("shows.db"), durability: "full", cacheKiB: 1024 });
    const found = sql
      .all("SELECT name FROM sqlite_master WHERE type = 'table'")
      .map(({ name }) => String(name));
    expect(Object.keys(IS_EXPORTED).toSorted()).toEqual([...TABLE_NAMES, ...found].toSorted());
    const kept = Object.entries(IS_EXPORTED).flatMap(([name, isExported]) => (isExported ? [name] : []));
    expect(kept.filter((name) => !Object.hasOwn({ ...TABLES, ...SHOWS_TABLES }, name))).toEqual([]);
  });

  it("runs beside the server, is readable only by its owner, and restores the server exactly", async () => {
    await using server = await opened("data");
    await server.seed(GUIDE);
    await server.addAccount({ email: EMAIL, password: PASSWORD });
    const deviceId = await server.addDevice(EMAIL, { uid: "u", label: "Attic", type_id: 2 });
    await server.addTimer(EMAIL, { device_id: deviceId, show_id: SHOW_ID });
    const { baseUrl } = await server.listen({ host: "127.0.0.1", port: 0 });
    const login = { method: "POST", headers: { "content-type": "application/json" } };
    const member = { email_address: EMAIL, password: PASSWORD };
    const signedIn = await fetch(`${baseUrl}/login`, { ...login, body: JSON.stringify({ member }) });
    expect(signedIn.status).toBe(201);

    const counts = await exported("data", "whole.gz");
    expect(counts).toMatchObject({ accounts: 1, users: 1, devices: 1, timers: 1, shows: 3 });
    expect((await stat(at("whole.gz"))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["data", "whole.gz"]);
    expect(await textOf("whole.gz")).not.toContain('["tokens"');

    expect(await importGuide(at("whole.gz"), at("copy"))).toEqual(counts);
    await using copy = await opened("copy");
    expect(await copy.timers(EMAIL)).toEqual(await server.timers(EMAIL));
    expect(await copy.households()).toMatchObject([{ email: EMAIL, users: [{ name: EMAIL, sessions: 0 }] }]);
    const there = await copy.listen({ host: "127.0.0.1", port: 0 });
    const again = await fetch(`${there.baseUrl}/login`, { ...login, body: JSON.stringify({ member }) });
    expect(again.status).toBe(201);
    // Used ids are not used again.
    const further = { uid: "v", label: "Cellar", type_id: 2 };
    expect(await copy.addDevice(EMAIL, further)).toBe(await server.addDevice(EMAIL, further));
  });

  it("has the same lines after an import, whatever it contains", async () => {
    const kinds = Object.entries({ ...TABLES, ...SHOWS_TABLES }).filter(
      ([name]) => (IS_EXPORTED as Readonly<Record<string, boolean>>)[name],
    );
    const rows = fc.tuple(
      ...kinds.map(([name, schema]) =>
        fc
          .uniqueArray(recordsOf(schema), { maxLength: 4, selector: keyOf })
          .map((records) => records.map((record) => [name, record] as unknown as ExportRow)),
      ),
    );
    await fc.assert(
      fc.asyncProperty(rows, async (each) => {
        for (const name of ["one", "two"]) await rm(at(name), { recursive: true, force: true });
        await importGuide(await written(each.flat()), at("one"));
        await exported("one", "first.gz");
        await importGuide(at("first.gz"), at("two"));
        await exported("two", "second.gz");
        const text = await textOf("first.gz");
        return text === (await textOf("second.gz")) && text.split("\n").length === each.flat().length + 3;
      }),
      { numRuns: casesOf({ sample: 1, all: 10 }) },
    );
  });

  inLong("of a week of programmes is the same after an import, and series are found by title", async () => {
    {
      await using server = await opened("data");
      await server.seed(seedDemo({ seed: 1, now: NOW, channels: 8 }));
    }
    await exported("data", "first.gz");
    await importGuide(at("first.gz"), at("copy"));
    await exported("copy", "second.gz");
    expect((await readFile(at("first.gz"))).equals(await readFile(at("second.gz")))).toBe(true);
    const titles = async (name: string) => {
      using sql = await openSqlite({ file: join(at(name), "shows.db"), durability: "full", cacheKiB: 1024 });
      return sql.all("SELECT * FROM title_words ORDER BY word, title, series");
    };
    expect(await titles("copy")).toEqual(await titles("data"));
  });

  it("of a folder without guide-server data is refused and leaves no file", async () => {
    await mkdir(at("data"));
    for (const name of ["data", "none"])
      await expect(exported(name, "whole.gz")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(await readdir(folder)).toEqual(["data"]);
  });
});

/** The key of each record in a table. */
function keyOf(record: unknown): string {
  const { id, key } = record as { readonly id?: unknown; readonly key?: unknown };
  return String(id ?? key);
}

describe("an import", () => {
  it.each<readonly [what: string, spoil: (text: string) => string, why: string]>([
    ["another file", () => "a listing\n", "line 1: it is not JSON"],
    ["another document", () => '{"format":"other"}\n', "line 1: it is not an export"],
    ["nothing", () => "", "line 1: the file ends"],
    ["one with a changed bit", (text) => text.replace("Sydney", "Sydnez"), "line 4: earlier lines"],
    ["one without its last line", (text) => text.replace(/\{"counts.*\n/, ""), "line 4: the file ends"],
    ["one with a missing line", (text) => text.replace(/.*Sydney.*\n/, ""), "line 3: earlier lines"],
    ["one with data after its end", (text) => `${text}\n`, "line 5: there is data after"],
    ["one with a record of another form", (text) => text.replace('"id":1', '"id":"x"'), "line 2: id: "],
    [
      "one with sessions",
      (text) => text.replace("regions", "tokens"),
      'line 2: exports have no table "tokens"',
    ],
    [
      "one with an unknown table",
      (text) => text.replace("regions", "constructor"),
      "line 2: exports have no table",
    ],
    ["one with other counts", (text) => text.replace('"regions":1', '"regions":2'), "the number of records"],
  ])("of %s names the line and the reason, and leaves no data", async (_what, spoil, why) => {
    const file = await written([REGION, MAKER], spoil);
    const refused = { code: "FILE_UNREADABLE", message: expect.stringContaining(why) };
    await expect(importGuide(file, at("data"))).rejects.toMatchObject(refused);
    expect(await readdir(at("data"))).toEqual(["daemon.lock"]);
    // A refused import does not block the next one.
    expect(await importGuide(await written([REGION]), at("data"))).toEqual({ regions: 1 });
  });

  it("of a truncated file says so, and leaves no data", async () => {
    const whole = await readFile(await written([REGION, MAKER]));
    await writeFile(at("torn.gz"), whole.subarray(0, whole.length - 20));
    const refused = {
      code: "FILE_UNREADABLE",
      message: expect.stringMatching(/line \d: The file ends too early/),
    };
    await expect(importGuide(at("torn.gz"), at("data"))).rejects.toMatchObject(refused);
    await expect(importGuide(at("none.gz"), at("data"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(await readdir(at("data"))).toEqual(["daemon.lock"]);
  });

  it("closes its file even if it stops at the first line", async () => {
    await writeFile(at("long.ndjson"), "no JSON\n".repeat(500_000));
    await expect(importGuide(at("long.ndjson"), at("data"))).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
      message: expect.stringContaining("line 1: it is not JSON"),
    });
    expect(await openFilesIn(folder)).toEqual([]);
  });

  it("of a newer export names the version that wrote it", async () => {
    const file = await written([REGION], (text) => text.replace('"version":1', '"version":2'));
    const refused = {
      code: "STORE_TOO_NEW",
      message: expect.stringContaining("line 1: it is a newer export, written by recorderd 1.2.3"),
    };
    await expect(importGuide(file, at("data"))).rejects.toMatchObject(refused);
  });

  it("accepts an uncompressed export", async () => {
    const file = await written([REGION]);
    await writeFile(at("plain.ndjson"), await textOf("made.gz"));
    expect(await importGuide(at("plain.ndjson"), at("data"))).toEqual(await importGuide(file, at("other")));
  });

  it("into a folder with data names the obstacle and changes nothing", async () => {
    const file = await written([REGION]);
    await importGuide(file, at("data"));
    const before = await readFile(join(at("data"), "guide.db"));
    const refused = {
      code: "FILE_NOT_OURS",
      message: expect.stringContaining("guide.db already exists"),
    };
    await expect(importGuide(file, at("data"))).rejects.toMatchObject(refused);
    expect(await readFile(join(at("data"), "guide.db"))).toEqual(before);
    await using _server = await opened("data");
    await expect(importGuide(file, at("data"))).rejects.toMatchObject({ code: "STORE_LOCKED" });
  });
});
