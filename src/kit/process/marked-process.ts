import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { kill } from "node:process";
import { open, readFile } from "../files/steady-fs.ts";
import { systemCode } from "../machine/system-code.ts";
import { startChild } from "./child.ts";

/** Identifies a process: a later process with the same pid is another one. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time, in kernel ticks since boot. */
  readonly startTicks: number;
}

export interface MarkedProcess extends ProcessIdentity {
  /** The value of the variable that marks it. */
  readonly mark: string;
  /** It leads its process group: it was spawned directly and is no descendant. */
  readonly isGroupLeader: boolean;
}

export interface DetachedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment: none of ours is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Created by this call, readable by us alone; receives all output. Must not exist yet. */
  readonly logFile: string;
  /** Called at its end, while we live. */
  readonly onExit: () => void;
}

/**
 * Starts a process in its own session, which survives us. Returns once its program runs.
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

/** Every live process that we may inspect and whose environment sets `variable`. */
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
    isGroupLeader: status.group === pid,
  };
}

/** False once it has ended, even as a zombie; never false because the kernel cannot be asked. */
export function isAlive({ pid, startTicks }: ProcessIdentity): boolean {
  try {
    return statusOf(pid)?.startTicks === startTicks;
  } catch {
    return true;
  }
}

/** Harmless if it has ended. */
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
 * `undefined` if the process is gone; other failures, such as no free file descriptor, are thrown. Synchronous: the kernel
 * answers from memory faster than a thread round trip, and every capture is checked once a second.
 */
function statText(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(systemCode(error))) return undefined;
    throw error;
  }
}

/** `undefined` if the process is gone or belongs to another user. */
async function environmentOf(pid: number): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${pid}/environ`, "utf8");
  } catch {
    return undefined;
  }
}
