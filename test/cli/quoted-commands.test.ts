import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type CommandFacts, commandTable } from "../../src/cli/completion/command-table.ts";
import type { CliIo } from "../../src/cli/io.ts";
import { program } from "../../src/cli/program.ts";

let commands: readonly CommandFacts[];
beforeAll(async () => {
  // No command runs.
  commands = commandTable(await program({} as CliIo));
});

function filesIn(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));
}

/** The words after each `recorderd` of a text that is a command line with options, up to the end of its quotation or sentence. */
function linesIn(text: string): readonly (readonly string[])[] {
  const joined = text.replace(/\\\n\s*/g, "");
  return [...joined.matchAll(/(?<![\w/.-])recorderd((?: [^\s`"'“”;|()]+)+)/g)]
    .map(([, words = ""]) => words.trim().split(" "))
    .filter((words) => words.some((word) => word.startsWith("--")));
}

/** The words of each command line in backticks that has no options. */
function linesWithoutOptions(text: string): readonly (readonly string[])[] {
  return [...text.matchAll(/`recorderd ([a-z][^`\n\\$>]*)(?:\\?`| >)/g)]
    .map(([, words = ""]) => words.replace("[options] ", "").replaceAll("…", "").trim().split(/ +/))
    .filter((words) => words.every((word) => !word.startsWith("-")));
}

/** More words than the command takes: a subcommand that it does not have. */
function excessIn(words: readonly string[]): string | undefined {
  const best = commands.findLast(({ path }) => path.every((word, at) => words[at] === word));
  if (best === undefined || best.path.length === 0) return `recorderd has no command ${words[0]}`;
  const more = words.slice(best.path.length);
  const isFitting = more.length <= best.arguments.length || best.usage.includes("...");
  return isFitting ? undefined : `recorderd ${best.path.join(" ")} takes no ${more.join(" ")}`;
}

/** The mistake in a command line; none if its first word is no command. */
function mistakeIn(words: readonly string[]): string | undefined {
  const length = (path: readonly string[]) => path.filter((word, at) => words[at] === word).length;
  const [best] = commands
    .filter(({ path }) => path.length > 0 && length(path) === path.length)
    .toSorted((one, other) => other.path.length - one.path.length);
  if (best === undefined) return undefined;
  // A group's options are accepted after its commands, too.
  const groups = commands.filter(
    ({ path }) => path.length > 0 && path.every((word, at) => best.path[at] === word),
  );
  const known = new Set(groups.flatMap(({ options }) => options).flatMap(({ names }) => names));
  const options = words.map((word) => /^--[a-z][a-z-]*/.exec(word)?.[0]).filter((word) => word !== undefined);
  const strange = options.filter((option) => !known.has(option));
  return strange.length === 0
    ? undefined
    : `recorderd ${best.path.join(" ")} has no ${strange.join(", ")}: ${words.join(" ")}`;
}

describe("a command line that the program quotes", () => {
  it.each([
    ["messages", () => filesIn("src", /\.tsx?$/)],
    ["pages", () => [...filesIn("docs", /\.md$/), "README.md", "CONTRIBUTING.md"]],
    ["units and configuration", () => [...filesIn("systemd", /./), ...filesIn("config", /./)]],
  ])("has only options that its command knows, in %s", (_where, files) => {
    const quoted = files().flatMap((file) =>
      linesIn(readFileSync(file, "utf8")).map((words) => ({ file, words })),
    );
    expect(quoted.length).toBeGreaterThan(2);
    const wrong = quoted.map(({ file, words }) => ({ file, mistake: mistakeIn(words) }));
    expect(wrong.filter(({ mistake }) => mistake !== undefined)).toEqual([]);
  });

  it.each([
    ["messages", () => filesIn("src", /\.tsx?$/)],
    ["pages", () => [...filesIn("docs", /\.md$/), "README.md", "CONTRIBUTING.md"]],
  ])("exists, in %s", (_where, files) => {
    const wrong = files().flatMap((file) =>
      linesWithoutOptions(readFileSync(file, "utf8")).flatMap((words) => {
        const mistake = excessIn(words);
        return mistake === undefined ? [] : [`${file}: ${mistake}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it("is recognised as wrong", () => {
    expect(linesWithoutOptions("See `recorderd timers list`.").map(excessIn)).toEqual([
      "recorderd timers takes no list",
    ]);
    expect(linesIn("create one with recorderd login --device-uid NAME.").map(mistakeIn)).toEqual([
      "recorderd login has no --device-uid: login --device-uid NAME.",
    ]);
  });
});
