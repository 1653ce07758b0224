import {
  type ChildProcess,
  type ExecFileOptions,
  execFile,
  type SpawnOptions,
  spawn,
} from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Starts a program without a shell. Nothing else spawns: the system reports some failures by an event (ENOENT, EACCES), others
 * by throwing (E2BIG, ENOTDIR), and every caller would have to handle both.
 *
 * @throws the system's error, or an argument error (NUL byte); never after this call
 */
export async function startChild(
  command: string,
  args: readonly string[],
  options: Omit<SpawnOptions, "signal">,
): Promise<ChildProcess> {
  const child = spawn(command, args, options);
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  // An undeliverable signal would otherwise throw.
  child.on("error", () => {});
  return child;
}

/**
 * The standard output of a program that ends successfully.
 *
 * @throws the system's error, as above, or the error of a program that fails, prints too much or takes too long
 */
export async function outputOfChild(
  command: string,
  args: readonly string[],
  options: ExecFileOptions,
): Promise<string> {
  const { signal, ...others } = options;
  signal?.throwIfAborted();
  const running = run(command, args, { ...others, encoding: "utf8" });
  const end = () => endChild(running.child, others.killSignal);
  signal?.addEventListener("abort", end, { once: true });
  try {
    return (await running).stdout;
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener("abort", end);
  }
}

/**
 * Ends a process that may not exist: until Node.js has reported a failed start, it has the number 0, and a signal to that ends our
 * whole process group. So no signal is handed to Node.js, which does not check this.
 */
export function endChild(child: ChildProcess, signal: ExecFileOptions["killSignal"]): void {
  if (child.pid !== undefined) child.kill(signal);
}
