import type { DurationMs } from "../../model/time.ts";
import { outputOfChild } from "./child.ts";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Folders to search, joined by colons. */
  readonly path: string;
  /** The program is killed if it has not ended by then. */
  readonly deadlineMs: DurationMs;
}

/** Enough for all programs run this way. */
const OUTPUT_BYTES_MAX = 64 * 1024;

/**
 * The output of a small program, run without a shell and without our environment.
 *
 * @returns `undefined` if the program is missing, fails, prints too much or takes too long
 */
export async function outputOf(
  { command, args, path, deadlineMs }: Program,
  signal: AbortSignal,
): Promise<string | undefined> {
  return await outputOfChild(command, args, {
    env: { PATH: path, LC_ALL: "C" },
    cwd: "/",
    timeout: deadlineMs,
    killSignal: "SIGKILL",
    maxBuffer: OUTPUT_BYTES_MAX,
    signal,
  }).catch(() => undefined);
}
