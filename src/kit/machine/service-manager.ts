import { writeSync } from "node:fs";
import { type DurationMs, SECOND } from "../../model/time.ts";

/** What the service manager may be told, see sd_notify(3). */
export interface Announcement {
  readonly state?: "ready" | "reloading" | "stopping";
  /** One line for people. */
  readonly status?: string;
  /** The watchdog is told that we live. */
  readonly alive?: true;
}

/** Who started us and looks after us: systemd, or nobody. */
export interface ServiceManager {
  /** Not hearing `alive` for this long, it starts us anew; absent where it does not wait for that. */
  readonly watchdogMs?: DurationMs;
  /** Never throws: what it does not hear now it hears next time. */
  tell(announcement: Announcement): void;
}

/**
 * The service manager of this process.
 *
 * Node cannot write to the socket of sd_notify, and a program that is run for each message would not be believed: the unit says
 * `NotifyAccess=main`, so that no capture can speak in our name. So systemd/with-notify opens the socket before it becomes
 * this process, and names the open file in `RECORDERD_NOTIFY_FD`. What we start inherits neither: Node closes open files, and
 * the variables are gone after this call.
 */
export function serviceManager(env: NodeJS.ProcessEnv = process.env): ServiceManager {
  const fd = numberOf(env["RECORDERD_NOTIFY_FD"]);
  const watchdogUs = numberOf(env["WATCHDOG_USEC"]);
  for (const name of ["RECORDERD_NOTIFY_FD", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"])
    delete env[name];
  if (fd === undefined) return { tell: () => {} };
  return {
    ...(watchdogUs === undefined ? {} : { watchdogMs: watchdogUs / 1000 }),
    tell: (announcement) => {
      try {
        writeSync(fd, messageOf(announcement));
      } catch {
        // It has no room now (EAGAIN), or is being started anew itself (ECONNREFUSED).
      }
    },
  };
}

const STATES = { ready: "READY=1", reloading: "RELOADING=1", stopping: "STOPPING=1" } as const;
const STATUS_LENGTH_MAX = 500;

function messageOf({ state, status, alive }: Announcement): string {
  return [
    ...(state === undefined ? [] : [STATES[state]]),
    // A line of its own would be an announcement of its own.
    ...(status === undefined
      ? []
      : [`STATUS=${status.replace(/\p{Cc}/gu, " ").slice(0, STATUS_LENGTH_MAX)}`]),
    ...(alive === true ? ["WATCHDOG=1"] : []),
  ].join("\n");
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** How often to tell that we live: one message may be lost. */
export function pulseMs({ watchdogMs }: ServiceManager): DurationMs {
  return Math.min(10 * SECOND, (watchdogMs ?? Number.POSITIVE_INFINITY) / 3);
}
