import type { Questions } from "../kit/process/terminal.ts";
import type { Clock } from "../kit/time/clock.ts";

/** What a command may touch of the process it runs in. */
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
  /** One line typed at the terminal that is not shown; absent where standard input is no terminal: read it then. */
  readonly askHidden?: (question: string) => Promise<string>;
  /** Begins to ask, at the terminal or of a script that writes lines to standard input. */
  questions(): Questions;
  /** Replaces what the last line of the terminal shows; absent where standard error is none. */
  readonly transient?: (text: string) => void;
  /** Width of the terminal on standard output; absent where it is none. */
  readonly columns?: number;
}
