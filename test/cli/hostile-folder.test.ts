import { execFile } from "node:child_process";
import { chownSync, type Stats } from "node:fs";
import {
  chown,
  cp,
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
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.ts";
import type { CliIo } from "../../src/cli/io.ts";
import { givesUpRights } from "../../src/cli/privileges.ts";
import { program } from "../../src/cli/program.ts";

const PROGRAM = resolve("dist/main.js");
/** nobody: the user that owns the folder, and means harm. */
const FOE = 65_534;
const isRoot = process.getuid?.() === 0;
/** The definitions alone: nothing is asked of it. */
const TABLE = commandTable(program({ print: () => {}, note: () => {} } as unknown as CliIo));
/** What says in which folder a command works. */
const PLACES = ["--data", "--config", "--secrets"];
const COMMANDS = TABLE.filter(
  ({ path, subcommands }) =>
    subcommands.length === 0 && givesUpRights(path.join(" ")) && placesOf(path).length > 0,
);
/** Those that write, of all of which the rest is made. */
const WRITERS = [
  "login",
  "web password",
  "web token",
  "tuners login",
  "guide-server users add",
  "guide-server add-account",
];

/** Those of a command, and of the commands that it belongs to. */
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
    "guide: {url: 'http://127.0.0.1:9', deviceId: 1}",
    `recordings: {folder: ${root}/recordings}`,
    "tuners: [{id: one, type: mock, url: 'http://127.0.0.1:9'}]",
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

function run(args: readonly string[]): Promise<string> {
  return new Promise((done) => {
    const child = execFile(process.execPath, [PROGRAM, ...args], { timeout: 30_000 }, (_error, out, err) =>
      done(out + err),
    );
    child.stdin?.end("a long password\nanother line\n");
  });
}

/** As it is called by somebody who knows what it wants. */
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
  ["second names of a file", () => each((name) => link(join(outside, "file"), join(folder, name)))],
  [
    "a forged list of a restore",
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

describe.skipIf(!isRoot)("a folder that belongs to somebody else, and is full of traps", () => {
  it("is met by these commands", () => {
    const paths = COMMANDS.map(({ path }) => path.join(" "));
    for (const known of WRITERS) expect(paths).toContain(known);
    expect(paths.length).toBeGreaterThan(45);
  });

  it.each(TRAPS)("has no command that root starts change anything elsewhere: %s", async (name, lay) => {
    const all = COMMANDS.filter(({ path }) => name === ALL_MEET || WRITERS.includes(path.join(" ")));
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
    }
  });

  it("may change names while a command runs, and gains nothing by it", async () => {
    await mkdir(folder);
    chownSync(folder, FOE, FOE);
    const [token] = COMMANDS.filter(({ path }) => path.join(" ") === "web token");
    if (token === undefined) throw new Error("there is such a command");
    const secrets = join(folder, "secrets.yaml");
    const good = join(root, "good.yaml");
    await writeFile(good, "apiKey: own\n", { mode: 0o600 });
    await chown(good, FOE, FOE);
    const before = await elsewhere();
    for (let round = 0; round < 5; round += 1) {
      const running = run(argumentsOf(token));
      let isOver = false;
      void running.then(() => {
        isOver = true;
      });
      for (let turn = 0; !isOver && turn < 1000; turn += 1) {
        await unlink(secrets).catch(() => {});
        await (turn % 2 === 0
          ? cp(good, secrets, { preserveTimestamps: false })
          : symlink(join(outside, "file"), secrets)
        ).catch(() => {});
      }
      await running;
    }
    expect(await elsewhere()).toEqual(before);
  });
});
