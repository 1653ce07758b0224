import { readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { readFile } from "../../kit/files/steady-fs.ts";
import { syncFolder } from "../../kit/files/sync-folder.ts";
import {
  attemptNoteFile,
  attemptOf,
  besideSegment,
  logFile,
  segmentFile,
  workFolder,
} from "../capture/files.ts";
import { isHomeOf } from "../config/fleet.ts";
import type { Config } from "../config/schema.ts";
import type { HeldFile } from "../fleet/files/held-file.ts";
import type { HeldByNode } from "../fleet/node-protocol.ts";
import type { NodeFiles } from "../fleet/ports.ts";

/**
 * The files of a node, for a leader that does not share their folder.
 *
 * @returns `undefined` if the nodes share a folder
 */
export function nodeFiles(
  config: Pick<Config, "fleet" | "recordings">,
  isRunning: (attemptId: string) => Promise<boolean>,
): NodeFiles | undefined {
  const isHome = isHomeOf(config);
  if (isHome === undefined) return undefined;
  const { folder, libraryFolder = folder } = config.recordings;
  const work = workFolder(folder);
  const pathOf = (file: HeldFile) => {
    if (file.kind === "recording") return join(libraryFolder, ...file.path.split("/"));
    const segment = segmentFile(folder, file.id);
    return file.kind === "segment" ? segment : logFile(segment);
  };

  async function segments(): Promise<HeldByNode> {
    if (isHome === true) return { attempts: [], notes: {} };
    const attempts = (await readdir(work).catch(() => [])).flatMap((name) => attemptOf(name) ?? []);
    const notes: Record<string, string> = {};
    for (const id of attempts) {
      const note = await readFile(attemptNoteFile(segmentFile(folder, id)), "utf8").catch(() => undefined);
      if (note !== undefined) notes[id] = note;
    }
    return { attempts, notes };
  }

  async function dropSegment(segment: string): Promise<void> {
    for (const each of [...besideSegment(segment), segment]) await rm(each, { force: true });
  }

  async function dropRecording(file: string): Promise<void> {
    await rm(file, { force: true });
    let empty = dirname(file);
    while (empty.startsWith(libraryFolder + sep) && (await isRemoved(empty))) empty = dirname(empty);
    await syncFolder(empty);
  }

  return {
    placeOf: (file) => ({ path: pathOf(file), root: file.kind === "recording" ? libraryFolder : work }),
    isGrowing: async (file) => file.kind === "segment" && (await isRunning(file.id)),
    segments,
    drop: async (file) => {
      if (isHome) return;
      if (file.kind === "recording") await dropRecording(pathOf(file));
      else await dropSegment(segmentFile(folder, file.id));
    },
  };
}

/** Whether the folder was empty. */
async function isRemoved(folder: string): Promise<boolean> {
  return await rmdir(folder).then(
    () => true,
    () => false,
  );
}
