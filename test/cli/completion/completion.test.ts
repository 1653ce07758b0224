import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandLine } from "../command-line.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-completion-"));
  for (const shell of ["bash", "zsh", "fish"]) {
    await writeFile(join(folder, shell), (await commandLine(["completion", shell])).out);
  }
  await writeFile(join(folder, "recording.ts"), "");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const isMissing = (shell: string) => spawnSync(shell, ["--version"]).error !== undefined;

/** The shell's offers for a line whose last word is being typed. */
type Offers = (line: string) => readonly string[];

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

const bash: Offers = (line) => {
  const words = line.split(" ");
  const script = `source ${folder}/bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _recorderd; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script, "bash", ...words], {
    encoding: "utf8",
    cwd: folder,
  });
  expect(stderr).toBe("");
  return linesOf(stdout);
};

const fish: Offers = (line) => {
  const script = `source ${folder}/fish; complete -C ${JSON.stringify(line)}`;
  const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", script], {
    encoding: "utf8",
    cwd: folder,
  });
  expect(stderr).toBe("");
  return linesOf(stdout).map((offer) => offer.split("\t")[0] ?? "");
};

/** The completion system exists only at a terminal: the test looks at the words that the function would hand to it. */
const zsh: Offers = (line) => {
  const words = line.split(" ");
  const script = `compdef() { : }; _describe() { print -l -- "\${(@P)2}" }; compadd() { shift; print -l -- "$@" }; _files() { print -l -- * }
source ${folder}/zsh; words=("$@"); CURRENT=$#; PREFIX=$words[$#]; _recorderd`;
  const { stdout, stderr } = spawnSync("zsh", ["--no-rcs", "-c", script, "zsh", ...words], {
    encoding: "utf8",
    cwd: folder,
  });
  expect(stderr).toBe("");
  const last = words.at(-1) ?? "";
  return linesOf(stdout)
    .map((offer) => offer.split(":")[0] ?? "")
    .filter((offer) => offer.startsWith(last));
};

describe.each([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
] as const)("completion in %s", (shell, offers) => {
  it.skipIf(isMissing(shell))("offers commands, subcommands, options, choices and files", () => {
    expect([...offers("recorderd rec")].sort()).toEqual(["record", "recordings"]);
    expect(offers("recorderd recordings pr")).toEqual(["protect"]);
    expect(offers("recorderd tuners log")).toEqual(["login"]);
    expect(offers("recorderd status --w")).toEqual(["--watch"]);
    expect(offers("recorderd status --watch --js")).toEqual(["--json"]);
    expect(offers("recorderd completion f")).toEqual(["fish"]);
    expect(offers("recorderd guide timers list --wire x")).toEqual(["xml"]);
    expect(offers("recorderd inspect reco")).toEqual(["recording.ts"]);
    expect(offers("recorderd run --config reco")).toEqual(["recording.ts"]);
    expect(offers("recorderd recordings show reco")).toEqual([]);
  });
});

it("completion for an unknown shell is refused", async () => {
  expect((await commandLine(["completion", "csh"])).code).toBe(64);
});
