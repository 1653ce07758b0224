import { startChild } from "./child.ts";

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
