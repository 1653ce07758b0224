import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, type Stats } from "node:fs";
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/completion/command-table.ts";
import type { CliIo } from "../../src/cli/io.ts";
import { givesUpRights } from "../../src/cli/privileges.ts";
import { program } from "../../src/cli/program.ts";
import { casesOf, IS_LONG } from "../lane.ts";
import { CAN_BE_ANOTHER_USER } from "./another-user.ts";

const PROGRAM = resolve("dist/main.js");
/** nobody: the user that owns the folder, and means harm. */
const FOE = 65_534;
/** The definitions alone: no command runs. */
const TABLE = commandTable(await program({ print: () => {}, note: () => {} } as unknown as CliIo));
/** Options that choose a command's folder. */
const PLACES = ["--data", "--config", "--secrets"];
const COMMANDS = TABLE.filter(
  ({ path, subcommands }) =>
    subcommands.length === 0 && givesUpRights(path.join(" ")) && placesOf(path).length > 0,
);
/** Commands that write the files that the other commands work on. */
const WRITERS = [
  "login",
  "web password",
  "web token",
  "tuners login",
  "guide-server users add",
  "guide-server add-account",
];

/** The places of a command, and of the commands that it belongs to. */
function placesOf(path: readonly string[]): readonly string[] {
  const own = TABLE.filter((each) => each.path.every((word, index) => word === path[index]));
  return PLACES.filter((place) =>
    own.some(({ options }) => options.some(({ names }) => names.includes(place))),
  );
}

let root: string;
let folder: string;
let outside: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "recorderd-hostile-"));
  await chmod(root, 0o755);
  folder = join(root, "data");
  outside = join(root, "outside");
  await writeOutside();
  await writeFile(join(root, "recorderd.yaml"), configOf(folder));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function writeOutside(): Promise<void> {
  await mkdir(join(outside, "folder"), { recursive: true });
  await writeFile(join(outside, "file"), "root's alone", { mode: 0o600 });
  await writeFile(join(outside, "secrets.yaml"), "apiKey: root's\n", { mode: 0o600 });
  await writeFile(join(outside, "folder", "inner"), "root's", { mode: 0o600 });
}

function configOf(data: string): string {
  return [
    "guide: {url: 'http://127.0.0.1:9', regionId: 1, deviceId: 1}",
    `recordings: {folder: ${root}/recordings}`,
    "tuners: [{id: one, kind: mock, broadcaster: 'http://127.0.0.1:9'}]",
    `data: {folder: ${data}}`,
    `control: {socket: ${root}/socket}`,
  ].join("\n");
}

/** Everything that a privileged program would leave elsewhere. */
async function elsewhere(): Promise<readonly unknown[]> {
  const names = await readdir(outside, { recursive: true });
  return await Promise.all(
    ["", ...names].sort().map(async (name) => {
      const path = join(outside, name);
      const found: Stats = await lstat(path);
      const content = found.isFile() ? await readFile(path, "utf8") : "";
      return {
        name,
        content,
        uid: found.uid,
        gid: found.gid,
        mode: found.mode,
        size: found.isFile() ? found.size : 0,
      };
    }),
  );
}

/** Commands that do not end once they have begun. */
const GOES_ON = ["run", "simulate"];

function run(args: readonly string[]): Promise<string> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [PROGRAM, ...args],
      { timeout: GOES_ON.includes(args[0] ?? "") ? 3000 : 20_000, killSignal: "SIGKILL" },
      (_error, out, err) => done(out + err),
    );
    child.stdin?.end("a long password\nanother line\n");
  });
}

async function makeFolders(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await mkdir(join(root, "recordings"), { recursive: true });
}

/** Entries of a folder that do not belong to FOE. */
async function strangersIn(place: string): Promise<readonly string[]> {
  const paths = (await readdir(place, { recursive: true })).map((name) => join(place, name));
  const owners = await Promise.all(paths.map((path) => lstat(path)));
  return paths.filter((_, index) => owners[index]?.uid !== FOE);
}

const archive = () => join(root, "backup.tgz");
const ofBoth = () => ["--config", join(root, "recorderd.yaml"), "--guide-data", join(folder, "guide")];
const backup = () => ["backup", archive(), "--with-secrets", ...ofBoth()];
const restore = () => ["restore", archive(), "--replace", ...ofBoth()];
/** Commands whose files belong to several users, and the daemons; no interface has the address, so that a daemon that can begin ends. */
const SEVERAL_OWNERS: readonly (readonly [string, () => readonly string[]])[] = [
  ["backup", backup],
  ["restore of an earlier backup", restore],
  ["run", () => ["run", "--config", join(root, "recorderd.yaml")]],
  ["guide-server", () => ["guide-server", "--host", "192.0.2.1", "--data", folder]],
];

