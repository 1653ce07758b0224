import { createHash } from "node:crypto";
import { cp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { LibraryEntry } from "../../../src/model/library.ts";
import type { Rule } from "../../../src/model/rule.ts";
import { MINUTE } from "../../../src/model/time.ts";
import { askDaemon } from "../../../src/recorder/api/ask.ts";
import { type InProcess, inProcess, simTuners } from "../../main-job/in-process.ts";
import { pause, type TestWorld, temporaryFolder, testWorld } from "../../main-job/recorder.ts";
import { commandLine } from "../command-line.ts";

/** Made by a real Tvheadend; its README tells how. */
const FIXTURE = join(import.meta.dirname, "../../fixtures/migration/tvheadend");
const FILM = "dfccde8638d5fc1c690506804c111d1d";
const PATIENCE_MS = 3 * MINUTE;
const io = { clock: systemClock(), signal: new AbortController().signal };

describe("recorderd import tvheadend", () => {
  it("brings recordings and timers, once, and changes nothing of theirs", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, 2);
    const theirs = await theirFolder(folder.path, home);
    const before = await sumsOf(theirs);
    await using recorder = await inProcess(folder.path, home, {
      tuners: simTuners(home, 1),
      retention: { days: 1 },
    });
    const args = argsFor(theirs, recorder);

    const dry = await commandLine([...args, "--dry-run"]);
    expect({ code: dry.code, err: dry.err }).toEqual({
      code: 0,
      err: "Nothing was imported: run the command again without --dry-run.",
    });
    expect(dry.out).toMatch(/recordings +2 +0 +1/);
    expect(dry.out).toMatch(/timers +1 +0 +5/);
    expect(dry.out).toContain("Abgewählt");
    expect(await entriesOf(recorder)).toEqual([]);

    const first = await commandLine(args);
    expect(first.code).toBe(0);
    expect(first.out).toContain("imported: 2 recordings, 1 timers");
    expect(first.out).toContain("Nothing of Tvheadend was changed.");
    const rules = await rulesOf(recorder);
    expect(rules.map(({ name, isPaused = false }) => `${name}${isPaused ? ", paused" : ""}`)).toEqual([
      ...["Dr. House", "Alpen", "Krimi", "Ab Staffel 3, paused", "Aus, paused", "Comedy", "Alles auf Zwei"],
      "Alle Krimis",
      "Radio am Morgen",
    ]);
    expect(rules.find(({ name }) => name === "Krimi")).toMatchObject({
      ...{ words: "Tatort", channelIds: [1], weekdays: [7], between: { from: 1200, until: 1231 } },
      ...{ minMinutes: 60, maxMinutes: 120, keep: 4, priority: 90, folder: "Krimis/Tatort" },
    });
    const entries = await entriesOf(recorder);
    expect(
      entries.map(({ name, channelName, watched, imported, file }) => [
        name,
        channelName,
        watched,
        imported?.from,
        file,
      ]),
    ).toEqual([
      ["Tagesschau", "Sim 1", true, "tvheadend", join(theirs, "recordings/Tagesschau/Tagesschau.ts")],
      [
        'Film & Kritik: "Größe"',
        "Sim 2",
        false,
        "tvheadend",
        join(theirs, "recordings/Film & Kritik: 'Grosse'/Film & Kritik: 'Grosse'.ts"),
      ],
    ]);
    const timer = await until(async () =>
      recorder.daemon.snapshot().recordings.find(({ name }) => name === "Weihnachtsfilm"),
    );
    expect(timer.padding).toEqual({ beforeMs: 5 * MINUTE, afterMs: 10 * MINUTE });

    const second = await commandLine([...args, "--json"]);
    const { recordings, timers, outcome } = JSON.parse(second.out);
    expect(recordings.map(({ fate }: { fate: { is: string } }) => fate.is)).toEqual(["there", "there"]);
    expect(timers.find(({ title }: { title: string }) => title === "Weihnachtsfilm").fate.is).toBe("there");
    expect(outcome).toMatchObject({ recordings: 0, timers: 0, rules: 0 });
    expect(await rulesOf(recorder)).toEqual(rules);
    expect(await entriesOf(recorder)).toEqual(entries);
    expect(
      recorder.daemon.snapshot().recordings.filter(({ name }) => name === "Weihnachtsfilm"),
    ).toHaveLength(1);
    expect(await sumsOf(theirs)).toEqual(before);
  });

  it("lets people watch what came, from where its last viewer stopped, and take it out again", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, 2);
    const theirs = await theirFolder(folder.path, home);
    const before = await sumsOf(theirs);
    await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1) });
    await commandLine(argsFor(theirs, recorder));
    const [news, film] = await entriesOf(recorder);
    const of = (entry: LibraryEntry | undefined, what: string) =>
      `/v1/recordings/${encodeURIComponent(entry?.recordingId ?? "")}${what}`;
    const { playing } = recorder.daemon;
    const { size, type } = await playing.open(film?.recordingId ?? "");
    expect({ size, type }).toEqual({ size: 198_528, type: "video/mp2t" });
    const playlist = await until(() =>
      playing.hls.playlist({ recordingId: film?.recordingId ?? "" }).catch(() => undefined),
    );
    expect(playlist).toContain("#EXT-X-ENDLIST");
    const progress = await askDaemon<{ seconds: number }>(
      recorder.config.control.socket,
      { method: "GET", path: of(film, "/progress") },
      io,
    );
    expect(progress.seconds).toBe(4);
    await expect(playing.sidecar(film?.recordingId ?? "")).rejects.toMatchObject({
      code: "FILE_UNREADABLE",
    });

    const gone = await commandLine([
      "recordings",
      "delete",
      news?.recordingId ?? "",
      "--socket",
      recorder.config.control.socket,
    ]);
    expect(gone.out).toBe(`Removed from the library; the file stays: ${news?.file}`);
    expect(await entriesOf(recorder)).toHaveLength(1);
    expect(await sumsOf(theirs)).toEqual(before);
  });

  it("says which recordings the recorder's user cannot read, and which folders were not named", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path, 2);
    const theirs = await theirFolder(folder.path, home);
    await using recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1) });
    const { out } = await commandLine([
      "import",
      "tvheadend",
      join(theirs, "settings"),
      "--socket",
      recorder.config.control.socket,
      "--dry-run",
      "--json",
    ]);
    const { cannotCome } = JSON.parse(out);
    expect(cannotCome).toContainEqual({
      kind: "recording",
      name: "Tagesschau",
      why: expect.stringMatching(/Tagesschau.ts is (missing|outside of the folders)/),
    });
    const order = {
      from: "tvheadend",
      id: "x",
      title: "X",
      channelName: "",
      event: { start: 0, stop: 1 },
      file: "/etc/passwd-",
      bytes: 1,
      modifiedAt: 0,
      isDamaged: false,
      isWatched: false,
    };
    const path = "/v1/import/recordings";
    const body = { recordings: [order, { ...order, id: "y", file: "/proc/self/exe" }] };
    const results = await askDaemon(recorder.config.control.socket, { method: "POST", path, body }, io);
    expect(results).toMatchObject([
      { id: "x", result: "refused" },
      { id: "y", result: "refused", why: "/proc/self/exe is a symbolic link." },
    ]);
  });
});

