import { EXIT_MEANINGS } from "../exit-codes.ts";
import type { CommandFacts } from "./command-table.ts";

interface Edition {
  readonly version: string;
  /** For example `2026-11-21`. */
  readonly date: string;
}

/** The manual page recorderd(1), generated from the command definitions. @see man(7) */
export function manualPage(table: readonly CommandFacts[], { version, date }: Edition): string {
  const [root, ...commands] = table;
  return `${[
    `.TH RECORDERD 1 ${date} "recorderd ${version}" "User Commands"`,
    // No justification: long words, such as addresses, would leave wide gaps.
    ".ad l",
    ".SH NAME",
    `recorderd \\- ${escaped(root?.description ?? "")}`,
    ".SH SYNOPSIS",
    ".B recorderd",
    "command",
    ".RI [ options ]",
    ".SH DESCRIPTION",
    "A daemon fetches the timers of an account from a guide service, assigns them to tuners, records them with padding, checks",
    "each recorded file, and reports the result to the service.",
    "The other commands configure the daemon, query it and its files, or run a guide service or a simulation.",
    ".SH COMMANDS",
    ...commands.filter(runs).flatMap(commandText),
    ".SH EXIT STATUS",
    ...EXIT_MEANINGS.flatMap(([code, meaning]) => [".TP", `.B ${code}`, escaped(meaning)]),
    ".SH FILES",
    ...FILES.flatMap(([file, meaning]) => [".TP", `.I ${escaped(file)}`, escaped(meaning)]),
    ".SH SEE ALSO",
    ".BR ffmpeg (1),",
    ".BR dvblast (1),",
    ".BR systemctl (1)",
  ].join("\n")}\n`;
}

const FILES = [
  ["/etc/recorderd/recorderd.yaml", "The configuration, without secrets."],
  ["/var/lib/recorderd", "The state that the daemon keeps across restarts, and secrets.yaml."],
  ["/run/recorderd/control.sock", "The control socket of the daemon."],
] as const;

/** Whether a command does something itself, beside its subcommands. */
function runs({ subcommands, options }: CommandFacts): boolean {
  return subcommands.length === 0 || options.some(({ names }) => !names.includes("--help"));
}

function commandText({ usage, description, options, arguments: given }: CommandFacts): readonly string[] {
  return [
    `.SS ${escaped(usage)}`,
    sentence(description),
    ...given
      .filter(({ description: text }) => text !== "")
      .flatMap(({ name, description: text }) => [".TP", `.I ${escaped(name)}`, sentence(text)]),
    ...options.flatMap(({ names, takes, description: text }) => [
      ".TP",
      takes === undefined
        ? `.B ${escaped(names.join(", "))}`
        : `.BI "${escaped(names.join(", "))} " ${escaped(takes)}`,
      sentence(text),
    ]),
  ];
}

function sentence(text: string): string {
  return `${escaped(text.charAt(0).toUpperCase() + text.slice(1))}.`.replace(/\.\.$/, ".");
}

/** Escapes for roff: a backslash, a dash, an apostrophe, and a dot or apostrophe at the start of a line. */
function escaped(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("“", "\\(lq")
    .replaceAll("”", "\\(rq")
    .replaceAll("…", "...")
    .replaceAll("`", "\\(ga")
    .replace(/^([.'])/, "\\&$1");
}
