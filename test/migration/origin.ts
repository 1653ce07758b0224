import { createHash } from "node:crypto";
import { lstat, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FoundRecorder, ReadOptions } from "../../src/migration/found.ts";
import { openOrigin } from "../../src/migration/origin-folders.ts";
import { type ImportPlan, type KnownHere, planImport } from "../../src/migration/plan.ts";
import type { OriginReader } from "../../src/migration/reader.ts";
import type { Origin } from "../../src/model/imported.ts";
import type { Channel } from "../../src/model/service.ts";
import { outOfPatience } from "../patience.ts";

/** The folders of other recorders that the tests read. */
export const FIXTURES = join(import.meta.dirname, "../fixtures/migration");

/** A folder for one test, removed with it. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "recorderd-migration-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export const OPTIONS: Omit<ReadOptions, "signal"> = {
  now: Date.UTC(2026, 10, 26, 12),
  timeZone: "Europe/Berlin",
};

export async function readOrigin(
  reader: OriginReader,
  folders: readonly [string, ...string[]],
  options: Partial<ReadOptions> = {},
): Promise<FoundRecorder> {
  return reader.read(await openOrigin(folders), {
    ...OPTIONS,
    signal: outOfPatience(),
    ...options,
  });
}

/** Everything that there is below a folder, with its content and its times: equal if nothing was touched. */
export async function stateOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return Promise.all(
    names.sort().map(async (name) => {
      const path = join(folder, name);
      const { mode, size, mtimeMs, ctimeMs, ino } = await lstat(path);
      return [name, mode, size, mtimeMs, ctimeMs, ino, await digestOf(path)].join(" ");
    }),
  );
}

async function digestOf(path: string): Promise<string> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return readlink(path);
  return found.isFile()
    ? createHash("sha256")
        .update(await readFile(path))
        .digest("hex")
    : "";
}

/** The plan of an import into a guide with the same channels, after the import itself. */
export function planAgain(from: Origin, found: FoundRecorder): ImportPlan {
  const before = planImport(from, found, hereFor(found));
  const entries = before.recordings.flatMap(({ orders }) =>
    orders.map((order) => ({ file: order.file, imported: order })),
  );
  const rules = before.rules.flatMap(({ order }) => (order === undefined ? [] : [order]));
  const ordered = new Set(before.timers.flatMap(({ showId }) => (showId === undefined ? [] : [showId])));
  return planImport(from, found, { ...hereFor(found), entries, rules, ordered });
}

/** A guide with all channels, and the show of each timer. */
function hereFor(found: FoundRecorder): KnownHere {
  const channels = found.channels.map(
    ({ name, triplet }, at): Channel => ({
      id: String(at + 1),
      name,
      nameShort: name,
      knownNames: [],
      triplets: triplet === undefined ? [] : [triplet],
      lcns: [],
    }),
  );
  const shows = found.timers.map(({ title, event }, at) => ({ id: at + 1, title, ...event }));
  return {
    entries: [],
    channels,
    shows: (_channel, { start }) => shows.filter((show) => show.start === start),
    ordered: new Set(),
    rules: [],
    now: OPTIONS.now,
  };
}
