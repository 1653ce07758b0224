import { fstatSync } from "node:fs";
import { type DestinationStream, pino } from "pino";
import type { Facts } from "../model/errors.ts";
import type { EpochMs } from "../model/time.ts";
import type { Clock } from "./time/clock.ts";

/** Once per occurrence, at the edge: a static message, facts as fields. `error` needs a person, `warn` might. */
export interface Log {
  debug(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
}

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number] | "silent";

/** A log whose level can be another from now on. */
export interface AdjustableLog extends Log {
  setLevel(level: LogLevel): void;
}

/** JSON lines on stderr: stdout belongs to what a command answers. */
export function createLog(level: LogLevel): AdjustableLog {
  const stderr = withoutCommands(pino.destination({ fd: 2, sync: true }));
  const logger = pino({ level, base: null }, isJournal() ? withPriority(stderr) : stderr);
  return {
    setLevel: (next) => {
      logger.level = next;
    },
    debug: (message, facts) => logger.debug(facts ?? {}, message),
    info: (message, facts) => logger.info(facts ?? {}, message),
    warn: (message, facts) => logger.warn(facts ?? {}, message),
    error: (message, facts) => logger.error(facts ?? {}, message),
  };
}

/** What JSON lets stand as it is, and a terminal obeys or a reader takes for the end of a line. */
const COMMANDING = /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu;

/** The same JSON, whatever texts of others hold. */
function withoutCommands(stream: DestinationStream): DestinationStream {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return { write: (line) => stream.write(line.replace(COMMANDING, escaped)) };
}

/** Whether stderr is systemd's journal itself, and nobody has redirected it, see systemd.exec(5). */
function isJournal(): boolean {
  const { dev, ino } = fstatSync(2);
  return process.env["JOURNAL_STREAM"] === `${dev}:${ino}`;
}

/** What a line of an error begins with that another process writes for us to the same stderr. */
export function errorPrefix(): string {
  return isJournal() ? `<${PRIORITY_OF_ERRORS}>` : "";
}

const PRIORITY_OF_ERRORS = 3;

/** Lines begin with what the journal takes for their priority and away from them, see sd-daemon(3). */
function withPriority(stream: DestinationStream): DestinationStream {
  return { write: (line) => stream.write(`<${priorityOf(line)}>${line}`) };
}

function priorityOf(line: string): number {
  const level = Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 30);
  if (level >= 50) return PRIORITY_OF_ERRORS;
  if (level >= 40) return 4;
  return level >= 30 ? 6 : 7;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A line that was logged, as it is shown to people. */
export interface LogLine {
  readonly at: EpochMs;
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly facts?: Facts;
}

/** Logs there, and remembers the latest lines, `debug` aside, whatever is written of them. */
export function rememberingLog(
  log: Log,
  { clock, linesMax }: { readonly clock: Clock; readonly linesMax: number },
): { readonly log: Log; readonly lines: () => readonly LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: LogLine["level"]) => (message: string, facts?: Facts) => {
    log[level](message, facts);
    lines.push({ at: clock.now(), level, message, ...(facts === undefined ? {} : { facts }) });
    if (lines.length > linesMax) lines.shift();
  };
  return {
    log: {
      debug: (message, facts) => log.debug(message, facts),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
    },
    lines: () => [...lines],
  };
}
