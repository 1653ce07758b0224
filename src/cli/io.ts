import type { Questions } from "../kit/process/terminal.ts";
import type { Clock } from "../kit/time/clock.ts";

/** A command's access to its process. */
export interface CliIo {
  readonly clock: Clock;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
  /** A line on standard output: the answer of the command, and nothing else. */
  print(text: string): void;
  /** A line on standard error: progress, hints, failures. */
  note(text: string): void;
  /** Sets the exit code; the process ends when the command has. */
  exitCode(code: number): void;
  /** Everything on standard input, at most 64 KiB. */
  readStdin(): Promise<string>;
  /** Reads one line from the terminal without echo; absent if standard input is no terminal: read it directly then. */
  readonly askHidden?: (question: string) => Promise<string>;
  /** Opens a dialogue with the terminal, or with a script on standard input. */
  questions(): Questions;
  /** Replaces the terminal's last line; absent if standard error is no terminal. */
  readonly transient?: (text: string) => void;
  /** Width of the terminal on standard output; absent if it is no terminal. */
  readonly columns?: number;
}
