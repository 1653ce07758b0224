import { startChild } from "./child.ts";

/** The end of a program that had the terminal. */
export type ForegroundEnd =
  | { readonly how: "not-started" }
  | { readonly how: "ended"; readonly code: number };

interface Foreground {
  readonly command: string;
  readonly args: readonly string[];
  /** Receives each line of output; without it, output goes to the terminal. */
  readonly onLine?: (line: string) => void;
}

/** Runs a program for a person: with our environment and terminal, without a shell. Aborting the signal ends it. */
export async function runInForeground(
  { command, args, onLine }: Foreground,
  signal: AbortSignal,
): Promise<ForegroundEnd> {
  const output = onLine === undefined ? "inherit" : "pipe";
  const child = await startChild(command, args, { stdio: ["inherit", output, "inherit"] }).catch(
    () => undefined,
  );
  if (child === undefined) return { how: "not-started" };
  return await new Promise((resolve) => {
    const end = () => void child.kill("SIGTERM");
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    let rest = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine?.(line);
    });
    child.once("close", (code) => {
      signal.removeEventListener("abort", end);
      resolve({ how: "ended", code: code ?? 1 });
    });
  });
}
