import { constants } from "node:fs";
import { access, realpath, stat, statfs } from "node:fs/promises";
import { dirname, isAbsolute, normalize } from "node:path";
import { type Identity, mayUse } from "../config/identity.ts";
import { Space } from "../config/keeping.ts";
import { invalidAnswer } from "./refusal.ts";

export const DEFAULT_RECORDINGS = "/srv/recordings";

/** A folder that recordings can be written to. */
export interface RecordingsFolder {
  readonly folder: string;
  /** It does not exist yet, but can be created. */
  readonly isNew: boolean;
  readonly freeBytes: number;
}

/**
 * Checks a folder for recordings.
 *
 * @param who the recorder's system user
 * @throws RecorderdError CONFIG_INVALID if nothing could be recorded there
 */
export async function recordingsFolder(folder: string, who: Identity): Promise<RecordingsFolder> {
  if (!isAbsolute(folder))
    throw invalidAnswer("Expected an absolute path, such as /srv/recordings.", "folder-path");
  const there = await nearest(folder);
  if (isSystems(await realpath(there)) || isSystems(folder))
    throw invalidAnswer(
      `${folder} belongs to the system: choose a folder only for recordings.`,
      "folder-system",
    );
  const isNew = there !== folder;
  if (isNew) {
    // The present user creates it, and gives it to the recorder.
    await access(there, constants.W_OK | constants.X_OK).catch(() => {
      throw invalidAnswer(
        `${folder} does not exist, and cannot be created in ${there}: create it yourself.`,
        "folder-new",
      );
    });
  } else if (!(await mayUse(folder, "enter-write", who))) {
    throw invalidAnswer(
      `${who.name} may not write to ${folder}: chown ${who.name} ${folder}, or choose another.`,
      "folder-forbidden",
    );
  }
  const { bavail, bsize } = await statfs(there);
  const freeBytes = bavail * bsize;
  // With less, the daemon records nothing.
  if (freeBytes < Space.parse({}).stopBytes) {
    throw invalidAnswer(
      `Only ${Math.floor(freeBytes / 1e6)} MB are free at ${folder}: choose another disk.`,
      "folder-full",
    );
  }
  return { folder, isNew, freeBytes };
}

/** System folders, where a new file could have side effects. */
const SYSTEMS = /^\/(bin|boot|dev|etc|lib\w*|proc|run|sbin|sys|usr)(\/|$)/;
/** Mount folder of desktops. */
const DISKS = /^\/run\/media\//;

function isSystems(folder: string): boolean {
  const path = normalize(`${folder}/`);
  return path === "/" || (SYSTEMS.test(path) && !DISKS.test(path));
}

/** The innermost existing folder of a path. */
async function nearest(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  if (found !== undefined) throw invalidAnswer(`${path} is not a folder.`, "folder-file");
  return nearest(dirname(path));
}

/** @throws RecorderdError CONFIG_INVALID */
export function secondsOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 86_400) return Number(text);
  throw invalidAnswer("Expected a number of seconds, at most 86400.");
}
