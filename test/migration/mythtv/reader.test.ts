import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FoundRecorder } from "../../../src/migration/found.ts";
import { mythtvReader } from "../../../src/migration/mythtv/reader.ts";
import { HOUR, MINUTE } from "../../../src/model/time.ts";
import { planAgain, readOrigin, stateOf, temporaryFolder } from "../origin.ts";
import { BACKUP, type MythFolders, mythFolders, RECORDED } from "./folders.ts";

const ABC = { name: "ABC", number: 2, triplet: { onid: 4112, tsid: 545, sid: 1056 } };

describe("a backup of MythTV", () => {
  let folders: MythFolders;
  let found: FoundRecorder;
  beforeAll(async () => {
    folders = await mythFolders();
    found = await readOrigin(mythtvReader, [folders.backups, folders.storage]);
  });
  afterAll(() => folders[Symbol.asyncDispose]());

  it("has no problem", () => {
    expect(found.problems).toEqual([]);
  });

  it("has the channels that are not deleted, with the triplets of DVB", () => {
    expect(found.channels).toEqual([
      ABC,
      { name: 'SBS "World" \\ Größe', number: 3, triplet: { onid: 12_802, tsid: 928, sid: 929 } },
      { name: "KQED" },
      { name: "ABC Kids", number: 21, triplet: { onid: 4112, tsid: 545, sid: 1057 } },
    ]);
  });

  it("has the recordings whose files are there, with event, texts, evidence and resume position", () => {
    expect(found.recordings).toMatchObject([
      {
        id: "1002 2026-10-01 08:58:00",
        title: "The News",
        description: 'It\'s "all": the day\nin short\tand \\ long; semi, (brackets)',
        channel: ABC,
        event: { start: Date.UTC(2026, 9, 1, 9), stop: Date.UTC(2026, 9, 1, 9, 30) },
        files: [{ file: join(folders.storage, RECORDED[0]), bytes: 1880 }],
        outcome: "ok",
        isWatched: false,
        resumeSeconds: 600,
      },
      { title: "Bluey", subtitle: "Größe 日本", outcome: "unknown", isWatched: true },
      { title: "Metropolis", outcome: "damaged", isWatched: false, resumeSeconds: 3600 },
    ]);
  });

  it("names what cannot come, and why", () => {
    expect(found.leftOut).toEqual([
      { kind: "recording", name: "Lost file", why: "Its file 1002_20261004100000.ts is missing." },
      { kind: "recording", name: "Deleted", why: "It is deleted in MythTV." },
      { kind: "recording", name: "Watching live", why: "It is a buffer of live television." },
      {
        kind: "rule",
        name: "New films (Power Search)",
        why: "It is a power search: its SQL conditions have no counterpart.",
      },
      {
        kind: "rule",
        name: "Tilda Swinton (People Search)",
        why: "It searches for people, which rules here cannot do.",
      },
      { kind: "rule", name: "The News", why: "It changes a single showing of another rule." },
    ]);
  });

  it("has single recordings to come as timers", () => {
    const start = Date.UTC(2026, 11, 24, 9, 30);
    expect(found.timers).toEqual([
      {
        id: "rule 2",
        title: "The Snowman",
        channel: ABC,
        event: { start, stop: start + 90 * MINUTE },
        beforeMinutes: 2,
        afterMinutes: 10,
        notes: ["Its priority of 5 is not kept."],
      },
    ]);
  });

  it("has the rules, with times in the zone of the recorder", () => {
    const orders = new Map(found.rules.map(({ id, order }) => [id, order]));
    expect([...orders.keys()]).toEqual(["rule 4", "rule 5", "rule 6", "rule 7", "rule 8", "rule 11"]);
    // 09:00 UTC is 11:00 in Berlin; ten minutes earlier or later are the same time for MythTV.
    expect(orders.get("rule 4")).toEqual({
      name: "The News",
      expression: "^The News$",
      between: { from: 10 * 60 + 50, until: 11 * 60 + 11 },
      weekdays: [4],
      quality: "Prefer HD",
      keep: 5,
      beforeMinutes: 2,
      afterMinutes: 5,
    });
    expect(orders.get("rule 5")).toEqual({
      name: "Bluey (2018)",
      expression: "^Bluey \\(2018\\)$",
      newOnly: true,
      quality: "Prefer HD",
      priority: 55,
    });
    expect(orders.get("rule 6")).toMatchObject({ isPaused: true, airing: "first", quality: "HD Only" });
    expect(orders.get("rule 7")).toMatchObject({ expression: "Attenborough" });
    expect(orders.get("rule 8")).toMatchObject({ expression: "steam train", within: "all", newOnly: true });
    expect(orders.get("rule 11")).toMatchObject({
      expression: ".",
      between: { from: 22 * 60, until: 23 * 60 },
      weekdays: [7],
    });
  });

  it("says what of a rule is not kept, and which channels it has", () => {
    expect(
      found.rules.map(({ id, channels, notes }) => [id, channels.map(({ name }) => name), notes]),
    ).toEqual([
      ["rule 4", ["ABC"], []],
      ["rule 5", ["ABC Kids"], ["Its group Kids is not kept."]],
      ["rule 6", [], ["It does not end after one recording."]],
      ["rule 7", [], ["It records each episode once.", "It does not stop at 3 recordings."]],
      ["rule 8", [], ["It is not limited to one recording a week."]],
      [
        "rule 11",
        ["ABC"],
        ["MythTV records this span of time; the rule records the shows that begin in this span."],
      ],
    ]);
  });

  it("is the same after it was read", async () => {
    const before = await stateOf(folders.base);
    expect(await readOrigin(mythtvReader, [folders.backups, folders.storage])).toEqual(found);
    expect(await stateOf(folders.base)).toEqual(before);
  });

  it("brings nothing with a second import", () => {
    const { recordings, timers, rules } = planAgain("mythtv", found);
    expect([...recordings, ...timers, ...rules].map(({ fate }) => fate.is)).toEqual(
      Array.from({ length: 10 }, () => "there"),
    );
  });

  it("is the same in the form of MySQL, packed, and is the newest of several", async () => {
    await using other = await temporaryFolder();
    const text = await readFile(join(folders.backups, BACKUP), "utf8");
    const mysql = text.replaceAll(/,\n\(/g, ",(");
    expect(mysql).not.toBe(text);
    await writeFile(join(other.path, "mythconverg-1377-20261126000000.sql.gz"), gzipSync(mysql));
    await writeFile(join(other.path, "mythconverg-1377-20261125000000.sql"), "-- older\n");
    await writeFile(join(other.path, "zz-mythconverg.sql"), "-- without a time\n");
    expect(await readOrigin(mythtvReader, [other.path, folders.storage])).toEqual(found);
  });

  it("has local times before schema 1304, and times and channels by the type of a rule", async () => {
    await using other = await temporaryFolder();
    const text = await readFile(join(folders.backups, BACKUP), "utf8");
    const old = text
      .replace("('DBSchemaVer','1377'", "('DBSchemaVer','1264'")
      .replaceAll(/^\((8|9|10),'This .*\n/gm, "")
      .replace("(5,4,1021,", "(5,2,1021,")
      .replaceAll(",1792)", ",0)")
      .replaceAll(",1024)", ",0)");
    await writeFile(join(other.path, BACKUP), old);
    const before = await readOrigin(mythtvReader, [other.path, folders.storage]);
    expect(before.recordings[0]?.event.start).toBe((found.recordings[0]?.event.start ?? 0) - 2 * HOUR);
    expect(before.rules.find(({ id }) => id === "rule 5")).toMatchObject({
      order: { between: { from: 6 * 60 + 50, until: 7 * 60 + 11 } },
      channels: [{ name: "ABC Kids" }],
    });
  });

  it("has the weekday on which the time begins, ten minutes before midnight", async () => {
    await using other = await temporaryFolder();
    const text = await readFile(join(folders.backups, BACKUP), "utf8");
    const night = text.replace("(4,4,1002,'09:00:00'", "(4,4,1002,'22:05:00'");
    expect(night).not.toBe(text);
    await writeFile(join(other.path, BACKUP), night);
    const { rules } = await readOrigin(mythtvReader, [other.path, folders.storage]);
    // 22:05 UTC on Thursday is 00:05 on Friday in Berlin.
    expect(rules.find(({ id }) => id === "rule 4")?.order).toMatchObject({
      between: { from: 23 * 60 + 55, until: 16 },
      weekdays: [4],
    });
  });

  it("is refused where there is none", async () => {
    await using empty = await temporaryFolder();
    await expect(readOrigin(mythtvReader, [empty.path])).rejects.toThrow("has no backup of a database");
    await writeFile(join(empty.path, "other.sql"), "INSERT INTO `users` VALUES (1);\n");
    await expect(readOrigin(mythtvReader, [empty.path])).rejects.toThrow(
      "has neither channels nor recordings",
    );
    await writeFile(join(empty.path, "other.sql"), gzipSync("x".repeat(1000)).subarray(0, 20));
    await expect(readOrigin(mythtvReader, [empty.path])).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});
