import type { Command } from "commander";
import { isRoot } from "../../kit/process/privileges.ts";
import { askHidden, openQuestions } from "../../kit/process/terminal.ts";
import { systemClock } from "../../kit/time/clock.ts";
import { complain } from "../complaint.ts";
import { EXIT_DAMAGED } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { withoutCommands } from "../plain-text.ts";
import { spelledOut } from "../root.ts";

const STDIN_BYTES_MAX = 64 * 1024;

const wasRoot = isRoot();
const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  // The second signal finds no handler any more and ends the process at once.
  process.once(name, () => stopping.abort());
}

// A reader such as `head` took what it wanted. A recorder whose log nobody reads goes on.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") {
    io.note(`recorderd: the output cannot be written (${error.code}).`);
    process.exitCode = EXIT_DAMAGED;
  } else if (process.argv[2] !== "run") process.exit(process.exitCode ?? 0);
});
// A full disk ends no recorder, and there is nowhere to say so.
process.stderr.on("error", () => {});

const io: CliIo = {
  clock: systemClock(),
  signal: stopping.signal,
  print: (text) => void process.stdout.write(`${withoutCommands(text)}\n`),
  note: (text) => void process.stderr.write(`${withoutCommands(text)}\n`),
  exitCode: (code) => {
    process.exitCode = code;
  },
  readStdin,
  questions: () => {
    const { stdin: input, stderr: output } = process;
    const { signal } = stopping;
    return openQuestions({ input, output }, { isTerminal: input.isTTY === true, signal, interrupt });
  },
  ...(process.stdin.isTTY ? { askHidden: askAtTerminal } : {}),
  ...(process.stderr.isTTY ? { transient: showInLastLine } : {}),
  ...(process.stdout.isTTY ? { columns: process.stdout.columns } : {}),
};

/** Runs a command line in this process, and leaves its exit code. */
export async function runCommandLine(commandLine: (io: CliIo) => Command | Promise<Command>): Promise<void> {
  try {
    await (await commandLine(io)).parseAsync(spelledOut(process.argv.slice(2)), { from: "user" });
  } catch (error) {
    process.exitCode = complain(io, error, { gaveUpRights: wasRoot && !isRoot() });
  }
}

function askAtTerminal(question: string): Promise<string> {
  const { stdin: input, stderr: output } = process;
  return askHidden({ input, output }, question, { signal: stopping.signal, interrupt });
}

function showInLastLine(text: string): void {
  process.stderr.write(`\r\x1b[K${withoutCommands(text)}`);
}

function interrupt(): void {
  process.kill(process.pid, "SIGINT");
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > STDIN_BYTES_MAX) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
