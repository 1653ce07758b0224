import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { memoryDisk } from "../memory-disk.ts";

/** A file system of its own for recordings, which can be made read-only and taken away. */
export interface SmallDisk extends AsyncDisposable {
  /** The mount point that the recorder uses. */
  readonly mountPoint: string;
  /** The same file system, also while it is away from there. */
  readonly inside: string;
  takeAway(): void;
  bringBack(): void;
  /** @throws while a file on it is open for writing */
  readOnly(yes: boolean): void;
}

/** `undefined` where we have no right to mount. */
export async function smallDisk(folder: string, megabytes: number): Promise<SmallDisk | undefined> {
  const inside = join(folder, "disk");
  const mountPoint = join(folder, "recordings");
  await mkdir(inside, { recursive: true });
  await mkdir(mountPoint, { recursive: true });
  const disk = memoryDisk(inside, `${megabytes}m`);
  if (disk === undefined) return undefined;
  const bringBack = () => system("mount", "--bind", inside, mountPoint);
  bringBack();
  let isThere = true;
  const takeAway = () => {
    if (isThere) system("umount", "--lazy", mountPoint);
    isThere = false;
  };
  return {
    inside,
    mountPoint,
    takeAway,
    bringBack: () => {
      bringBack();
      isThere = true;
    },
    readOnly: (yes) => system("mount", "-o", `remount,${yes ? "ro" : "rw"}`, inside),
    [Symbol.asyncDispose]: async () => {
      takeAway();
      await disk[Symbol.asyncDispose]();
    },
  };
}

function system(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: "ignore" });
}
