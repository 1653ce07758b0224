import { Command, Help } from "commander";
import { VERSION } from "../kit/version.ts";
import type { CliIo } from "./io.ts";
import { giveUpRights } from "./privileges.ts";

/** The program with these commands. */
export function rootOf(io: CliIo, commands: readonly Command[]): Command {
  const root = new Command("recorderd")
    .description("a DVB recorder: records the timers of a guide service, and verifies each file")
    .version(VERSION)
    .configureHelp({ subcommandTerm: termOf, visibleCommands: ({ commands }) => [...commands] })
    .showHelpAfterError("(for details: recorderd help COMMAND)")
    .hook("preAction", (_root, command) => giveUpRights(command));
  for (const command of commands) root.addCommand(command);
  exitByThrowing(root, io);
  return root;
}

/** The arguments with `help timers priority` as `timers priority --help`: commander's `help` takes one name. */
export function spelledOut(args: readonly string[]): readonly string[] {
  const [first, ...names] = args;
  return first === "help" && names.length > 1 ? [...names, "--help"] : args;
}

/** By default commander would end the process and write to its streams directly. */
function exitByThrowing(command: Command, io: CliIo): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.print(text.trimEnd()),
    writeErr: (text) => io.note(text.trimEnd()),
  });
  for (const child of command.commands) exitByThrowing(child, io);
}

/** A name with its arguments: nearly every command has options. */
function termOf(command: Command): string {
  return new Help().subcommandTerm(command).replace(" [options]", "");
}
