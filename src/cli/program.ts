import type { Command } from "commander";
import { COMMANDS } from "./commands.ts";
import type { CliIo } from "./io.ts";
import { rootOf } from "./root.ts";

/** The command line with the command of this name alone, or with all commands where none has it. */
export async function program(io: CliIo, name?: string): Promise<Command> {
  const all = Object.entries(COMMANDS).flatMap(([heading, group]) =>
    Object.entries(group).map(([own, entry]) => ({ heading, own, ...entry })),
  );
  const named = all.filter(({ own }) => own === name);
  const commands = await Promise.all(
    (named.length > 0 ? named : all).map(async ({ heading, summary, load }) =>
      (await load(io, () => program(io))).summary(summary).helpGroup(heading),
    ),
  );
  return rootOf(io, commands);
}
