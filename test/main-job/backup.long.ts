import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openGuideServer } from "../../src/guide-server/server.ts";
import { finishStaging } from "../../src/kit/files/staged-files.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { HOUR, SECOND } from "../../src/model/time.ts";
import { writeSecrets } from "../../src/recorder/config/secrets.ts";
import { SIM_API_KEY } from "../../src/simulator/world.ts";
import { commandLine } from "../cli/command-line.ts";
import { onSimulator, pause, soon, temporaryFolder, testWorld } from "./recorder.ts";
import { storedDocument } from "./stored-document.ts";

const MAIN = join(import.meta.dirname, "../../dist/main.js");

function unpacked(file: string): string {
  return spawnSync("tar", ["-xzOf", file], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }).stdout;
}

/** Starts a command and kills it when `path` shows, and then some looks later. */
async function killedWhenThere(args: readonly string[], path: string, looks: number): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [MAIN, ...args], { stdio: "ignore" });
  const gone = once(child, "exit");
  while (!existsSync(path) && child.exitCode === null) await pause(1);
  for (let look = 0; look < looks && existsSync(path); look += 1) await pause(1);
  child.kill("SIGKILL");
  await gone;
}

describe("a backup", () => {
  it("of a running daemon restores the same recorder on another machine, with its guide server", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const config = join(folder.path, "recorderd.yaml");
    const file = join(folder.path, "recorderd.tar.gz");
    const guide = ["--guide-data", join(folder.path, "guide")];
    const hooks = [{ on: ["deleted"], command: ["true"], shell: true }];
    await using recorder = await onSimulator(folder.path, home, { more: { hooks } });
    await recorder.start();
    const show = { channel: 1, title: "Before the move", start: soon(), durationMs: 4 * SECOND };
    const timerId = await home.world.book(show, home.deviceId);
    const later = { channel: 2, title: "After the move", start: soon() + HOUR, durationMs: 4 * SECOND };
    const laterId = await home.world.book(later, home.deviceId);
    await recorder.until(timerId, ({ state }) => isTerminal(state));
    await recorder.until(laterId, ({ state }) => state === "planned");

    const made = await commandLine(["backup", file, "--config", config, ...guide]);
    expect(made.code, made.err).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = unpacked(file);
    expect(text).toContain("Before the move");
    for (const secret of [home.token, SIM_API_KEY]) expect(text.includes(secret), secret).toBe(false);

    await recorder.stop();
    const before = await storedDocument(recorder.data);
    await rm(recorder.data, { recursive: true });
    await rm(config);
    const other = ["--guide-data", join(folder.path, "other-guide")];
    const restored = await commandLine(["restore", file, "--config", config, ...other]);
    expect(restored.code, restored.err).toBe(0);
    expect(restored.out).toContain("recorderd login");
    for (const line of [`recordings     ${recorder.recordings}`, "it will run    /bin/sh -c true"])
      expect(restored.out).toContain(`  ${line}\n`);
    const restoredDocument = await storedDocument(recorder.data);
    expect(Object.keys(restoredDocument.recordings)).toEqual(Object.keys(before.recordings));
    const why = await commandLine(["why", timerId, "--config", config]);
    expect(why.out).toMatch(/on disk.*of the event/);

    await using copy = await openGuideServer({
      dataFolder: join(folder.path, "other-guide"),
      clock: systemClock(),
      log: silentLog,
      apiKey: SIM_API_KEY,
    });
    expect(await copy.timerReports(timerId)).toEqual(await home.world.guide.timerReports(timerId));
  });

  it("includes secrets only on request, and restores them for the daemon alone", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const recorder = await onSimulator(folder.path, home);
    const config = join(folder.path, "recorderd.yaml");
    const file = join(folder.path, "recorderd.tar.gz");
    const none = ["--guide-data", join(folder.path, "none")];
    const text = await readFile(config, "utf8");
    const address = "http://planted-user:planted-password@iptv.example/planted-path/1.ts?token=planted-token";
    const iptv = `  - { kind: url, id: iptv, services: [{ service: 1/2/3, url: "${address}" }] }\n`;
    await writeFile(config, text.replace("tuners:\n", `tuners:\n${iptv}`));
    await commandLine(["backup", file, "--config", config, ...none]);
    expect(unpacked(file)).toContain("iptv.example");
    expect(unpacked(file)).not.toContain("planted");
    const [before, line] = [await readFile(config, "utf8"), text.split("\n").indexOf("tuners:") + 2];
    await rm(recorder.data, { recursive: true });
    const bare = await commandLine(["restore", file, "--config", config, ...none, "--replace"]);
    expect(bare.out).toContain(`the backup left out secrets in lines ${line};`);
    await writeFile(config, before);
    const lists = join(recorder.data, "channel-lists");
    await mkdir(lists);
    const services = (url: string) =>
      `{"format":"recorderd","services":[\n{"name":"A","ids":{},"url":"${url}"}\n]}\n`;
    await writeFile(join(lists, "group.json"), services("udp://@239.0.0.1:5000"));
    await writeFile(join(lists, "iptv.json"), services(address));
    const open = await commandLine(["backup", file, "--config", config, ...none]);
    expect(open.out).toContain("Left out, as their addresses may hold secrets: channel-lists/iptv.json.");
    expect(unpacked(file)).not.toContain("planted");
    await rm(join(lists, "group.json"));
    await commandLine(["restore", file, "--config", config, ...none, "--replace"]);
    // A list that is not in the backup stays.
    expect((await readdir(lists)).sort()).toEqual(["group.json", "iptv.json"]);
    await writeFile(config, before);
    await writeSecrets(recorder.data, { apiKey: SIM_API_KEY, account: { email: "a@b", token: home.token } });
    await commandLine(["backup", file, "--config", config, ...none, "--with-secrets"]);
    expect(unpacked(file)).toContain(home.token);
    await rm(recorder.data, { recursive: true });
    expect((await commandLine(["restore", file, "--config", config, ...none, "--replace"])).code).toBe(0);
    const secrets = join(recorder.data, "secrets.yaml");
    expect((await stat(secrets)).mode & 0o777).toBe(0o600);
    expect(await readFile(secrets, "utf8")).toContain(home.token);
    expect(await readFile(join(lists, "iptv.json"), "utf8")).toBe(services(address));
    expect((await stat(join(lists, "iptv.json"))).mode & 0o777).toBe(0o600);

    vi.stubEnv("RECORDERD_SECRETS_FILE", join(folder.path, "handed-over"));
    await writeFile(join(folder.path, "handed-over"), "apiKey: handed-over-key\n");
    await commandLine(["backup", file, "--config", config, ...none, "--with-secrets"]);
    vi.unstubAllEnvs();
    expect(unpacked(file)).toContain("handed-over-key");
    expect(unpacked(file)).not.toContain(home.token);
  });

  it("is not restored over a running or existing installation, nor if it is damaged or foreign: nothing changes", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    await using recorder = await onSimulator(folder.path, home);
    const config = join(folder.path, "recorderd.yaml");
    const file = join(folder.path, "recorderd.tar.gz");
    const none = ["--guide-data", join(folder.path, "none")];
    await recorder.start();
    await commandLine(["backup", file, "--config", config, ...none]);
    const restore = (source: string, ...more: readonly string[]) =>
      commandLine(["restore", source, "--config", config, ...none, ...more]);
    const inUse = await restore(file, "--replace");
    expect([inUse.code, inUse.err]).toEqual([75, expect.stringContaining("STORE_LOCKED")]);
    await recorder.stop();
    const names = await readdir(recorder.data);
    const there = await restore(file);
    expect([there.code, there.err]).toEqual([1, expect.stringContaining("--replace")]);
    const bytes = await readFile(file);
    const torn = join(folder.path, "torn.tar.gz");
    await writeFile(torn, bytes.subarray(0, bytes.length - 100));
    const strange = join(folder.path, "strange");
    await mkdir(strange);
    await writeFile(join(strange, "backup.json"), "{}");
    spawnSync("tar", ["-czf", `${strange}.tar.gz`, "-C", strange, "."]);
    for (const source of [torn, `${strange}.tar.gz`, config]) {
      const { code, err } = await restore(source, "--replace");
      expect([code, err], source).toEqual([66, expect.stringContaining("FILE_UNREADABLE")]);
    }
    expect((await readdir(recorder.data)).sort()).toEqual([...names].sort());
  });

  it("R-34 is complete or absent after a kill, and so is a restore", async () => {
    await using folder = await temporaryFolder();
    await using home = await testWorld(folder.path);
    const recorder = await onSimulator(folder.path, home);
    const config = join(folder.path, "recorderd.yaml");
    const file = join(folder.path, "recorderd.tar.gz");
    const none = ["--guide-data", join(folder.path, "none")];
    const documents = async (turn: string) => {
      for (const name of ["document", "library"]) {
        const empty = name === "document" ? { recordings: {} } : {};
        const text = JSON.stringify({ schemaVersion: 1, document: { ...empty, turn } });
        await writeFile(join(recorder.data, `${name}.json`), text);
      }
    };
    await recorder.start();
    await recorder.stop();
    await commandLine(["backup", file, "--config", config, ...none]);
    await killedWhenThere(
      ["backup", file, "--config", config, ...none],
      join(folder.path, ".recorderd.tar.gz.part"),
      20,
    );
    expect(spawnSync("tar", ["-tzf", file]).status).toBe(0);
    await commandLine(["backup", file, "--config", config, ...none]);
    expect((await readdir(folder.path)).filter((name) => name.endsWith(".part"))).toEqual([]);

    for (const looks of [0, 5, 15, 30]) {
      await documents("old");
      const args = ["restore", file, "--config", config, ...none, "--replace"];
      await killedWhenThere(args, join(recorder.data, ".restore"), looks);
      await finishStaging(recorder.data);
      const turns = await Promise.all(
        ["document", "library"].map(async (name) =>
          (await readFile(join(recorder.data, `${name}.json`), "utf8")).includes('"turn":"old"'),
        ),
      );
      expect(turns[0]).toBe(turns[1]);
    }
    const again = await commandLine(["restore", file, "--config", config, ...none, "--replace"]);
    expect(again.code, again.err).toBe(0);
    expect(existsSync(join(recorder.data, ".restore"))).toBe(false);
  });
});
