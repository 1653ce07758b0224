import type { Command } from "commander";
import { expect, it } from "vitest";
import type { CliIo } from "../../src/cli/io.ts";
import { program } from "../../src/cli/program.ts";

/** Arguments and option values of a command and its subcommands, as its help shows them. */
function givenTo(command: Command): readonly string[] {
  return [
    ...command.registeredArguments.map((argument) => argument.name()),
    ...command.options.flatMap(({ flags }) => flags.match(/(?<=[<[])[^>\]]+/g) ?? []),
    ...command.commands.flatMap(givenTo),
  ];
}

it("help says in one way what is to be given: in small letters, and a folder is a folder everywhere", async () => {
  // No command runs.
  const names = givenTo(await program({} as CliIo)).map((name) => name.replace(/\.\.\.$/, ""));
  expect(names).toContain("file");
  expect(
    names.filter((name) => !/^[a-z]+([-:/][a-z]+)*$/.test(name) || /^(dir|directory|n)$/.test(name)),
  ).toEqual([]);
});

it("help of the program groups its commands, a line of 80 columns at most for each", async () => {
  const lines = (await program({} as CliIo)).configureHelp({ helpWidth: 80 }).helpInformation().split("\n");
  const first = lines.indexOf("Recording:");
  expect(first).toBeGreaterThan(0);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  // A heading, an empty line, or a command with its description.
  for (const line of lines.slice(first)) expect(line).toMatch(/^$|^[A-Z].*:$|^ {2}[a-z].* {2}[a-z]/);
});

it("help shows each default as a person would write it", async () => {
  const commands = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(commands)];
  for (const command of commands(await program({} as CliIo)))
    expect(command.helpInformation(), command.name()).not.toMatch(/default: [[{]|\[object/);
});
