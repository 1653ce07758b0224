import { complain } from "../../src/cli/complaint.ts";
import { EXIT_SOFTWARE } from "../../src/cli/exit-codes.ts";
import type { CliIo } from "../../src/cli/io.ts";
import { calledProgram } from "../../src/cli/program.ts";
import { spelledOut } from "../../src/cli/root.ts";
import { type Clock, systemClock } from "../../src/kit/time/clock.ts";

export interface Outcome {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

interface Terminal {
  readonly stdin?: string;
  readonly columns?: number;
  /** The system's unless given. */
  readonly clock?: Clock;
  /** Ends a command that runs until it is stopped. */
  readonly signal?: AbortSignal;
  /** Receives each line of standard output when it comes. */
  readonly onPrint?: (text: string) => void;
  /** Answers to the hidden questions, in order; there is a terminal to type at then. */
  readonly typed?: readonly string[];
}

/** Runs one command line as the process would, and catches its output. */
export async function commandLine(args: readonly string[], terminal: Terminal = {}): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  let code = 0;
  const typed = [...(terminal.typed ?? [])];
  const io: CliIo = {
    clock: terminal.clock ?? systemClock(),
    signal: terminal.signal ?? new AbortController().signal,
    print: (text) => {
      out.push(text);
      terminal.onPrint?.(text);
    },
    note: (text) => void err.push(text),
    exitCode: (given) => {
      code = given;
    },
    readStdin: async () => terminal.stdin ?? "",
    questions: () => {
      const lines = (terminal.stdin ?? "").split("\n").slice(0, -1);
      return {
        isTerminal: false,
        ask: async (question) => {
          err.push(question);
          return lines.shift();
        },
        [Symbol.dispose]: () => {},
      };
    },
    ...(terminal.columns === undefined ? {} : { columns: terminal.columns }),
    ...(terminal.typed === undefined
      ? {}
      : {
          askHidden: async (question) => {
            err.push(question);
            return typed.shift() ?? "";
          },
        }),
  };
  try {
    await (await calledProgram(io, args)).parseAsync(spelledOut(args), { from: "user" });
  } catch (error) {
    code = complain(io, error);
    if (code === EXIT_SOFTWARE) throw error;
  }
  return { out: out.join("\n"), err: err.join("\n"), code };
}
