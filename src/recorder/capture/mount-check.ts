import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { RecorderdError } from "../../model/errors.ts";
import type { Capture } from "../../model/ports.ts";
import { workFolder } from "./files.ts";
import { ignoring, translatingErrors } from "./storage.ts";

/** Tells whether the recordings disk is present; an empty folder in its place does not count. */
export interface MountCheck {
  isThere(): Promise<boolean>;
  /** @throws RecorderdError STORAGE_OFFLINE; WRITE_FAILED if the system gives no answer */
  check(): Promise<void>;
  /**
   * Creates the work folder, which identifies the disk from then on. Only for a folder that never held a recording.
   *
   * @throws RecorderdError STORAGE_OFFLINE, DISK_FULL or WRITE_FAILED
   */
  createWorkFolder(): Promise<void>;
}

export interface MountCheckParts {
  readonly folder: string;
  /** If set, it must be a mount point. */
  readonly mountPoint?: string;
  /** The folder has held recordings, so its work folder must exist. */
  readonly isKnown: () => boolean;
}

export function createMountCheck({ folder, mountPoint, isKnown }: MountCheckParts): MountCheck {
  const offline = () =>
    new RecorderdError(
      "STORAGE_OFFLINE",
      `${folder} is not the folder used for earlier recordings: check that its disk is mounted. ` +
        `If the disk is new, create the folder ${workFolder(folder)} on it.`,
      { folder },
    );

  async function isMounted(): Promise<boolean> {
    return mountPoint === undefined || (await deviceOf(mountPoint)) !== (await deviceOf(dirname(mountPoint)));
  }

  /** @throws a system error if there is no answer */
  async function look(): Promise<boolean> {
    const place = isKnown() ? workFolder(folder) : folder;
    return (await deviceOf(place)) !== undefined && (await isMounted());
  }

  async function check(): Promise<void> {
    const isThere = await translatingErrors(workFolder(folder), look);
    if (!isThere) throw offline();
  }

  return {
    isThere: () => look().catch(() => false),
    check,
    createWorkFolder: async () => {
      await check();
      const make = () => mkdir(workFolder(folder), { mode: 0o750 }).catch(ignoring("EEXIST"));
      await translatingErrors(workFolder(folder), make);
    },
  };
}

/** Makes a capture refuse to start while the disk is absent. */
export function onMountedDisk(capture: Capture, presence: MountCheck): Capture {
  return {
    ...capture,
    start: async (order) => {
      await presence.check();
      await capture.start(order);
    },
  };
}

/** `undefined` if the path does not exist. @throws a system error if there is no answer */
async function deviceOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).dev;
  } catch (error) {
    ignoring("ENOENT", "ENOTDIR")(error);
    return undefined;
  }
}
