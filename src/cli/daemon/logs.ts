import type { FileHandle } from "node:fs/promises";
import { Command, InvalidArgumentError } from "commander";
import { openPlainFile } from "../../kit/files/plain-file.ts";
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
/** The part of a log that is read first, from its end; twice as much while lines are missing. */
const END_BYTES = 1024 * 1024;
const END_BYTES_MAX = 256 * END_BYTES;

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
      if (file !== undefined) {
        const latest = await latestLines(file, lines);
        if (!follow) return latest.forEach(show);
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

/** @throws RecorderdError FILE_UNREADABLE */
async function latestLines(file: string, count: number): Promise<readonly string[]> {
  try {
    await using handle = await openPlainFile(file);
    const { size } = await handle.stat();
    for (let bytes = END_BYTES; ; bytes *= 2) {
      const isWhole = bytes >= size;
      const all = (await endOf(handle, { size, bytes })).trimEnd().split("\n");
      // The first line may be cut.
      const lines = isWhole ? all : all.slice(1);
      if (isWhole || lines.length >= count || bytes >= END_BYTES_MAX) return lines.slice(-count);
    }
  } catch (error) {
    throw unreadableFile(file, error);
  }
}

async function endOf(
  handle: FileHandle,
  { size, bytes }: { readonly size: number; readonly bytes: number },
): Promise<string> {
  const buffer = Buffer.alloc(Math.min(size, bytes));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, size - buffer.length);
  return buffer.toString("utf8", 0, bytesRead);
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
