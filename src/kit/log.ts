import { pino } from "pino";
import type { Facts } from "../model/errors.ts";

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
