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
  options: SpawnOptions,
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
  const { stdout } = await run(command, args, { ...options, encoding: "utf8" });
  return stdout;
}
