import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { openInspection } from "../../src/inspect/file-inspection.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { recordWithDaemon } from "./daemon.ts";
import { watchFirstBytes } from "./first-bytes.ts";

export interface Order {
  readonly folder: string;
  /** Addresses of one service each. */
  readonly urls: readonly string[];
  /** How long everything must run at once, settling included. */
  readonly seconds: number;
  /** Nothing is recorded. */
  readonly isIdle?: boolean;
}

/** All recordings run. */
export interface Running {
  /** Every process that takes part. */
  readonly processes: () => readonly number[];
  /** The one that looks after the others, where there is one. */
  readonly supervisor?: number;
  /** Ends it and looks at what was recorded. */
  readonly end: () => Promise<Recorded>;
}

export interface Recorded {
  readonly bytes: number;
  readonly continuityErrors: number;
  /** Recordings that are not whole. */
  readonly damaged: number;
  /** Of each: from the order to capture it to its first byte in its file. */
  readonly firstByteMs: readonly number[];
}

export interface Contender {
  readonly name: string;
  readonly start: (order: Order) => Promise<Running>;
}

const { signal } = new AbortController();
const clock = systemClock();
const QUIET = ["-hide_banner", "-nostdin", "-nostats", "-loglevel", "error", "-y"];

/** Each contender that this machine has. */
export function contenders(): readonly Contender[] {
  return [
    { name: "recorderd, host", start: (order) => recordWithDaemon(order, "host") },
    { name: "recorderd, ffmpeg", start: (order) => recordWithDaemon(order, "ffmpeg") },
    processEach("ffmpeg, bytes", (url, file) => [
      "ffmpeg",
      ...QUIET,
      ...["-f", "data", "-i", url, "-map", "0", "-c", "copy", "-f", "data", file],
    ]),
    processEach("ffmpeg -c copy", (url, file) => [
      "ffmpeg",
      ...QUIET,
      ...["-i", url, "-map", "0", "-c", "copy", "-f", "mpegts", file],
    ]),
    ...(existsSync("/usr/bin/curl")
      ? [processEach("curl", (url, file) => ["curl", "-sN", "-o", file, url])]
      : []),
  ];
}

/** One process for each recording, and nothing that looks after them. */
function processEach(
  name: string,
  command: (url: string, file: string) => readonly [string, ...string[]],
): Contender {
  return {
    name,
    start: async ({ folder, urls }) => {
      const own = await mkdtemp(join(folder, "files-"));
      const files = urls.map((_, nth) => join(own, `${nth}.ts`));
      const startedAt = new Map<string, number>();
      const firstBytes = watchFirstBytes(async () => files);
      const children = urls.map((url, nth) => {
        const file = files[nth] ?? "";
        const [program, ...args] = command(url, file);
        startedAt.set(file, clock.now());
        return spawn(program, args, { stdio: "ignore" });
      });
      return {
        processes: () => children.map(({ pid = 0 }) => pid),
        end: async () => {
          await Promise.all(children.map(ended));
          const found = await lookAt(files);
          await rm(own, { recursive: true });
          const seen = await firstBytes.end();
          const firstByteMs = [...seen].map(([file, at]) => at - (startedAt.get(file) ?? Number.NaN));
          return { ...found, firstByteMs };
        },
      };
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGINT");
  await gone;
}

async function lookAt(files: readonly string[]): Promise<Omit<Recorded, "firstByteMs">> {
  let [bytes, continuityErrors, damaged] = [0, 0, 0];
  for (const file of files) {
    await using inspection = openInspection(file, undefined);
    const found = await inspection.advance(signal);
    bytes += (await stat(file)).size;
    continuityErrors += found.continuityErrors;
    if (found.continuityErrors > 0 || found.spans.length !== 1) damaged += 1;
  }
  return { bytes, continuityErrors, damaged };
}

export function pauseMs(ms: number): Promise<void> {
  return clock.sleep(ms, signal);
}
