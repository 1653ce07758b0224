import { readFileSync } from "node:fs";
import { open, readdir, readFile } from "node:fs/promises";
import { kill } from "node:process";
import { systemCode } from "../machine/system-code.ts";
import { startChild } from "./child.ts";

/** A process for as long as it lives: the same id given to another process later is not it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it began, in the kernel's ticks since boot. */
  readonly startTicks: number;
}

export interface MarkedProcess extends ProcessIdentity {
  /** The value of the variable by which it was found. */
  readonly mark: string;
  /** It leads its process group: it is the one that was spawned, not one that came from it. */
  readonly leads: boolean;
}

export interface DetachedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment: nothing of ours is handed on. */
  readonly env: Readonly<Record<string, string>>;
  /** Made by this call, readable by us alone; takes everything that the process says. Must not exist yet. */
  readonly logFile: string;
  /** Called when it has ended, as long as we live. */
  readonly onExit: () => void;
}

/**
 * Starts a process in a session of its own, which lives on when we die, and returns when its programme runs.
 *
 * @throws the system's error: EEXIST for the log file, ENOENT for the command, …
 */
export async function startDetached(command: DetachedCommand): Promise<ProcessIdentity> {
  await using log = await open(command.logFile, "ax", 0o600);
  const child = await startChild(command.command, command.args, {
    detached: true,
    env: command.env,
    cwd: "/",
    stdio: ["ignore", log.fd, log.fd],
  });
  child.once("exit", command.onExit);
  child.unref();
  const pid = child.pid ?? 0;
  return { pid, startTicks: (await statusOf(pid))?.startTicks ?? 0 };
}

/** Every process that we may look into and whose environment sets `variable`; those that have ended are not among them. */
export async function findMarked(variable: string): Promise<readonly MarkedProcess[]> {
  const names = await readdir("/proc");
  const found = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => marked(Number(name), variable)),
  );
  return found.filter((process) => process !== undefined);
}

async function marked(pid: number, variable: string): Promise<MarkedProcess | undefined> {
  const environment = await environmentOf(pid);
  const entry = environment?.split("\0").find((each) => each.startsWith(`${variable}=`));
  if (entry === undefined) return undefined;
  const status = statusOf(pid);
  if (status === undefined) return undefined;
  return {
    pid,
    startTicks: status.startTicks,
    mark: entry.slice(variable.length + 1),
    leads: status.group === pid,
  };
}

/** False as soon as it has ended, also while nobody has taken note of its end yet; never because the kernel cannot be asked. */
export function isAlive({ pid, startTicks }: ProcessIdentity): boolean {
  try {
    return statusOf(pid)?.startTicks === startTicks;
  } catch {
    return true;
  }
}

/** Harmless when it has ended. */
export async function signalProcess(
  process: ProcessIdentity,
  signal: "SIGHUP" | "SIGINT" | "SIGKILL",
): Promise<void> {
  if (!isAlive(process)) return;
  try {
    kill(process.pid, signal);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/** @see proc_pid_stat(5): the name, in parentheses, may hold anything, parentheses and spaces too. */
function statusOf(pid: number): { readonly group: number; readonly startTicks: number } | undefined {
  const stat = statText(pid);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "X", , group] = fields;
  if (state === "Z" || state === "X") return undefined;
  return { group: Number(group), startTicks: Number(fields[19]) };
}

/**
 * `undefined` for a process that is gone; any other failure, such as no file descriptor left, is thrown. Read at once: the kernel writes it from memory, in less time than a turn through the
 * threads takes, and every capture is asked once a second.
 */
function statText(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(systemCode(error))) return undefined;
    throw error;
  }
}

/** `undefined` for a process that is gone, or belongs to somebody else. */
async function environmentOf(pid: number): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/environ`, "utf8");
  } catch {
    return undefined;
  }
}
