import { fstatSync } from "node:fs";
import { type DestinationStream, pino } from "pino";
import type { Facts } from "../model/errors.ts";
import type { EpochMs } from "../model/time.ts";
import type { Clock } from "./time/clock.ts";

/** Writes one line per occurrence, at the edge: a static message, facts as fields. `error` needs a person, `warn` might. */
export interface Log {
  debug(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
}

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number] | "silent";

/** A log whose level can change. */
export interface AdjustableLog extends Log {
  setLevel(level: LogLevel): void;
}

/** Lines that cannot be written yet. */
const LOG_BYTES_WAITING = 1024 * 1024;

/** Writes JSON lines to stderr: stdout belongs to a command's answer. */
export function createLog(level: LogLevel): AdjustableLog {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: LOG_BYTES_WAITING });
  // A full disk or a closed terminal must not end a recorder. Lines wait for room; those beyond the limit are lost.
  destination.on("error", () => {});
  const stderr = withoutControlCharacters(destination);
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

/** Characters that JSON leaves as they are, but that terminals obey or readers take for line ends. */
const CONTROL_CHARACTERS = /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu;

/** Escapes control characters that texts from elsewhere may hold. */
function withoutControlCharacters(stream: DestinationStream): DestinationStream {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return { write: (line) => stream.write(line.replace(CONTROL_CHARACTERS, escaped)) };
}

/** Whether stderr is systemd's journal itself, not redirected; see systemd.exec(5). */
function isJournal(): boolean {
  const { dev, ino } = fstatSync(2);
  return process.env["JOURNAL_STREAM"] === `${dev}:${ino}`;
}

/** The prefix of an error line that another process writes to our stderr. */
export function errorPrefix(): string {
  return isJournal() ? `<${PRIORITY_OF_ERRORS}>` : "";
}

const PRIORITY_OF_ERRORS = 3;

/** Prefixes lines with the journal's priority; see sd-daemon(3). */
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

/** A logged line, as people see it. */
export interface LogLine {
  readonly at: EpochMs;
  readonly level: "info" | "warn" | "error";
  readonly message: string;
  readonly facts?: Facts;
}

/** Writes to `log` and remembers the latest lines, except `debug`, whatever the level. */
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
