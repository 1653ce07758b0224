import { spawn } from "node:child_process";

/** How a program ended that had the terminal meanwhile. */
export type ForegroundEnd =
  | { readonly how: "not-started" }
  | { readonly how: "ended"; readonly code: number };

interface Foreground {
  readonly command: string;
  readonly args: readonly string[];
  /** Called with each line of its output; without it, the output is the terminal's. */
  readonly onLine?: (line: string) => void;
}

/** Runs a program for a person: with our environment and our terminal, without a shell. It is ended when the signal is aborted. */
export function runInForeground(
  { command, args, onLine }: Foreground,
  signal: AbortSignal,
): Promise<ForegroundEnd> {
  return new Promise((resolve) => {
    const output = onLine === undefined ? "inherit" : "pipe";
    const child = spawn(command, args, { stdio: ["inherit", output, "inherit"] });
    const end = () => void child.kill("SIGTERM");
    signal.addEventListener("abort", end, { once: true });
    let rest = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine?.(line);
    });
    child.once("error", () => resolve({ how: "not-started" }));
    child.once("close", (code) => {
      signal.removeEventListener("abort", end);
      resolve({ how: "ended", code: code ?? 1 });
    });
  });
}
