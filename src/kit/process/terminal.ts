import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** The two sides of a terminal. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * Reads one line without echo or history. The end of input (Ctrl-D) is an empty line.
 *
 * @throws the signal's reason when it is aborted first
 */
export async function askHidden(
  { input, output }: Terminal,
  question: string,
  { signal, interrupt }: { readonly signal: AbortSignal; readonly interrupt: () => void },
): Promise<string> {
  signal.throwIfAborted();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  output.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      // Without echo, Ctrl-C is an ordinary key: the terminal sends no signal.
      reader.on("SIGINT", interrupt);
      reader.once("line", resolve);
      reader.once("close", () => resolve(""));
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  } finally {
    reader.close();
    output.write("\n");
  }
}

/** A dialogue by lines: with a person at a terminal, or with a script through a pipe. */
export interface Questions extends Disposable {
  /** Whether a person can be asked again. */
  readonly isTerminal: boolean;
  /**
   * Asks, and waits for a line. `hidden` turns off the echo.
   *
   * @returns `undefined` at the end of input
   * @throws the signal's reason when it is aborted first
   */
  ask(question: string, how?: { readonly hidden: boolean }): Promise<string | undefined>;
}

/** One reader serves all questions: early lines wait for theirs. */
export function openQuestions(
  { input, output }: Terminal,
  {
    isTerminal,
    signal,
    interrupt,
  }: { readonly isTerminal: boolean; readonly signal: AbortSignal; readonly interrupt: () => void },
): Questions {
  let isMuted = false;
  const shown = new Writable({
    write: (chunk, _encoding, done) => {
      if (!isMuted) output.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input, output: shown, terminal: isTerminal, historySize: 0 });
  const early: string[] = [];
  let isOver = false;
  let answer: ((line: string | undefined) => void) | undefined;
  const hear = (line: string | undefined) => {
    if (line === undefined) isOver = true;
    if (answer !== undefined) answer(line);
    else if (line !== undefined) early.push(line);
    answer = undefined;
  };
  reader.on("line", hear);
  reader.on("close", () => hear(undefined));
  // While lines are read, Ctrl-C is an ordinary key: the terminal sends no signal.
  reader.on("SIGINT", interrupt);
  return {
    isTerminal,
    ask: async (question, { hidden } = { hidden: false }) => {
      signal.throwIfAborted();
      if (hidden || !isTerminal) output.write(isTerminal ? question : `${question}\n`);
      else {
        reader.setPrompt(question);
        reader.prompt();
      }
      if (early.length > 0 || isOver) return early.shift();
      isMuted = hidden;
      try {
        return await new Promise((resolve, reject) => {
          answer = resolve;
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
      } finally {
        isMuted = false;
        if (hidden && isTerminal) output.write("\n");
      }
    },
    [Symbol.dispose]: () => reader.close(),
  };
}
