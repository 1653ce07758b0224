import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FoundRecorder } from "../../../src/migration/found.ts";
import { vdrReader } from "../../../src/migration/vdr/reader.ts";
import { MINUTE } from "../../../src/model/time.ts";
import { planAgain, readOrigin, stateOf } from "../origin.ts";
import { type RealFolders, realFolders } from "./real-folders.ts";

const ERSTES = { name: "Das Erste HD", number: 1, triplet: { onid: 4112, tsid: 545, sid: 1056 } };
const ZDF = { name: "ZDF HD", number: 2, triplet: { onid: 4112, tsid: 545, sid: 1057 } };
const EVENT = { start: Date.UTC(2026, 10, 25, 22, 50), stop: Date.UTC(2026, 10, 25, 23) };

describe("the folders of a real VDR", () => {
  let folders: RealFolders;
  let found: FoundRecorder;
  beforeAll(async () => {
    folders = await realFolders();
    found = await readOrigin(vdrReader, [folders.settings, folders.video]);
  });
  afterAll(() => folders[Symbol.asyncDispose]());

  const recording = (folder: string) => found.recordings.find(({ id }) => id.startsWith(folder));

  it("have no problem", () => {
    expect(found.problems).toEqual([]);
  });

  it("have the channels with their numbers and triplets", () => {
    expect(found.channels).toEqual([
      ERSTES,
      ZDF,
      { name: "Info:24", number: 20, triplet: { onid: 12_802, tsid: 928, sid: 929 } },
      { name: "Verschlüsselt", number: 21, triplet: { onid: 1, tsid: 1089, sid: 12_003 } },
    ]);
  });

  it("have each recording that VDR lists and plays, under its title in the guide", () => {
    expect(found.recordings.map(({ id, title }) => `${id} ${title}`).sort()).toEqual([
      "Columbo/2026-11-25.23.45.2-0.rec Columbo",
      "Die_Größe_der_Welt/_/2026-11-25.23.52.1-0.rec Die Größe der Welt",
      "Filme/Krimi/Größe:_Teil_#1~2?/2026-11-25.23.52.2-0.rec Columbo",
      "Serie/%50%_Spaß#3A_#22Folge#22_1~2#3F/2026-11-25.23.59.1-0.rec Die Größe der Welt",
      "Serie/50%_Spaß#3A_#22Folge#22_1~2#3F/2026-11-25.23.59.1-0.rec Die Größe der Welt",
    ]);
  });

  it("name those that cannot come, and why", () => {
    expect(found.leftOut).toContainEqual({
      kind: "recording",
      name: "Das Erste HD",
      why: "Its files are empty.",
    });
    expect(found.leftOut).toContainEqual({
      kind: "recording",
      name: "Alt",
      why: "It is from VDR before 1.7: its files are not transport streams.",
    });
  });

  it("have all parts of a recording in order, with its event, texts, channel and evidence", () => {
    const columbo = recording("Columbo/");
    expect(columbo).toMatchObject({
      subtitle: "Mord nach Rezept Krimi",
      channel: ZDF,
      event: EVENT,
      outcome: "ok",
    });
    expect(columbo?.files.map(({ file, bytes }) => [file.slice(-8), bytes])).toEqual([
      ["00001.ts", 7520],
      ["00002.ts", 7520],
    ]);
    expect(recording("Die_")?.description).toContain("Ein Film über Maß und Ziel.");
  });

  it("know what was watched, and where a viewer stopped", () => {
    const viewed = (folder: string) => [recording(folder)?.isWatched, recording(folder)?.resumeSeconds];
    expect(viewed("Columbo/")).toEqual([true, undefined]);
    expect(viewed("Filme/")).toEqual([false, 60]);
    expect(viewed("Die_")).toEqual([false, undefined]);
  });

  it("have the timers of a person, without VDR's margins and without those of searches", () => {
    expect(found.timers.map(({ title, channel }) => [title, channel.name])).toEqual([
      ["Der kleine Lord", "Das Erste HD"],
      ["Silvester", "Verschlüsselt"],
    ]);
    const start = Date.UTC(2026, 11, 24, 19, 15);
    expect(found.timers[0]).toMatchObject({
      event: { start, stop: start + 90 * MINUTE },
      beforeMinutes: 2,
      afterMinutes: 10,
      notes: [],
    });
    expect(found.timers[1]?.notes).toEqual(["Its priority of 99 is not kept."]);
  });

  it("have repeating timers, pattern timers and searches as rules", () => {
    expect(found.rules.map(({ order }) => order.name)).toEqual([
      "heute",
      "Wochenende",
      "Tatort",
      "Columbo",
      "Kommissar Beck",
      "Tatort Münster",
      "^Columbo|Der Alte$",
      "Doku, Natur",
      "Tagesschau",
      "Um sechs: heute",
    ]);
    expect(found.leftOut.filter(({ kind }) => kind === "rule")).toEqual([
      { kind: "rule", name: "Krimi", why: "It also finds similar texts, which rules here cannot do." },
      { kind: "rule", name: "Loriot", why: "epgsearch only announces its shows, or switches to them." },
    ]);
  });

  it("are the same after they were read", async () => {
    const before = await stateOf(folders.base);
    expect(await readOrigin(vdrReader, [folders.settings, folders.video])).toEqual(found);
    expect(await stateOf(folders.base)).toEqual(before);
  });

  it("bring nothing with a second import", () => {
    const { recordings, timers, rules } = planAgain("vdr", found);
    expect([...recordings, ...timers, ...rules].map(({ fate }) => fate.is)).toEqual(
      Array.from({ length: 17 }, () => "there"),
    );
  });

  it("are read as well when settings and recordings are in one folder", async () => {
    const whole = await readOrigin(vdrReader, [folders.base]);
    expect(whole.recordings).toHaveLength(found.recordings.length);
  });
});
