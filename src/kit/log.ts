import { pino } from "pino";
import type { Facts } from "../model/errors.ts";
import type { EpochMs } from "../model/time.ts";
import type { Clock } from "./clock.ts";

/** Once per occurrence, at the edge: a static message, facts as fields. `error` needs a person, `warn` might. */
export interface Log {
  debug(message: string, facts?: Facts): void;
  info(message: string, facts?: Facts): void;
  warn(message: string, facts?: Facts): void;
  error(message: string, facts?: Facts): void;
}

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** JSON lines on stderr: stdout belongs to what a command answers. */
export function createLog(level: LogLevel): Log {
  const logger = pino({ level, base: null }, pino.destination({ fd: 2, sync: true }));
  return {
    debug: (message, facts) => logger.debug(facts ?? {}, message),
    info: (message, facts) => logger.info(facts ?? {}, message),
    warn: (message, facts) => logger.warn(facts ?? {}, message),
    error: (message, facts) => logger.error(facts ?? {}, message),
  };
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
