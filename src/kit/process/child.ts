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
 * Starts a program without a shell. The only place that does: the system refuses some commands by an event (ENOENT, EACCES), others by
 * throwing (E2BIG, ENOTDIR), and a caller that knows only one of the two ways is at the mercy of the other.
 *
 * @throws the system's error, or that of an argument with a NUL; never later than this call
 */
export async function startChild(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  const child = spawn(command, args, options);
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  // A signal that cannot be delivered would be thrown otherwise.
  child.on("error", () => {});
  return child;
}

/**
 * What a program prints on its standard output, once it has ended well.
 *
 * @throws the system's error, as above, or that of a program that fails, says too much or takes too long
 */
export async function outputOfChild(
  command: string,
  args: readonly string[],
  options: ExecFileOptions,
): Promise<string> {
  const { stdout } = await run(command, args, { ...options, encoding: "utf8" });
  return stdout;
}