/** All that a backup holds, if there is one. */
async function archived(): Promise<string> {
  const packed = await readFile(archive()).catch(() => undefined);
  return packed === undefined ? "" : gunzipSync(packed).toString("latin1");
}

/** The attack of the folder's owner: it swaps links and files of its own as fast as it can. */
const RACER = `
  const { linkSync, renameSync, symlinkSync, unlinkSync, writeFileSync } = require("node:fs");
  const [folder, outside, ...names] = process.argv.slice(1);
  const forgiving = (work) => { try { work(); } catch {} };
  let swaps = 0;
  process.on("message", () => process.send(swaps));
  const turn = () => {
    for (const name of names) {
      const [path, aside] = [folder + "/" + name, folder + "/aside-" + name];
      forgiving(() => renameSync(path, aside));
      forgiving(() => symlinkSync(outside + (swaps % 3 === 0 ? "/folder" : swaps % 3 === 1 ? "/file" : "/new-" + name), path));
      forgiving(() => unlinkSync(path));
      forgiving(() => renameSync(aside, path));
      swaps += 1;
    }
    setImmediate(turn);
  };
  turn();
`;

async function startRacer(): Promise<AsyncDisposable & { swaps(): Promise<number> }> {
  const names = [...NAMES, "document.json", "ledger", ".restore", "guide"];
  const child = spawn(process.execPath, ["-e", RACER, folder, outside, ...names], {
    uid: FOE,
    gid: FOE,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  return {
    swaps: async () => {
      const told = once(child, "message");
      child.send("how many");
      const [swaps] = await told;
      return Number(swaps);
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** A complete command line: every argument, and all options that name a place. */
function argumentsOf({ path, arguments: positional }: (typeof COMMANDS)[number]): readonly string[] {
  const has = (name: string) => placesOf(path).includes(name);
  return [
    ...path,
    ...positional.map(({ value }) => (value.kind === "words" ? (value.words[0] ?? "x") : "x")),
    ...(has("--data") ? ["--data", folder] : []),
    ...(has("--config") ? ["--config", join(root, "recorderd.yaml")] : []),
    ...(has("--secrets") ? ["--url", "http://127.0.0.1:9", "--secrets", join(folder, "secrets.yaml")] : []),
  ];
}

const NAMES = [
  "daemon.lock",
  "secrets.yaml",
  "document.json",
  "library.json",
  "guide.sqlite",
  "recorderd.json",
  "recorderd.db",
  "channels.json",
  "guide.db",
];

/** The trap that every command meets; the others are for those that write. */
const ALL_MEET = "links to files";
const TRAPS: readonly (readonly [string, () => Promise<void>])[] = [
  [
    "links to files",
    () => each((name) => symlink(join(outside, name === "secrets.yaml" ? name : "file"), join(folder, name))),
  ],
  [
    "links that lead nowhere",
    () => each((name) => symlink(join(outside, `new-${name}`), join(folder, name))),
  ],
  ["links to folders", () => each((name) => symlink(join(outside, "folder"), join(folder, name)))],
  ["hard links to a file", () => each((name) => link(join(outside, "file"), join(folder, name)))],
  [
    "a forged restore list",
    async () => {
      await mkdir(join(folder, ".restore"));
      const forged = { install: ["../outside/file"], remove: ["../outside", outside] };
      await writeFile(join(folder, ".restore", "ready.json"), JSON.stringify(forged));
      await chown(join(folder, ".restore"), FOE, FOE);
    },
  ],
];

async function each(lay: (name: string) => Promise<void>): Promise<void> {
  for (const name of NAMES) await lay(name);
}

describe.skipIf(!CAN_BE_ANOTHER_USER)("a folder of another user that is full of traps", () => {
  it("is tested with every command that writes to a folder", () => {
    const paths = COMMANDS.map(({ path }) => path.join(" "));
    for (const known of WRITERS) expect(paths).toContain(known);
    expect(paths.length).toBeGreaterThan(45);
  });

  it.each(TRAPS)("does not make a command of root change anything outside it: %s", async (name, lay) => {
    // Each trap meets one writer, another each time; in test:long all meet all.
    const at = TRAPS.findIndex(([other]) => other === name);
    const writers = IS_LONG ? WRITERS : WRITERS.slice(at, at + 1);
    const isMet = IS_LONG && name === ALL_MEET;
    const all = COMMANDS.filter(({ path }) => isMet || writers.includes(path.join(" ")));
    for (const command of all) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      await lay();
      chownSync(folder, FOE, FOE);
      const before = await elsewhere();
      const said = await run(argumentsOf(command));
      expect({ command: command.path.join(" "), after: await elsewhere() }, said).toEqual({
        command: command.path.join(" "),
        after: before,
      });
      expect(said).not.toContain("root's");
      expect(said).not.toMatch(/has \d+ mistakes|has a mistake/);
    }
  });

  it.each(SEVERAL_OWNERS)("restricts %s to itself", async (name, args) => {
    for (const [trap, lay] of IS_LONG ? TRAPS : TRAPS.slice(-1)) {
      await makeFolders();
      await lay();
      chownSync(folder, FOE, FOE);
      const before = await elsewhere();
      const said = await run(args());
      expect({ name, trap, after: await elsewhere() }, said).toEqual({ name, trap, after: before });
      expect(said).not.toContain("root's");
      expect(said).not.toMatch(/has \d+ mistakes|has a mistake/);
      expect(await archived()).not.toContain("root's");
    }
  });

  it("gives its owner no access elsewhere by renaming during a command", async () => {
    await makeFolders();
    await writeFile(join(folder, "secrets.yaml"), "apiKey: own\n", { mode: 0o600 });
    await chown(join(folder, "secrets.yaml"), FOE, FOE);
    chownSync(folder, FOE, FOE);
    const before = await elsewhere();
    await using racer = await startRacer();
    for (let round = 0; round < casesOf({ sample: 1, all: 20 }); round += 1) {
      for (const words of ["web token", "login", "guide-server users add"]) {
        const [command] = COMMANDS.filter(({ path }) => path.join(" ") === words);
        if (command === undefined) throw new Error(`there is no command ${words}`);
        await run(argumentsOf(command));
      }
      // The daemons end only after seconds.
      for (const [, args] of IS_LONG ? SEVERAL_OWNERS : SEVERAL_OWNERS.slice(0, 2)) await run(args());
      expect(await archived()).not.toContain("root's");
    }
    expect(await racer.swaps()).toBeGreaterThan(1000);
    expect(await elsewhere()).toEqual(before);
  });
});

describe.skipIf(!CAN_BE_ANOTHER_USER)("a harmless folder of another user", () => {
  it("keeps its owner after root's backup and restore", async () => {
    await makeFolders();
    await writeFile(join(folder, "secrets.yaml"), "apiKey: own\n", { mode: 0o600 });
    await chown(join(folder, "secrets.yaml"), FOE, FOE);
    chownSync(folder, FOE, FOE);
    expect(await run(backup())).toMatch(/: 2 files/);
    await unlink(join(folder, "secrets.yaml"));
    expect(await run(restore())).toContain("Restored the backup of");
    const { uid, gid, mode } = await lstat(join(folder, "secrets.yaml"));
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: FOE, gid: FOE, mode: 0o600 });
    expect((await lstat(archive())).uid).toBe(0);
  });

  it("has only files of its owner after root ran the recorder", async () => {
    await makeFolders();
    chownSync(folder, FOE, FOE);
    chownSync(join(root, "recordings"), FOE, FOE);
    const child = spawn(process.execPath, [PROGRAM, "run", "--config", join(root, "recorderd.yaml")], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(child, "exit");
    try {
      for await (const text of child.stderr.setEncoding("utf8")) {
        if (String(text).includes('"started"')) break;
      }
    } finally {
      child.kill("SIGTERM");
    }
    await ended;
    const names = await readdir(folder, { recursive: true });
    expect(names).toEqual(expect.arrayContaining(["daemon.lock", "ledger"]));
    const others = await strangersIn(folder);
    expect([...others, ...(await strangersIn(join(root, "recordings")))]).toEqual([]);
  });

  it("has only files of its owner after root added an account", async () => {
    await makeFolders();
    chownSync(folder, FOE, FOE);
    await run(["guide-server", "add-account", "new@example.org", "--data", folder]);
    const names = await readdir(folder);
    const owners = await Promise.all(names.map((name) => lstat(join(folder, name))));
    expect(names.length).toBeGreaterThan(1);
    expect(owners.map(({ uid, gid }) => [uid, gid])).toEqual(owners.map(() => [FOE, FOE]));
  });

  it("makes root's import run as its owner, who cannot read other files", async () => {
    await makeFolders();
    chownSync(folder, FOE, FOE);
    const said = await run(["guide-server", "import", join(outside, "file"), "--data", folder]);
    expect(said).toContain("ran as the owner of the folder");
  });
});
