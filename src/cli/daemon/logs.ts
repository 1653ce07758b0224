import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError } from "commander";
import { unreadableFile } from "../../kit/files/unreadable-file.ts";
import { runInForeground } from "../../kit/process/foreground.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { CliIo } from "../io.ts";
import { plainLine } from "../plain-text.ts";

interface Options {
  readonly file?: string;
  readonly lines: number;
  readonly follow: boolean;
  readonly json: boolean;
}

const LINES_MAX = 1_000_000;

/** `recorderd logs`: the daemon's log, from systemd's journal or from a file that receives its standard error. */
export function logsCommand(io: CliIo): Command {
  return new Command("logs")
    .description("show the daemon's log, from systemd's journal or from a file with its standard error")
    .option("--file <file>", "the log file, if the daemon is not a systemd unit")
    .option("-n, --lines <number>", "number of latest lines to show", count, 200)
    .option("-f, --follow", "keep showing new lines, until Ctrl-C", false)
    .option("--json", "print the lines as logged: one JSON document each", false)
    .action(async ({ file, lines, follow, json }: Options) => {
      const show = (line: string) => io.print(json ? plainLine(line) : logLineText(line));
      if (file !== undefined && !follow) {
        for (const line of (await textOf(file)).trimEnd().split("\n").slice(-lines)) show(line);
        return;
      }
      const program =
        file === undefined
          ? { command: "journalctl", args: ["--unit=recorderd", "--output=cat", "--no-pager"] }
          : { command: "tail", args: [] };
      const args = [...program.args, `--lines=${lines}`, ...(follow ? ["--follow"] : [])];
      const of = file === undefined ? [] : ["--", file];
      const end = await runInForeground(
        { command: program.command, args: [...args, ...of], onLine: show },
        io.signal,
      );
      if (end.how === "not-started") throw noJournal();
      if (!io.signal.aborted) io.exitCode(end.code);
    });
}

function count(text: string): number {
  if (/^\d{1,7}$/.test(text) && Number(text) <= LINES_MAX) return Number(text);
  throw new InvalidArgumentError(`Expected a number up to ${LINES_MAX}.`);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw unreadableFile(file, error);
  }
}

function noJournal(): RecorderdError {
  const message =
    "This machine has no systemd journal (journalctl), so the daemon logs to its standard error. If that goes to a file, " +
    "name the file with --file.";
  return new RecorderdError("FILE_UNREADABLE", message);
}

const LEVELS: Readonly<Record<number, string>> = { 20: "debug", 30: "info", 40: "WARN", 50: "ERROR" };

/** A log line for people; foreign lines stay as they are. */
export function logLineText(line: string): string {
  const entry = entryOf(line);
  if (entry === undefined) return plainLine(line);
  const { time, level, msg, ...facts } = entry;
  const told = Object.entries(facts).map(([name, value]) => `${name}=${valueText(value)}`);
  const at = typeof time === "number" ? new Date(time).toISOString() : "";
  return plainLine([at, (LEVELS[Number(level)] ?? "").padEnd(5), String(msg), ...told].join(" "));
}

function entryOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && "msg" in value) return { ...value };
  } catch {
    // A line of systemd about the unit, or the output of a crash.
  }
  return undefined;
}

function valueText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /[\s"=]/.test(text) ? JSON.stringify(text) : text;
}
