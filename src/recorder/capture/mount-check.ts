import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { RecorderdError } from "../../model/errors.ts";
import type { Capture } from "../../model/ports.ts";
import { workFolder } from "./files.ts";
import { inPortWords, unless } from "./storage.ts";

/** Whether the disk that takes the recordings is there: an empty folder in its place is not it. */
export interface MountCheck {
  isThere(): Promise<boolean>;
  /** @throws RecorderdError STORAGE_OFFLINE; WRITE_FAILED where the system does not say whether it is there */
  check(): Promise<void>;
  /**
   * Makes the work folder, by which the disk is known from then on. Only for a folder that never took a recording.
   *
   * @throws RecorderdError STORAGE_OFFLINE, DISK_FULL or WRITE_FAILED
   */
  settleIn(): Promise<void>;
}

export interface PresenceParts {
  readonly folder: string;
  /** Must be a mount point, where it is given. */
  readonly mountPoint?: string;
  /** Recordings were kept in the folder before: then its work folder must be there. */
  readonly isKnown: () => boolean;
}

export function createMountCheck({ folder, mountPoint, isKnown }: PresenceParts): MountCheck {
  const offline = () =>
    new RecorderdError(
      "STORAGE_OFFLINE",
      `${folder} is not the folder that took recordings before: check that its disk is mounted. ` +
        `Where it is a new disk, make the folder ${workFolder(folder)} on it.`,
      { folder },
    );

  async function isMounted(): Promise<boolean> {
    return mountPoint === undefined || (await deviceOf(mountPoint)) !== (await deviceOf(dirname(mountPoint)));
  }

  /** @throws the system's error where it does not say */
  async function look(): Promise<boolean> {
    const place = isKnown() ? workFolder(folder) : folder;
    return (await deviceOf(place)) !== undefined && (await isMounted());
  }

  async function check(): Promise<void> {
    const isThere = await inPortWords(workFolder(folder), look);
    if (!isThere) throw offline();
  }

  return {
    isThere: () => look().catch(() => false),
    check,
    settleIn: async () => {
      await check();
      const make = () => mkdir(workFolder(folder), { mode: 0o750 }).catch(unless("EEXIST"));
      await inPortWords(workFolder(folder), make);
    },
  };
}

/** A capture that begins nothing while the disk is not there. */
export function onPresentDisk(capture: Capture, presence: MountCheck): Capture {
  return {
    ...capture,
    start: async (order) => {
      await presence.check();
      await capture.start(order);
    },
  };
}

/** `undefined` where there is nothing of that name. @throws the system's error where it does not say */
async function deviceOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).dev;
  } catch (error) {
    unless("ENOENT", "ENOTDIR")(error);
    return undefined;
  }
}
