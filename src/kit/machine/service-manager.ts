import { writeSync } from "node:fs";
import { type DurationMs, SECOND } from "../../model/time.ts";

/** A message to the service manager, see sd_notify(3). */
export interface Announcement {
  readonly state?: "ready" | "reloading" | "stopping";
  /** One line for people. */
  readonly status?: string;
  /** Resets the watchdog. */
  readonly alive?: true;
}

/** The process that supervises us: systemd, or none. */
export interface ServiceManager {
  /** Restarts us after this long without `alive`; absent without a watchdog. */
  readonly watchdogMs?: DurationMs;
  /** Never throws: a lost message is repeated by the next one. */
  notify(announcement: Announcement): void;
}

/**
 * The service manager of this process.
 *
 * Node cannot write to sd_notify's socket, and systemd ignores messages from a helper program: the unit sets
 * `NotifyAccess=main`, so that no capture can speak for us. So systemd/with-notify opens the socket before it becomes this
 * process, and passes its descriptor in `RECORDERD_NOTIFY_FD`. Children inherit neither: Node closes open files, and this call
 * removes the variables.
 */
export function serviceManager(env: NodeJS.ProcessEnv = process.env): ServiceManager {
  const fd = numberOf(env["RECORDERD_NOTIFY_FD"]);
  const watchdogUs = numberOf(env["WATCHDOG_USEC"]);
  for (const name of ["RECORDERD_NOTIFY_FD", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"])
    delete env[name];
  if (fd === undefined) return { notify: () => {} };
  return {
    ...(watchdogUs === undefined ? {} : { watchdogMs: watchdogUs / 1000 }),
    notify: (announcement) => {
      try {
        writeSync(fd, messageOf(announcement));
      } catch {
        // The socket is full (EAGAIN), or systemd is restarting (ECONNREFUSED).
      }
    },
  };
}

const STATES = { ready: "READY=1", reloading: "RELOADING=1", stopping: "STOPPING=1" } as const;
const STATUS_LENGTH_MAX = 500;

function messageOf({ state, status, alive }: Announcement): string {
  return [
    ...(state === undefined ? [] : [STATES[state]]),
    // A line break would start another message.
    ...(status === undefined
      ? []
      : [`STATUS=${status.replace(/\p{Cc}/gu, " ").slice(0, STATUS_LENGTH_MAX)}`]),
    ...(alive === true ? ["WATCHDOG=1"] : []),
  ].join("\n");
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Interval of the watchdog message: one may be lost. */
export function pulseMs({ watchdogMs }: ServiceManager): DurationMs {
  return Math.min(10 * SECOND, (watchdogMs ?? Number.POSITIVE_INFINITY) / 3);
}
