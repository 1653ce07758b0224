import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { Way } from "./broadcast.ts";
import { type Contender, lookAt, until } from "./contender.ts";
import { recordWithDaemon } from "./daemon.ts";
import { watchFirstBytes } from "./first-bytes.ts";
import { keptOfEach, lostIn } from "./kept.ts";
import { tripletOf } from "./loop.ts";
import { recordWithVdr, VDR_FILES } from "./vdr.ts";

const clock = systemClock();
const QUIET = ["-hide_banner", "-nostdin", "-nostats", "-loglevel", "error", "-y"];

/** The recordings of one process. */
interface One {
  readonly url: string;
  readonly file: string;
  readonly sid: number;
}

const BARE = { isOurs: false, missing: [], recordingsMax: Number.POSITIVE_INFINITY } as const;
const OURS = { ...BARE, isOurs: true } as const;

/** Each contender that there is for what is sent so, whether it is installed or not. */
export function contenders(way: Way): readonly Contender[] {
  switch (way) {
    case "http":
      return [...OUR_OWN, COPIER, BYTE_COPIER, CURL, VDR];
    case "udp":
      return [...OUR_OWN, BYTE_COPIER].map(limitedTo(32));
    case "multiplex":
      return [...OUR_OWN, SPLITTER].map(limitedTo(8));
  }
}

const OUR_OWN: readonly Contender[] = [
  { ...OURS, name: "recorderd, host", start: (order) => recordWithDaemon(order, "host") },
  { ...OURS, name: "recorderd, ffmpeg", start: (order) => recordWithDaemon(order, "ffmpeg") },
];
const COPIER = processEach({
  name: "ffmpeg -c copy",
  keepsBytes: false,
  command: ({ url, file }) => [
    "ffmpeg",
    ...QUIET,
    ...["-i", url, "-map", "0", "-c", "copy", "-f", "mpegts", file],
  ],
});
/** Each reads the whole multiplex. */
const SPLITTER = processEach({
  name: "ffmpeg -map p:SID",
  keepsBytes: false,
  command: ({ url, file, sid }) => [
    "ffmpeg",
    ...QUIET,
    ...["-i", url, "-map", `0:p:${sid}`, "-c", "copy", "-f", "mpegts", file],
  ],
});
const BYTE_COPIER = processEach({
  name: "ffmpeg, bytes",
  keepsBytes: true,
  command: ({ url, file }) => [
    "ffmpeg",
    ...QUIET,
    ...["-f", "data", "-i", url, "-map", "0", "-c", "copy", "-f", "data", file],
  ],
});
const CURL: Contender = {
  ...processEach({
    name: "curl",
    keepsBytes: true,
    command: ({ url, file }) => ["curl", "-sN", "-o", file, url],
  }),
  missing: missing("/usr/bin/curl"),
};
const VDR: Contender = {
  ...BARE,
  name: "VDR over SAT>IP",
  missing: missing(...VDR_FILES),
  recordingsMax: 8,
  start: recordWithVdr,
};

function limitedTo(recordingsMax: number): (contender: Contender) => Contender {
  return (contender) => ({ ...contender, recordingsMax });
}

function missing(...paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !existsSync(path));
}

/** One process for each recording, and nothing that looks after them. */
function processEach({
  name,
  keepsBytes,
  command,
}: {
  readonly name: string;
  /** The stream is written unchanged. */
  readonly keepsBytes: boolean;
  readonly command: (one: One) => readonly [string, ...string[]];
}): Contender {
  return {
    ...BARE,
    name,
    start: async ({ folder, urls, air }) => {
      const own = await mkdtemp(join(folder, "files-"));
      const files = urls.map((_, nth) => join(own, `${nth}.ts`));
      const startedAt = new Map<string, number>();
      const firstBytes = watchFirstBytes(async () => files);
      const children = urls.map((url, nth) => {
        const file = files[nth] ?? "";
        const [program, ...args] = command({ url, file, sid: tripletOf(nth).sid });
        startedAt.set(file, clock.now());
        return spawn(program, args, { stdio: "ignore" });
      });
      // Starting takes long with ffmpeg, but is not part of recording.
      await until(() => firstBytes.count() === files.length, `${name} writes nothing`);
      return {
        processes: () => children.map(({ pid = 0 }) => pid),
        end: async () => {
          await Promise.all(children.map(ended));
          const found = await lookAt(files);
          const lostBytes = keepsBytes ? lostIn(await keptOfEach(files, air)) : undefined;
          await rm(own, { recursive: true });
          const seen = await firstBytes.end();
          const firstByteMs = [...seen].map(([file, at]) => at - (startedAt.get(file) ?? Number.NaN));
          return { ...found, firstByteMs, ...(lostBytes === undefined ? {} : { lostBytes }) };
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
