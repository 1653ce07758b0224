import type { ChildProcess } from "node:child_process";
import ffmpeg, { type FfmpegCommand } from "fluent-ffmpeg";
import { RecorderdError } from "../../model/errors.ts";
import { endChild } from "./child.ts";
import { reasonOf } from "./ffmpeg-words.ts";

/** Messages quote this much of ffmpeg's output, from its end, which names the cause. */
const REASON_LENGTH_MAX = 500;

export interface FfmpegRun {
  readonly signal: AbortSignal;
  /** From 0 to 19 (lowest priority). */
  readonly niceness?: number;
  /** The whole environment; ours if absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** Progress from 0 to 1, if ffmpeg can tell. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Runs one ffmpeg command to its end. Existing output files are overwritten.
 *
 * The error quotes ffmpeg's output about its inputs: pass files and generators, never an address with a secret.
 *
 * @param configure names inputs, options and outputs; must not run the command
 * @throws RecorderdError FFMPEG_MISSING when no ffmpeg is installed, FFMPEG_FAILED when it ends unsuccessfully
 * @throws the signal's reason when it is aborted first; the process is gone then
 */
export async function runFfmpeg(
  configure: (command: FfmpegCommand) => void,
  { signal, niceness = 0, env, onProgress }: FfmpegRun,
): Promise<void> {
  signal.throwIfAborted();
  const command = patched(ffmpeg({ niceness }), env);
  configure(command);
  if (onProgress !== undefined) {
    command.on("progress", ({ percent }: { readonly percent?: number | undefined }) => {
      if (percent !== undefined && Number.isFinite(percent))
        onProgress(Math.min(1, Math.max(0, percent / 100)));
    });
  }
  const kill = () => killProcess(command);
  signal.addEventListener("abort", kill, { once: true });
  try {
    await ended(command, signal);
  } finally {
    signal.removeEventListener("abort", kill);
  }
}

interface Lines {
  get(): string;
}

type OnEnd = (error: Error | null, stdout: Lines | undefined, stderr: Lines | undefined) => void;

/** Internals of fluent-ffmpeg 2.1 that must be replaced; its types omit them. */
interface FfmpegInternals {
  readonly ffmpegProc?: ChildProcess;
  _checkCapabilities(done: () => void): void;
  availableEncoders(done: (error: null, encoders: Readonly<Record<string, never>>) => void): void;
  _spawnFfmpeg(args: readonly string[], options: object, onStart: unknown, onEnd: OnEnd): void;
}

const NO_LINES: Lines = { get: () => "" };

/**
 * fluent-ffmpeg queries formats and encoders before the first command, and misses the generators (lavfi) in the answer of
 * ffmpeg 7 and later: ffmpeg's own error is better. It also reads the output of a process that failed to start, which would
 * crash ours.
 */
function patched(command: FfmpegCommand, env: FfmpegRun["env"]): FfmpegCommand {
  const inside = command as unknown as FfmpegInternals;
  const spawn = inside._spawnFfmpeg;
  const parts: FfmpegInternals = {
    _checkCapabilities: (done) => done(),
    availableEncoders: (done) => done(null, {}),
    _spawnFfmpeg: (args, options, onStart, onEnd) => {
      const end: OnEnd = (error, stdout, stderr) => onEnd(error, stdout ?? NO_LINES, stderr ?? NO_LINES);
      spawn.call(command, args, env === undefined ? options : { ...options, env }, onStart, end);
    },
  };
  return Object.assign(command, parts);
}

function killProcess(command: FfmpegCommand): void {
  const { ffmpegProc } = command as unknown as FfmpegInternals;
  if (ffmpegProc !== undefined) endChild(ffmpegProc, "SIGKILL");
}

function ended(command: FfmpegCommand, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    // A kill before the process exists is lost, so the signal is checked again on start.
    command.on("start", () => {
      if (signal.aborted) killProcess(command);
    });
    command.on("end", () => resolve());
    command.on("error", (error: Error, _stdout: string | null, stderr: string | null) =>
      reject(signal.aborted ? signal.reason : translated(error, stderr ?? "")),
    );
    command.run();
  });
}

function translated(error: Error, stderr: string): RecorderdError {
  if (/cannot find ffmpeg|spawn .* ENOENT/i.test(error.message)) {
    return new RecorderdError(
      "FFMPEG_MISSING",
      "no ffmpeg was found in PATH: install it (on Debian: apt install ffmpeg)",
      {},
      { cause: error },
    );
  }
  const reason = reasonOf(error.message, stderr).slice(-REASON_LENGTH_MAX);
  return new RecorderdError("FFMPEG_FAILED", `ffmpeg failed: ${reason}`, {}, { cause: error });
}
