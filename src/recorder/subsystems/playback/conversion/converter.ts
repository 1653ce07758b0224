import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { systemCode } from "../../../../kit/machine/system-code.ts";
import { startChild } from "../../../../kit/process/child.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";

interface ConverterParts {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  readonly onOutput: (bytes: Buffer) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Runs a program that converts a stream, to its end. It ends with this process too: its input ends, and nobody reads its output.
 *
 * @throws RecorderdError FFMPEG_FAILED, FFMPEG_MISSING, the signal's reason, and what input and output throw; the program is gone then
 */
export async function runConverter({ command, env, input, onOutput, signal }: ConverterParts): Promise<void> {
  signal.throwIfAborted();
  const child = await started(command, env);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const message = endOfMessages(child);
  const over = new AbortController();
  const end = () => {
    over.abort(signal.reason);
    child.kill("SIGKILL");
  };
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const feeding = fill(child, input(over.signal), over.signal).catch((error: unknown) => {
    child.kill("SIGKILL");
    return { error };
  });
  try {
    for await (const bytes of (child.stdout ?? []) as AsyncIterable<Buffer>) await onOutput(bytes);
    const code = await ended;
    over.abort();
    const fed = await feeding;
    signal.throwIfAborted();
    if (typeof fed === "object" && fed.error instanceof RecorderdError) throw fed.error;
    if (code !== 0) throw conversionFailed(message());
    if (fed !== "whole") throw conversionFailed("it ended early");
  } finally {
    signal.removeEventListener("abort", end);
    end();
    await Promise.all([ended, feeding]);
  }
}

export function conversionFailed(reason: string): RecorderdError {
  return new RecorderdError("FFMPEG_FAILED", `The conversion for this device failed: ${reason}.`);
}

async function started(
  [program = "", ...args]: readonly string[],
  env: ConverterParts["env"],
): Promise<ChildProcess> {
  try {
    const child = await startChild(program, args, { env, cwd: "/", stdio: "pipe" });
    // A program that has ended reads no more; its end says why.
    child.stdin?.on("error", () => {});
    return child;
  } catch (error) {
    throw new RecorderdError("FFMPEG_MISSING", `${program} cannot be started: ${systemCode(error)}.`);
  }
}

async function fill(
  { stdin }: ChildProcess,
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<"whole" | "stopped"> {
  for await (const bytes of input) {
    if (stdin === null || stdin.destroyed || signal.aborted) return "stopped";
    if (!stdin.write(bytes)) await once(stdin, "drain", { signal });
  }
  if (signal.aborted) return "stopped";
  stdin?.end();
  return "whole";
}

function endOfMessages({ stderr }: ChildProcess): () => string {
  let text = "";
  stderr?.on("data", (bytes: Buffer) => {
    text = (text + bytes.toString("utf8")).slice(-PLAYBACK_LIMITS.convertMessageLength);
  });
  return () => (text.trim() === "" ? "ffmpeg was killed" : text.trim());
}
