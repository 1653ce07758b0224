import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface Listed {
  readonly uses: readonly string[];
  readonly program: string;
  readonly packages: readonly string[];
}

const LIST: readonly Listed[] = readFileSync("scripts/programs.txt", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [uses = "", program = "", ...packages] = line.split(/ +/);
    return { uses: uses.split(","), program, packages };
  });

/** The files that start programs, in quotes or in shell scripts. Generators of fixtures do not run in tests. */
const FILES: ReadonlyMap<string, string> = new Map(
  ["src", "test", "scripts", "bench", "systemd"].flatMap((top) =>
    readdirSync(top, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|mjs|py|sh)$/.test(name) && !/(^|\/)(fixtures\/|programs\.test)/.test(name))
      .map((name) => [join(top, name), readFileSync(join(top, name), "utf8")] as const),
  ),
);

/** Functions whose first argument is a program, wherever they are used. */
const STARTERS = [
  "spawn",
  "spawnSync",
  "execFile",
  "execFileSync",
  "startChild",
  "askTool",
  "told",
  "isThere",
];

/** A file's own: `const run = promisify(execFile)`, and functions of a command that start it. */
function ownStarters(text: string): readonly string[] {
  const promised = [...text.matchAll(/const (\w+) = promisify\(execFile\)/g)];
  const functions = [
    ...text.matchAll(/function (\w+)\(\s*(?:command|program)\b[\s\S]*?\{([\s\S]*?)\n\}/g),
    ...text.matchAll(/const (\w+) = (?:async )?\((?:command|program): string[\s\S]*?=>([\s\S]*?);\n/g),
  ].filter(([, , body = ""]) => /\b(spawn|exec|runBounded|ask)\w*\(/.test(body));
  return [...promised, ...functions].map(([, name = ""]) => name);
}

/** Programs that a file names where it starts them, which a variable in that place hides. */
function started(text: string): readonly string[] {
  const starters = [...STARTERS, ...ownStarters(text)].join("|");
  const calls = text.matchAll(
    new RegExp(`(?:\\b(?:${starters})|promisify\\(execFile\\))\\(\\s*"([a-z][\\w.+-]*)"`, "g"),
  );
  const lists = [...text.matchAll(/programs: \[([^\]]*)\]/g)].flatMap(([, list = ""]) => [
    ...list.matchAll(/"([^"]+)"/g),
  ]);
  const named = text.matchAll(/\bcommand: "(?:\/bin\/)?([a-z][\w.+-]*)"/g);
  const places = text.matchAll(/"\/usr\/s?bin\/([a-z][\w.+-]*)"/g);
  return [...calls, ...lists, ...named, ...places].map(([, program = ""]) => program);
}

/** `sys` is built in. */
function imported(name: string, text: string): readonly string[] {
  const lines = name.endsWith(".py")
    ? text.matchAll(/^(?:import|from) ([\w.]+)/gm)
    : text.matchAll(/"import sys, ([\w.]+)/g);
  return [...lines].flatMap(([, module = ""]) => (module === "sys" ? [] : [`python3:${module}`]));
}

const LISTED = new Set(LIST.map(({ program }) => program));
/** Programs that are there for `npm test`, or whose tests are skipped. */
const FOR_TESTS = new Set(
  LIST.filter(({ uses }) => uses.some((use) => ["run", "test", "maybe"].includes(use))).map(
    ({ program }) => program,
  ),
);
/** Tests with a command of their own. */
const OTHER_LANES = /^test\/(?:container|long|systemd)\//;
/** Programs that come with Node.js, and one that is looked for in a container. */
const OTHERS = new Set(["node", "npm", "tini"]);

function among(
  find: (text: string, name: string) => readonly string[],
  listed: ReadonlySet<string> = LISTED,
): readonly string[] {
  const found = [...FILES].flatMap(([name, text]) => find(text, name).map((each) => `${each} in ${name}`));
  return found.filter((each) => {
    const [program = ""] = each.split(" ");
    return !listed.has(program) && !OTHERS.has(program);
  });
}

describe("scripts/programs.txt", () => {
  it("lists every program that the recorder, its tests and its scripts start", () => {
    expect(among(started)).toEqual([]);
  });

  it("lists for npm test what its tests start", () => {
    const inLane = (text: string, name: string) =>
      name.startsWith("test/") && !OTHER_LANES.test(name) ? started(text) : [];
    expect(among(inLane, FOR_TESTS)).toEqual([]);
  });

  it("lists every Python module that tests import", () => {
    expect(among((text, name) => imported(name, text))).toEqual([]);
  });

  it("lists nothing unused", () => {
    const texts = [...FILES.values(), readFileSync("Dockerfile", "utf8")];
    const isUsed = (program: string) => {
      const word = new RegExp(`(?<![\\w-])${program.replace(/[.+]/g, "\\$&")}(?![\\w-])`);
      return texts.some((text) => word.test(text));
    };
    // It stands for polkitd, which logind asks when the recorder keeps the machine awake.
    const hidden = "pkaction";
    const names = [...LISTED]
      .map((program) => program.replace("python3:", ""))
      .filter((name) => name !== hidden);
    expect(names.filter((name) => !isUsed(name))).toEqual([]);
  });

  it("lists each program once, with the package of each distribution", () => {
    expect(LISTED.size).toBe(LIST.length);
    for (const { packages } of LIST) {
      expect(packages.slice(3)).toEqual(packages.length > 3 ? ["daemon"] : []);
      expect(packages.length).toBeGreaterThanOrEqual(3);
    }
  });

  it.each([
    ['spawnSync("strace", ["-f"])', ["strace"]],
    ['const run = promisify(execFile);\nawait run(\n  "strace",\n)', ["strace"]],
    ['function sh(command: string) {\n  execFileSync(command);\n}\nsh("strace")', ["strace"]],
    ['whyNotHere({ programs: ["strace", "gdb"] })', ["strace", "gdb"]],
    ['const PROXY = { command: "squid" }', ["squid"]],
    ['env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell"', ["chromium-headless-shell"]],
    ['spawn(process.execPath, ["list"])', []],
  ])("recognises programs in every form of start in code: %s", (text, programs) => {
    expect(started(text)).toEqual(programs);
  });
});
