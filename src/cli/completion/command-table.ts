import type { Argument, Command, Option } from "commander";

/** The values that an option or argument accepts. */
export type Value =
  | { readonly kind: "none" }
  | { readonly kind: "file" }
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "text" };

export interface OptionFacts {
  /** For example `--json`, with its short form if any. */
  readonly names: readonly string[];
  /** The placeholder of its value: `number` for `--port <number>`. */
  readonly takes?: string;
  readonly description: string;
  readonly value: Value;
}

/** One command, its subcommands after it in the table. */
export interface CommandFacts {
  /** Words after the program's name; empty for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  /** For example `recorderd recordings show [options] <recording>`. */
  readonly usage: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionFacts[];
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly value: Value;
  }[];
}

/** The definitions of all commands as data, the source of completion and manual. */
export function commandTable(root: Command): readonly CommandFacts[] {
  return factsOf(root, []);
}

function factsOf(command: Command, path: readonly string[]): readonly CommandFacts[] {
  const help = command.createHelp();
  const children = command.commands;
  const subcommands = children.map((child) => ({ name: child.name(), description: child.description() }));
  const own: CommandFacts = {
    path,
    description: command.description(),
    usage: ["recorderd", ...path, command.usage()].join(" "),
    subcommands,
    options: help.visibleOptions(command).map(optionOf),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      description: argument.description,
      value: valueKind(argument.name(), argument),
    })),
  };
  return [own, ...children.flatMap((child) => factsOf(child, [...path, child.name()]))];
}

function optionOf(option: Option): OptionFacts {
  const names = [option.long, option.short].filter((name) => name !== undefined && name !== null);
  const placeholder = /[<[]([^>\]]+)/.exec(option.flags)?.[1];
  const value: Value = placeholder === undefined ? { kind: "none" } : valueKind(placeholder, option);
  const takes = placeholder === undefined ? {} : { takes: placeholder };
  return { names, ...takes, description: option.description, value };
}

/** Names of arguments that are files or folders. */
const OF_FILES = /^(file|folder|target|source)s?$/;

function valueKind(name: string, { argChoices }: Pick<Argument | Option, "argChoices">): Value {
  if (argChoices !== undefined) return { kind: "words", words: argChoices };
  return OF_FILES.test(name.replace(/\.+$/, "")) ? { kind: "file" } : { kind: "text" };
}
