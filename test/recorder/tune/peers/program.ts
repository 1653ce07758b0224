import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of a program: the one in the environment, else the one on the PATH. */
export function installed(name: string, variable: string): string | undefined {
  const named = process.env[variable];
  const places = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name));
  return (named === undefined ? places : [named]).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The npm package that a program comes with. */
export function packageOf(program: string): string {
  return join(realpathSync(program), "../..");
}

/** A program that runs until it is disposed, with all that it started. */
export function running(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): AsyncDisposable & { readonly said: () => string; readonly stop: () => Promise<void> } {
  const { env = {}, ...place } = options;
  const child: ChildProcess = spawn(command, args, {
    ...place,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  const hear = (chunk: Buffer) => {
    said = (said + String(chunk)).slice(-20_000);
  };
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  const gone = once(child, "close");
  /** Its own group: what it started goes with it. */
  const end = async (how: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, how);
    await gone;
  };
  return {
    said: () => said,
    /** Asks it to end, and waits until it has written what it keeps. */
    stop: () => end("SIGTERM"),
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}