/** A copy with the channels of the simulated region, one timer in two hours, and old recordings. */
async function theirFolder(folder: string, home: TestWorld): Promise<string> {
  const theirs = join(folder, "theirs");
  await cp(FIXTURE, theirs, { recursive: true });
  const settings = join(theirs, "settings");
  for (const name of await readdir(join(settings, "channel/config"))) {
    const file = join(settings, "channel/config", name);
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace('"Eins"', '"Sim 1"').replace('"Zwei HD"', '"Sim 2"'));
  }
  const log = join(settings, "dvr/log");
  for (const name of await readdir(log)) await keepAhead(join(log, name));
  const start = Math.ceil(io.clock.now() / MINUTE) * MINUTE + 120 * MINUTE;
  const film = join(log, FILM);
  const entry = JSON.parse(await readFile(film, "utf8"));
  await writeFile(
    film,
    JSON.stringify({ ...entry, start: start / 1000, stop: (start + 90 * MINUTE) / 1000 }),
  );
  await home.world.guide.addShow({ channelId: 1, title: "Weihnachtsfilm", start, durationMinutes: 90 });
  return theirs;
}

/** The day on which the folder was made: its timers are later. */
const MADE = Date.UTC(2026, 10, 26) / 1000;

/** A timer that was ahead when the folder was made is ahead by as much now. */
async function keepAhead(file: string): Promise<void> {
  const entry = JSON.parse(await readFile(file, "utf8"));
  const since = Math.max(0, Math.ceil(io.clock.now() / 1000) - MADE);
  if (entry.start < MADE) return;
  await writeFile(file, JSON.stringify({ ...entry, start: entry.start + since, stop: entry.stop + since }));
}

function argsFor(theirs: string, { config }: InProcess): readonly string[] {
  return [
    "import",
    "tvheadend",
    join(theirs, "settings"),
    "--recordings",
    join(theirs, "recordings"),
    "--socket",
    config.control.socket,
  ];
}

function entriesOf({ config }: InProcess): Promise<readonly LibraryEntry[]> {
  return askDaemon(config.control.socket, { method: "GET", path: "/v1/recordings" }, io);
}

async function rulesOf({ config }: InProcess) {
  const { rules } = await askDaemon<{ readonly rules: readonly Rule[] }>(
    config.control.socket,
    { method: "GET", path: "/v1/rules" },
    io,
  );
  return rules;
}

/** Path, time and checksum of each file. */
async function sumsOf(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder, { recursive: true })).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { mtimeMs } = await stat(path);
      const isFile = (await stat(path)).isFile();
      const sum = isFile
        ? createHash("sha256")
            .update(await readFile(path))
            .digest("hex")
        : "folder";
      return `${name} ${mtimeMs} ${sum}`;
    }),
  );
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  const deadline = io.clock.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (io.clock.now() > deadline) throw new Error("it did not happen");
    await pause(50);
  }
}
