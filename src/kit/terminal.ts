import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** The two sides of a terminal. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/**
 * One line typed by a person, shown nowhere and kept in no history. The end of input (Ctrl-D) is an empty line.
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
      // Without echo the terminal sends no signal for Ctrl-C: it is a key like others.
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
