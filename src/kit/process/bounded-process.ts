import type { ChildProcess } from "node:child_process";
import { kill } from "node:process";
import { type DurationMs, SECOND } from "../../model/time.ts";
import type { Clock } from "../time/clock.ts";
import { startChild } from "./child.ts";

export interface BoundedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment: nothing of ours is handed on. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** An open file for what it says on its standard output; its error output is what is kept then. */
  readonly stdoutFd?: number;
  readonly timeoutMs: DurationMs;
  /** Of what it says, on both outputs, so much is kept: the end. */
  readonly outputBytesMax: number;
}

export interface BoundedEnd {
  readonly how: "exited" | "killed" | "timed-out" | "not-started";
  /** Why the system would not start it. */
  readonly reason?: string;
  /** Exit code, of one that exited. */
  readonly code?: number;
  /** What it said on both outputs, as it came. */
  readonly output: string;
  /** What it said on standard output alone: its answer, where it has one. */
  readonly answer: string;
}

/** What it said last may still be on its way when it has ended. */
const DRAIN_MS: DurationMs = SECOND;

/**
 * Runs a command in a process group of its own, which is killed as a whole when its time is over, and when the command has
 * ended: nothing that it started stays behind. Never throws for what the command does.
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
  // One that does not read its input is no failure.
  child.stdin?.on("error", () => {});
  child.stdin?.end(command.stdin ?? "");
  const over = new AbortController();
  const expired = clock
    .sleep(command.timeoutMs, AbortSignal.any([signal, over.signal]))
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

type Said = Pick<BoundedEnd, "output" | "answer">;

function ended(child: ChildProcess): Promise<Omit<BoundedEnd, keyof Said>> {
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code === null ? { how: "killed" } : { how: "exited", code }));
  });
}

/** Harmless when all of it has ended. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}

/** Collects the end of what a process says; asking for it waits until it has said all, but not for long. */
function tailOf(child: ChildProcess, bytesMax: number): (clock: Clock) => Promise<Said> {
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
    // Whoever escaped from the group may hold them open.
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
