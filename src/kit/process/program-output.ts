import type { DurationMs } from "../../model/time.ts";
import { outputOfChild } from "./child.ts";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Folders in which it is looked for, joined by colons. */
  readonly path: string;
  /** It is killed when it has not ended by then. */
  readonly deadlineMs: DurationMs;
}

/** Nothing that is asked this way has more to say. */
const OUTPUT_BYTES_MAX = 64 * 1024;

/**
 * What a small program prints, run without a shell and with nothing of our environment.
 *
 * @returns `undefined` where there is no such program, or it fails, says too much or does not end in time: nobody to ask
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
