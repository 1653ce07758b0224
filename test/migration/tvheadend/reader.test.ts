import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FoundRecorder } from "../../../src/migration/found.ts";
import { MIGRATION_LIMITS } from "../../../src/migration/limits.ts";
import { openOrigin } from "../../../src/migration/origin-folders.ts";
import { tvheadendReader } from "../../../src/migration/tvheadend/reader.ts";
import { readRuleOrder } from "../../../src/rules/read-order.ts";

/** Made by a real Tvheadend; its README tells how. */
const FIXTURE = join(import.meta.dirname, "../../fixtures/migration/tvheadend");
const NOW = Date.UTC(2026, 10, 25, 23, 30);

describe("a data folder of a real Tvheadend", () => {
  let base: string;
  let settings: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "tvheadend-"));
    settings = join(base, "settings");
    await cp(FIXTURE, base, { recursive: true });
  });

  afterEach(() => rm(base, { recursive: true }));

  it("has channels with their triplets, numbers, and the names of their services", async () => {
    const { channels } = await read();
    expect(channels).toEqual([
      { name: "Zwei", triplet: { onid: 318, tsid: 18433, sid: 3402 } },
      { name: "Zwei HD", triplet: { onid: 318, tsid: 18433, sid: 3402 } },
      { name: "Drei & Vier", number: 3 },
      { name: "Eins", number: 1, triplet: { onid: 318, tsid: 18432, sid: 3401 } },
    ]);
  });

  it("has recordings with texts, files, and what was watched of them", async () => {
    const { recordings } = await read();
    expect(recordings.map(({ files: _files, event: _event, ...rest }) => rest)).toEqual([
      {
        id: "0f9bcee66a49fe4fc4532ba0eb8c5eab",
        title: "Tagesschau",
        subtitle: "Nachrichten um acht",
        description: "Mit Wetter.\nUnd Sport.",
        channel: { name: "Eins", number: 1, triplet: { onid: 318, tsid: 18432, sid: 3401 } },
        outcome: "ok",
        isWatched: true,
      },
      {
        id: "282c300a10115b91c98e75348e81b8a7",
        title: 'Film & Kritik: "Größe"',
        description: "A short summary.",
        resumeSeconds: 4,
        channel: { name: "Zwei HD", triplet: { onid: 318, tsid: 18433, sid: 3402 } },
        outcome: "ok",
        isWatched: false,
      },
    ]);
    const [first, second] = recordings;
    expect(first?.event).toEqual({ start: 1_795_647_895_000, stop: 1_795_647_907_000 });
    expect(first?.files).toMatchObject([
      { file: join(base, "recordings/Tagesschau/Tagesschau.ts"), bytes: 255_492 },
    ]);
    expect(second?.files[0]?.file).toBe(
      join(base, "recordings/Film & Kritik: 'Grosse'/Film & Kritik: 'Grosse'.ts"),
    );
  });

  it("has timers with their padding", async () => {
    const { timers } = await read();
    expect(timers.map(({ id: _id, notes, ...rest }) => ({ ...rest, notes }))).toEqual([
      {
        title: "Konzert",
        channel: { name: "Drei & Vier", number: 3 },
        event: { start: Date.UTC(2026, 11, 25, 19, 15), stop: Date.UTC(2026, 11, 25, 20, 45) },
        notes: [],
      },
      {
        title: "Weihnachtsfilm",
        channel: expect.objectContaining({ name: "Eins" }),
        event: { start: Date.UTC(2026, 11, 24, 19, 15), stop: Date.UTC(2026, 11, 24, 20, 45) },
        beforeMinutes: 5,
        afterMinutes: 10,
        notes: [],
      },
    ]);
  });

  it("has rules with all their conditions", async () => {
    const { rules } = await read();
    expect(ruleOf(rules, "Krimi")).toMatchObject({
      order: {
        words: "Tatort",
        weekdays: [7],
        between: { from: 20 * 60, until: 20 * 60 + 31 },
        minMinutes: 60,
        maxMinutes: 120,
        keep: 4,
        priority: 90,
        beforeMinutes: 2,
        afterMinutes: 5,
        folder: "Krimis/Tatort",
      },
      channels: [{ name: "Eins" }],
      notes: [],
    });
    expect(ruleOf(rules, "Comedy").order).toMatchObject({ expression: "^(Die|Der) .*Show$", newOnly: true });
    expect(ruleOf(rules, "Alpen")).toMatchObject({
      order: { words: "Alpen", within: "all" },
      channels: [{ name: "Drei & Vier" }, { name: "Eins" }],
    });
    expect(ruleOf(rules, "Alle Krimis").order).toEqual({
      name: "Alle Krimis",
      genres: ["movie"],
      between: { from: 22 * 60, until: 2 * 60 },
      quality: "Prefer HD",
    });
    expect(ruleOf(rules, "Alles auf Zwei").order).toMatchObject({
      expression: ".",
      weekdays: [1, 2, 3, 4, 5],
    });
    expect(ruleOf(rules, "Aus").order).toMatchObject({ isPaused: true, words: "Sommer" });
  });

  it("has rules for a time of day as rules for what begins in it", async () => {
    const timeRule = { enabled: 0, name: "Nacht", channel: "fe3205447bcd04cfe1512cbdb4ffbc45" };
    const slot = { start: "23:30", stop: "00:15", weekdays: [5, 6], pri: 0, directory: "Nacht" };
    const file = (name: string) => join(settings, "dvr/timerec", name);
    await writeFile(file("d1"), JSON.stringify({ ...timeRule, ...slot }));
    await writeFile(file("d2"), JSON.stringify({ ...timeRule, ...slot, name: "Irgendwann", start: "Any" }));
    await writeFile(file("d3"), JSON.stringify({ ...slot, name: "Irgendwo" }));
    await writeFile(file("d4"), JSON.stringify({ ...timeRule, ...slot, name: "Nie", weekdays: [] }));
    const { rules, leftOut } = await read();
    expect(ruleOf(rules, "Radio am Morgen")).toEqual({
      id: "62557f4dc91ef8f5c4bccd4b1d2613f8",
      order: {
        name: "Radio am Morgen",
        expression: ".",
        between: { from: 360, until: 420 },
        quality: "Prefer HD",
      },
      channels: [expect.objectContaining({ name: "Eins" })],
      notes: ["Tvheadend records this span of time; the rule records the shows that begin in this span."],
    });
    expect(ruleOf(rules, "Nacht").order).toMatchObject({
      ...{
        isPaused: true,
        between: { from: 1410, until: 15 },
        weekdays: [5, 6],
        priority: 90,
        folder: "Nacht",
      },
    });
    expect(leftOut.filter(({ name }) => /^(Irgend|Nie)/.test(name)).map(({ why }) => why)).toEqual([
      "It has no time of day, and recorded nothing.",
      "It has no channel, and recorded nothing.",
      "It has no weekday.",
    ]);
  });

  it("has two rules for weekdays and a time over midnight, which Tvheadend counts to the day of the start", async () => {
    const rule = { enabled: 1, name: "Spät", title: "Spätschau", weekdays: [6] };
    const file = join(settings, "dvr/autorec/late");
    await writeFile(file, JSON.stringify({ ...rule, start: "23:50", start_window: "00:20" }));
    const { rules } = await read();
    const parts = rules.filter(({ order }) => order.name === "Spät");
    expect(parts.map(({ id, order: { weekdays, between } }) => ({ id, weekdays, between }))).toEqual([
      { id: "late", weekdays: [6], between: { from: 1430, until: 0 } },
      { id: "late morning", weekdays: [6], between: { from: 0, until: 21 } },
    ]);
    expect(parts[0]?.notes).toEqual([expect.stringContaining("after midnight")]);
  });

  it("keeps a rule that would want more than before paused, and says what is lost", async () => {
    const { rules } = await read();
    expect(ruleOf(rules, "Ab Staffel 3")).toMatchObject({
      order: { isPaused: true },
      notes: [
        "It is paused, because it would record more shows than before: rules here cannot have the lowest season.",
      ],
    });
    expect(ruleOf(rules, "Dr. House")).toMatchObject({
      order: { words: "Dr. House" },
      notes: ["It recorded once per week; here it records every episode."],
    });
  });

  it("has rules that can be kept, whatever their names, folders and numbers are", async () => {
    const file = (name: string) => join(settings, "dvr/autorec", name);
    const odd = { enabled: 1, title: "Serie", maxcount: 5000, start_extra: 1500, stop_extra: 900 };
    await writeFile(file("e1"), JSON.stringify({ ...odd, directory: "/Serien: neu/aux/c/d/e/" }));
    await writeFile(file("e2"), JSON.stringify({ title: ".*", cat1: "Film", comment: "Zwei\nZeilen" }));
    await writeFile(file("e3"), JSON.stringify({ ...odd, name: "N".repeat(300), title: "Anders" }));
    const { rules } = await read();
    expect(rules.flatMap(({ order }) => readRuleOrder(order)).filter((read) => "mistakes" in read)).toEqual(
      [],
    );
    expect(ruleOf(rules, "Serie").order).toMatchObject({
      ...{ folder: "Serien- neu/-aux/c/d", keep: 1000, beforeMinutes: 600, afterMinutes: 600 },
    });
    expect(rules.filter(({ order }) => order.name.startsWith("NNN"))).toHaveLength(1);
  });

  it("says where an expression means other ends of texts", async () => {
    const file = (name: string) => join(settings, "dvr/autorec", name);
    const ends = { enabled: 1, title: "^Krieg$", fulltext: 1 };
    await writeFile(file("f1"), JSON.stringify({ ...ends, name: "Jeder" }));
    await writeFile(file("f2"), JSON.stringify({ ...ends, name: "Zusammen", mergetext: 1 }));
    await writeFile(file("f3"), JSON.stringify({ ...ends, name: "Geld", title: "100 \\$ [^a]" }));
    const { rules } = await read();
    expect(ruleOf(rules, "Jeder").notes).toEqual([expect.stringContaining("the ends of title")]);
    expect([...ruleOf(rules, "Zusammen").notes, ...ruleOf(rules, "Geld").notes]).toEqual([]);
  });

  it("names what cannot come, with the reason", async () => {
    const { leftOut, problems } = await read();
    expect(leftOut.map(({ kind, name, why }) => `${kind} ${name}: ${why}`)).toEqual([
      "timer Abgewählt: It is switched off.",
      "recording Ohne Empfang: It was not recorded.",
      "timer Die große Show: It belongs to a rule, which orders it again.",
      "timer Tatort: Im Netz: It belongs to a rule, which orders it again.",
      "timer Morgen 2026-11-26: It belongs to a rule, which orders it again.",
      "rule Nichts: It has no condition, and recorded nothing.",
      "rule Leere Gruppe: No channel has its tag.",
      "rule Nur alte: It records only repeats, which rules here cannot do.",
    ]);
    expect(problems).toEqual([]);
  });

  it("is read where a DVB network is a folder of folders, as earlier versions stored it", async () => {
    const [network = ""] = await readdir(join(settings, "input/iptv/networks"));
    const muxes = join(settings, "input/dvb/networks", network, "muxes");
    await mkdir(join(settings, "input/dvb/networks"), { recursive: true });
    await rename(
      join(settings, "input/iptv/networks", network),
      join(settings, "input/dvb/networks", network),
    );
    for (const mux of await readdir(muxes)) {
      await rm(join(muxes, mux));
      await mkdir(join(muxes, mux, "services"), { recursive: true });
      await writeFile(join(muxes, mux, "config"), JSON.stringify({ onid: 1, tsid: 2 }));
      const id = "16d56d7649cc6fd75a9d2d6d8efdd0e8";
      await writeFile(join(muxes, mux, "services", id), JSON.stringify({ sid: 3, svcname: "Eins" }));
    }
    const { channels } = await read();
    expect(channels.find(({ name }) => name === "Eins")?.triplet).toEqual({ onid: 1, tsid: 2, sid: 3 });
  });

  it("leaves out what is being recorded, what was deleted, and what is outside of the named folders", async () => {
    const log = join(settings, "dvr/log");
    const entry = { start: NOW / 1000 - 60, stop: NOW / 1000 + 60, title: { ger: "Jetzt" }, errorcode: 0 };
    const filename = join(base, "recordings/Tagesschau/Tagesschau.ts");
    await writeFile(join(log, "a1"), JSON.stringify({ ...entry, files: [{ filename }] }));
    const past = { ...entry, start: 1000, stop: 2000 };
    await writeFile(join(log, "a2"), JSON.stringify({ ...past, title: "Fort", fileremoved: 1 }));
    const outside = { ...past, title: "Passwörter", files: [{ filename: "/etc/passwd" }] };
    await writeFile(join(log, "a3"), JSON.stringify(outside));
    const damaged = { ...past, title: "Gestört", files: [{ filename }], data_errors: 18 };
    await writeFile(join(log, "a4"), JSON.stringify(damaged));
    const { leftOut, recordings } = await read();
    const why = (title: string) => leftOut.find(({ name }) => name === title)?.why;
    expect(why("Jetzt")).toBe("It is being recorded: import it when it has ended.");
    expect(why("Fort")).toBe("Its file was deleted.");
    expect(why("Passwörter")).toContain("/etc/passwd is outside of the folders of this import");
    expect(recordings.find(({ title }) => title === "Gestört")?.outcome).toBe("damaged");
  });

  it("is read as far as it can be: each damaged file is a problem", async () => {
    const [network = ""] = await readdir(join(settings, "input/iptv/networks"));
    const muxes = join(settings, "input/iptv/networks", network, "muxes");
    const [mux = ""] = await readdir(muxes);
    const packed = await readFile(join(muxes, mux));
    await writeFile(join(muxes, mux), packed.subarray(0, packed.length - 20));
    await writeFile(join(settings, "dvr/log/b1"), "{ torn");
    await writeFile(join(settings, "dvr/log/b2"), "[]");
    await writeFile(join(settings, "dvr/autorec/b3"), "7");
    const { problems, recordings, rules } = await read();
    expect(problems.map(({ file }) => file).toSorted()).toEqual([
      "dvr/autorec/b3",
      "dvr/log/b1",
      "dvr/log/b2",
      expect.stringMatching(/muxes/),
    ]);
    expect(recordings).toHaveLength(2);
    expect(rules).toHaveLength(9);
  });

  it("cannot fill the memory: a small packed file that unpacks to a large one is a problem", async () => {
    const { gzipSync } = await import("node:zlib");
    const bomb = gzipSync(Buffer.alloc(MIGRATION_LIMITS.textBytes + 1));
    const header = Buffer.from("\xff\xffGZIP01\0\0\0\0", "latin1");
    await writeFile(join(settings, "dvr/log/c1"), Buffer.concat([header, bomb]));
    const { problems } = await read();
    expect(problems).toMatchObject([{ file: "dvr/log/c1" }]);
  });

  it("is refused where it is another folder", async () => {
    const folders = await openOrigin([join(base, "recordings")]);
    const options = { now: NOW, timeZone: "UTC", signal: new AbortController().signal };
    await expect(tvheadendReader.read(folders, options)).rejects.toThrow(
      "is not a settings folder of Tvheadend",
    );
  });

  async function read(): Promise<FoundRecorder> {
    const folders = await openOrigin([settings, join(base, "recordings")]);
    const options = { now: NOW, timeZone: "Europe/Berlin", signal: new AbortController().signal };
    return tvheadendReader.read(folders, options);
  }
});

function ruleOf(rules: FoundRecorder["rules"], name: string): FoundRecorder["rules"][number] {
  const rule = rules.find(({ order }) => order.name === name);
  expect(rule).toBeDefined();
  return rule as FoundRecorder["rules"][number];
}
