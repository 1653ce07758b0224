import type { Command } from "commander";
import { expect, it } from "vitest";
import type { CliIo } from "../../src/cli/io.ts";
import { calledProgram, program } from "../../src/cli/program.ts";
import { commandLine } from "./command-line.ts";

/** Arguments and option values of a command and its subcommands, as its help shows them. */
function givenTo(command: Command): readonly string[] {
  return [
    ...command.registeredArguments.map((argument) => argument.name()),
    ...command.options.flatMap(({ flags }) => flags.match(/(?<=[<[])[^>\]]+/g) ?? []),
    ...command.commands.flatMap(givenTo),
  ];
}

it("help names all arguments in lower case, and says folder instead of directory", async () => {
  // No command runs.
  const names = givenTo(await program({} as CliIo)).map((name) => name.replace(/\.\.\.$/, ""));
  expect(names).toContain("file");
  expect(
    names.filter((name) => !/^[a-z]+([-:/][a-z]+)*$/.test(name) || /^(dir|directory|n)$/.test(name)),
  ).toEqual([]);
});

it("the program's help groups its commands, in lines of at most 80 columns", async () => {
  const lines = (await program({} as CliIo)).configureHelp({ helpWidth: 80 }).helpInformation().split("\n");
  const first = lines.indexOf("Recording:");
  expect(first).toBeGreaterThan(0);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  // A heading, an empty line, or a command with its description.
  for (const line of lines.slice(first)) expect(line).toMatch(/^$|^[A-Z].*:$|^ {2}[a-z].* {2}[a-z]/);
});

it("help shows each default in the form that a user would type", async () => {
  const commands = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(commands)];
  for (const command of commands(await program({} as CliIo)))
    expect(command.helpInformation(), command.name()).not.toMatch(/default: [[{]|\[object/);
});

it.each([[[]], [["--help"]], [["help"]], [["--version"]], [["unknown"]]])(
  "the program lists all commands for %j, without their code",
  async (args) => {
    const [listed, all] = [await calledProgram({} as CliIo, args), await program({} as CliIo)];
    expect(listed.helpInformation()).toBe(all.helpInformation());
    expect(listed.commands.flatMap(({ options, commands }) => [...options, ...commands])).toEqual([]);
  },
);

it.each([[["backup"]], [["backup", "x.tar"]], [["help", "backup"]], [["--", "backup"]]])(
  "the program has the code of the command that %j calls, and of no other",
  async (args) => {
    const { commands } = await calledProgram({} as CliIo, args);
    expect(commands.map((command) => command.name())).toEqual(["backup"]);
    expect(commands[0]?.options).not.toEqual([]);
  },
);

it.each(["help timers priority", "timers priority --help"])(
  "a command of a command has its help: recorderd %s",
  async (line) => {
    const { out } = await commandLine(line.split(" "));
    expect(out).toContain("Usage: recorderd timers priority [options] <timer> <priority>");
  },
);
