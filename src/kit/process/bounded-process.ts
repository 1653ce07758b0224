import type { ChildProcess } from "node:child_process";
import { kill } from "node:process";
import { type DurationMs, SECOND } from "../../model/time.ts";
import { anyAbort, type Clock } from "../time/clock.ts";
import { startChild } from "./child.ts";

export interface BoundedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment: none of ours is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** An open file that receives standard output; `output` then holds standard error alone. */
  readonly stdoutFd?: number;
  readonly timeoutMs: DurationMs;
  /** Output limit, for both streams; the end is kept. */
  readonly outputBytesMax: number;
}

export interface BoundedEnd {
  readonly how: "exited" | "killed" | "timed-out" | "not-started";
  /** The reason why the system did not start it. */
  readonly reason?: string;
  /** The exit code, if it exited. */
  readonly code?: number;
  /** Both outputs, in order of arrival. */
  readonly output: string;
  /** Standard output alone. */
  readonly answer: string;
}

/** Time for the last output to arrive after the exit. */
const DRAIN_MS: DurationMs = SECOND;

/**
 * Runs a command in its own process group. The whole group is killed after the timeout and after the command's end, so nothing
 * stays behind. Never throws for the command's own failures.
 *
 * @throws the signal's reason when it is aborted first; the group is gone then
 */
export async function runBounded(
  command: BoundedCommand,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<BoundedEnd> {
  signal.throwIfAborted();
  const started = await startChild(command.command, command.args, {
    detached: true,
    env: command.env,
    cwd: "/",
    stdio: ["pipe", command.stdoutFd ?? "pipe", "pipe"],
  }).catch((error: Error) => error);
  if (started instanceof Error)
    return { how: "not-started", reason: started.message, output: "", answer: "" };
  const child = started;
  const output = tailOf(child, command.outputBytesMax);
  // A command that does not read its input is no failure.
  child.stdin?.on("error", () => {});
  child.stdin?.end(command.stdin ?? "");
  const over = new AbortController();
  using either = anyAbort([signal, over.signal]);
  const expired = clock
    .sleep(command.timeoutMs, either.signal)
    .then(() => "expired" as const)
    .catch(() => "called-off" as const);
  try {
    const first = await Promise.race([ended(child), expired]);
    killGroup(child);
    if (typeof first === "object") return { ...first, ...(await output(clock)) };
    signal.throwIfAborted();
    return { how: "timed-out", ...(await output(clock)) };
  } finally {
    over.abort();
    killGroup(child);
  }
}

type ProcessOutput = Pick<BoundedEnd, "output" | "answer">;

function ended(child: ChildProcess): Promise<Omit<BoundedEnd, keyof ProcessOutput>> {
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code === null ? { how: "killed" } : { how: "exited", code }));
  });
}

/** Harmless if the group has ended. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    kill(-pid, "SIGKILL");
  } catch {
    // The group is empty.
  }
}

/** Collects the end of a process's output. The returned function waits briefly for the rest. */
function tailOf(child: ChildProcess, bytesMax: number): (clock: Clock) => Promise<ProcessOutput> {
  const [both, alone] = [new Tail(bytesMax), new Tail(bytesMax)];
  child.stdout?.on("data", (chunk: Buffer) => {
    both.keep(chunk);
    alone.keep(chunk);
  });
  child.stderr?.on("data", (chunk: Buffer) => both.keep(chunk));
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return async (clock) => {
    const done = new AbortController();
    await Promise.race([closed, clock.sleep(DRAIN_MS, done.signal).catch(() => {})]);
    done.abort();
    // A process that escaped from the group may hold them open.
    child.stdout?.destroy();
    child.stderr?.destroy();
    return { output: both.text, answer: alone.text };
  };
}

class Tail {
  readonly #bytesMax: number;
  #bytes = Buffer.alloc(0);

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  keep(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-this.#bytesMax);
  }

  get text(): string {
    return this.#bytes.toString("utf8").trim();
  }
}
