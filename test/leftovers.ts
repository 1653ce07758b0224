import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Environment variable that every process of a run inherits: the folder of the run. */
export const RUN_MARK = "RECORDERD_TEST_RUN";
export const PREFIX = "recorderd-run-";
/** A process that is being killed may have started another one, or still write for the disk. */
const ROUNDS_MAX = 50;
const ROUND_MS = 100;
/** A minute, in which vitest kills a worker that does not end. */
const CHILDREN_ROUNDS_MAX = 600;

/**
 * Gives this run a temporary folder of its own and marks its processes. A run that was killed could not clean up: the next one ends
 * its processes, unmounts its file systems and removes its files.
 *
 * @returns does the same for this run
 */
export function setup(): () => Promise<void> {
  const outside = tmpdir();
  const own = `${PREFIX}${numberingOf()}-${process.pid}-${startOf(process.pid) ?? 0}`;
  // Each project of a run asks.
  if (basename(outside) === own) return async () => {};
  endKilledRuns(outside);
  const folder = join(outside, own);
  mkdirSync(folder, { recursive: true });
  Object.assign(process.env, { TMPDIR: folder, [RUN_MARK]: folder });
  return async () => {
    Object.assign(process.env, { TMPDIR: outside });
    await childrenEnded(folder);
    clean(folder, { say: note, parent: process.pid });
  };
}

/** vitest has told its workers to end, and does not wait for them before it asks for this. What they started is theirs until then. */
async function childrenEnded(folder: string): Promise<void> {
  const isOurs = ({ pid }: { readonly pid: number }) => parentOf(pid) === process.pid;
  for (let round = 0; round < CHILDREN_ROUNDS_MAX && processesOf(folder).some(isOurs); round += 1)
    await setTimeout(ROUND_MS);
}

type Say = (text: string) => void;

/** Cleans up after runs that were killed. @param outside the folder that holds the folders of runs */
export function endKilledRuns(outside: string, say: Say = note): void {
  const ours = `${PREFIX}${numberingOf()}-`;
  for (const name of readdirSync(outside).filter((each) => each.startsWith(ours) && !isRunning(each)))
    clean(join(outside, name), { say });
}

function note(text: string): void {
  process.stderr.write(`left by tests: ${text}\n`);
}

/** Whether the process that made this folder still runs. Its number may belong to another process by now. */
function isRunning(name: string): boolean {
  const [pid, start] = name.slice(PREFIX.length).split("-").slice(1);
  return startOf(Number(pid)) === start;
}

/** Identifies the namespace of our process ids: another one may share this folder, and its numbers mean nothing here. */
export function numberingOf(): string {
  return /\d+/.exec(attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "")?.[0] ?? "0";
}

/** The time at which a process began, field 22 of /proc/PID/stat. */
export function startOf(pid: number): string | undefined {
  return statOf(pid)?.[19];
}

function parentOf(pid: number): number {
  return Number(statOf(pid)?.[1]);
}

/** The fields of /proc/PID/stat from the third on. The name of the program, in parentheses, may contain spaces. */
function statOf(pid: number): readonly string[] | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/**
 * Ends what belongs to a run and says so. A failure must not keep the tests from running.
 *
 * @param parent the children of this process end by themselves
 */
function clean(folder: string, { say, parent }: { readonly say: Say; readonly parent?: number }): void {
  const killed = new Set<number>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const left = processesOf(folder).filter(({ pid }) => parent === undefined || parentOf(pid) !== parent);
    if (left.length === 0) break;
    for (const { pid, command } of left.filter(({ pid }) => !killed.has(pid))) {
      say(`process ${pid}, ${command}`);
      attempt(() => process.kill(pid, "SIGKILL"));
      killed.add(pid);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ROUND_MS);
  }
  for (const mountPoint of mountsIn(folder).toReversed()) {
    if (mountPoint !== folder) say(`a file system at ${mountPoint}`);
    attempt(() => execFileSync("umount", ["--lazy", mountPoint]));
  }
  for (const device of loopDevicesIn(folder)) {
    say(device);
    attempt(() => execFileSync("losetup", ["--detach", device]));
  }
  attempt(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}

/** Processes that carry the mark of a run, or name a file of it. */
function processesOf(folder: string): readonly { readonly pid: number; readonly command: string }[] {
  const mark = `${RUN_MARK}=${folder}`;
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .map((pid) => ({ pid, command: argumentsOf(pid).join(" ") }))
    .filter(({ pid, command }) => {
      const environment = readOrNothing(`/proc/${pid}/environ`)?.split("\0") ?? [];
      return environment.includes(mark) || command.includes(`${folder}/`);
    })
    .map(({ pid, command }) => ({ pid, command: command.slice(0, 200) }));
}

function argumentsOf(pid: number): readonly string[] {
  return readOrNothing(`/proc/${pid}/cmdline`)?.split("\0") ?? [];
}

/** Mount points in a folder, in the order in which they were mounted; the first may be the folder itself (`files-in-memory.ts`). */
function mountsIn(folder: string): readonly string[] {
  return (readOrNothing("/proc/self/mountinfo") ?? "")
    .split("\n")
    .map((line) => (line.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, (_, octal) => codeAt(octal)))
    .filter((mountPoint) => `${mountPoint}/`.startsWith(`${folder}/`));
}

function codeAt(octal: string): string {
  return String.fromCharCode(Number.parseInt(octal, 8));
}

function loopDevicesIn(folder: string): readonly string[] {
  const names = attempt(() => readdirSync("/sys/block")) ?? [];
  return names
    .filter((name) => readOrNothing(`/sys/block/${name}/loop/backing_file`)?.startsWith(`${folder}/`))
    .map((name) => `/dev/${name}`);
}

function readOrNothing(file: string): string | undefined {
  return attempt(() => readFileSync(file, "utf8"));
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // Processes, devices and rights of others come and go.
    if (code !== "ENOENT" && code !== "ESRCH" && code !== "EACCES" && code !== "ENOTDIR")
      process.stderr.write(`cleaning up after tests: ${String(error)}\n`);
    return undefined;
  }
}
