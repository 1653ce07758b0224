import { constants } from "node:fs";
import { access, realpath, stat, statfs } from "node:fs/promises";
import { dirname, isAbsolute, normalize } from "node:path";
import { type Identity, mayUse } from "../config/identity.ts";
import { Space } from "../config/keeping.ts";
import { noAnswer } from "./refusal.ts";

export const DEFAULT_RECORDINGS = "/srv/recordings";

/** A folder that recordings can be written to. */
export interface RecordingsFolder {
  readonly folder: string;
  /** It is not there yet, and can be made. */
  readonly isNew: boolean;
  readonly freeBytes: number;
}

/**
 * @param who as whom the recorder will run
 * @throws RecorderdError CONFIG_INVALID where nothing could be recorded there
 */
export async function recordingsFolder(folder: string, who: Identity): Promise<RecordingsFolder> {
  if (!isAbsolute(folder)) throw noAnswer("Expected an absolute path, such as /srv/recordings.");
  const there = await nearest(folder);
  if (isSystems(await realpath(there)) || isSystems(folder))
    throw noAnswer(`${folder} belongs to the system: choose a folder for recordings alone.`);
  const isNew = there !== folder;
  if (isNew) {
    // Who asks makes it, and gives it to the recorder.
    await access(there, constants.W_OK | constants.X_OK).catch(() => {
      throw noAnswer(`${folder} is not there, and cannot be made in ${there}: make it by hand.`);
    });
  } else if (!(await mayUse(folder, "enter-write", who))) {
    throw noAnswer(`${who.name} may not write ${folder}: chown ${who.name} ${folder}, or choose another.`);
  }
  const { bavail, bsize } = await statfs(there);
  const freeBytes = bavail * bsize;
  // With less, the daemon records nothing.
  if (freeBytes < Space.parse({}).stopBytes) {
    throw noAnswer(`Only ${Math.floor(freeBytes / 1e6)} MB are free at ${folder}: choose another disk.`);
  }
  return { folder, isNew, freeBytes };
}

/** Folders of the system itself, where a new file may be a command for it. */
const SYSTEMS = /^\/(bin|boot|dev|etc|lib\w*|proc|run|sbin|sys|usr)(\/|$)/;
/** Where a desktop mounts disks. */
const DISKS = /^\/run\/media\//;

function isSystems(folder: string): boolean {
  const path = normalize(`${folder}/`);
  return path === "/" || (SYSTEMS.test(path) && !DISKS.test(path));
}

/** The innermost of its folders that is there. */
async function nearest(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  if (found !== undefined) throw noAnswer(`${path} is no folder.`);
  return nearest(dirname(path));
}

/** @throws RecorderdError CONFIG_INVALID */
export function secondsOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 86_400) return Number(text);
  throw noAnswer("Expected a number of seconds, at most 86400.");
}
