import { Command } from "commander";
import { COMMANDS, type CommandEntry } from "./commands.ts";
import type { CliIo } from "./io.ts";
import { rootOf } from "./root.ts";

interface Entry extends CommandEntry {
  readonly name: string;
  readonly heading: string;
}

const ENTRIES: readonly Entry[] = Object.entries(COMMANDS).flatMap(([heading, group]) =>
  Object.entries(group).map(([name, entry]) => ({ heading, name, ...entry })),
);

/** The command line for these arguments. It loads the command that they call or ask about; of the others it knows their lines. */
export async function calledProgram(io: CliIo, args: readonly string[]): Promise<Command> {
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  const called = first === "help" ? second : first;
  const entry = ENTRIES.find(({ name }) => name === called);
  return rootOf(io, entry === undefined ? ENTRIES.map(outlined) : [await loaded(io, entry)]);
}

/** The command line with all commands. */
export async function program(io: CliIo): Promise<Command> {
  return rootOf(io, await Promise.all(ENTRIES.map((entry) => loaded(io, entry))));
}

async function loaded(io: CliIo, { heading, summary, load }: Entry): Promise<Command> {
  return (await load(io, () => program(io))).summary(summary).helpGroup(heading);
}

function outlined({ name, heading, summary, takes }: Entry): Command {
  const command = new Command(name).summary(summary).helpGroup(heading);
  return takes === undefined ? command : command.arguments(takes);
}
