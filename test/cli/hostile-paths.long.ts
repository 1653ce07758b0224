import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CommandFacts, commandTable } from "../../src/cli/completion/command-table.ts";
import type { CliIo } from "../../src/cli/io.ts";
import { program } from "../../src/cli/program.ts";
import { IS_LONG } from "../lane.ts";

const PROGRAM = resolve("dist/main.js");
/** The definitions alone: no command runs. */
const TABLE = commandTable(await program({ print: () => {}, note: () => {} } as unknown as CliIo));
const isRoot = process.getuid?.() === 0;
/** Kinds of paths that are no file and no folder to use, in one folder. */
const KINDS = ["device", "pipe", "socket", "folder", "link", "sparse", "proc", "below-proc"] as const;
type Kind = (typeof KINDS)[number];
/** These run until they are told to end, if they can begin. */
const SERVERS = ["run", "simulate", "guide-server", "broadcaster", "setup"];

let root = "";
const server = createServer();

const pathOf = (kind: Kind) =>
  kind === "proc" ? "/proc/self/pagemap" : kind === "below-proc" ? "/proc/recorderd/x" : join(root, kind);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "recorderd-paths-"));
  // Without root, a link; a device of our own, since a defect could replace it.
  if (isRoot) execFileSync("mknod", [join(root, "device"), "c", "1", "5"]);
  else await symlink("/dev/zero", join(root, "device"));
  execFileSync("mkfifo", [join(root, "pipe")]);
  await mkdir(join(root, "folder"));
  await symlink(join(root, "gone"), join(root, "link"));
  await writeFile(join(root, "sparse"), "");
  await truncate(join(root, "sparse"), 2 ** 42);
  await once(server.listen(join(root, "socket")), "listening");
});
afterAll(async () => {
  server.close();
  await rm(root, { recursive: true, force: true });
});

/** Places in command lines that take a path: an argument's number, or an option's name. */
interface Place {
  readonly command: CommandFacts;
  readonly place: number | string;
}

const isServer = ({ path }: CommandFacts) => SERVERS.includes(path.join(" "));
const PLACES: readonly Place[] = TABLE.filter(({ subcommands }) => subcommands.length === 0).flatMap(
  (command) => [
    ...command.arguments.flatMap(({ value }, place) => (value.kind === "file" ? [{ command, place }] : [])),
    ...command.options.flatMap(({ names, value }) =>
      value.kind === "file" ? [{ command, place: String(names[0]) }] : [],
    ),
  ],
);

function lineOf({ command, place }: Place, path: string): readonly string[] {
  const words = command.arguments.map(({ value }, index) =>
    index === place ? path : value.kind === "words" ? String(value.words[0]) : join(root, "absent"),
  );
  const option = typeof place === "string" ? [place, path] : [];
  return [...command.path, ...words, ...option];
}

interface Ended {
  readonly line: string;
  readonly signal: string | null | undefined;
  readonly text: string;
}

function run(line: readonly string[]): Promise<Ended> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      // Endless content would not fit.
      ["--max-old-space-size=300", PROGRAM, ...line],
      {
        cwd: root,
        maxBuffer: 64 * 1024 * 1024,
        timeout: 100_000,
        killSignal: "SIGKILL",
        env: { PATH: process.env["PATH"] },
      },
      (error, out, err) => done({ line: line.join(" "), signal: error?.signal, text: out + err }),
    );
    child.stdin?.end("a long password\nanother line\n");
  });
}

const cases = PLACES.filter(({ command }) => !isServer(command)).flatMap((place, index) =>
  // Every ninth place meets one kind, all of them in turn; in test:long all meet all.
  KINDS.filter((_, at) => IS_LONG || (index % 9 === 0 && at === (index / 9) % KINDS.length)).map((kind) => ({
    place,
    kind,
  })),
);

it("every place for a path is known", () => {
  expect(PLACES.length).toBeGreaterThan(40);
});

it.each(cases.map((each) => [`${lineOf(each.place, each.kind).join(" ")}`, each] as const))(
  "ends with a message: recorderd %s",
  async (_, { place, kind }) => {
    const { signal, text } = await run(lineOf(place, pathOf(kind)));
    expect(signal).toBeNull();
    expect(text.trim()).not.toBe("");
    expect(text).not.toMatch(/this is a bug in recorderd|heap out of memory/);
    if (isRoot) expect((await stat(join(root, "device"))).isCharacterDevice()).toBe(true);
    expect((await stat(join(root, "pipe"))).isFIFO()).toBe(true);
  },
);
