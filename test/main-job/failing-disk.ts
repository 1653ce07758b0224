import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

/** A file system that turns read-only by itself, as ext4 does when its disk fails under it (`errors=remount-ro`). */
export interface FailingDisk extends AsyncDisposable {
  readonly mountPoint: string;
  /** Written data is on the disk itself. */
  sync(): void;
  /** From now on nothing can be written; what the kernel still had in memory is lost with the next unmounting. */
  fail(): Promise<void>;
  /** Unmounts, checks and mounts again, as a person would. @returns false while something still uses it */
  repair(): boolean;
}

/** @returns in words why there is none, where this machine does not allow for it */
export async function failingDisk(folder: string, megabytes: number): Promise<FailingDisk | string> {
  const image = join(folder, "disk.img");
  const mountPoint = join(folder, "recordings");
  await mkdir(mountPoint, { recursive: true });
  await writeFile(image, "");
  await truncate(image, megabytes * 1024 * 1024);
  let device: string;
  try {
    system("mkfs.ext4", "-q", "-F", image);
    device = system("losetup", "--find", "--show", image).trim();
  } catch (error) {
    return `an ext4 file system on a loop device needs root, e2fsprogs and loop devices: ${String(error)}`;
  }
  // Nothing but a loop device of this test is ever made to fail.
  if (!/^\/dev\/loop\d+$/.test(device)) return `${device} is no loop device`;
  // It lasts as long as the file system is mounted in any namespace.
  const kernelsFolder = `/sys/fs/ext4/${basename(device)}`;
  let isMounted = false;
  const mount = () => {
    system("mount", "-o", "errors=remount-ro", device, mountPoint);
    isMounted = true;
  };
  const release = () => system("losetup", "--detach", device);
  try {
    // Namespaces that follow this folder let the disk go together with us: `CLONED_MOUNTS`.
    system("mount", "--bind", "--make-shared", folder, folder);
    mount();
  } catch (error) {
    release();
    return `an ext4 file system cannot be mounted here: ${String(error)}`;
  }
  return {
    mountPoint,
    sync: () => system("sync", "--file-system", mountPoint),
    fail: () => writeFile(join(kernelsFolder, "trigger_fs_error"), "1"),
    repair() {
      try {
        if (isMounted) system("umount", mountPoint);
      } catch {
        return false;
      }
      isMounted = false;
      if (existsSync(kernelsFolder)) return false;
      try {
        system("fsck.ext4", "-y", device);
      } catch {
        // Its status shows whether it has repaired something.
      }
      mount();
      return true;
    },
    async [Symbol.asyncDispose]() {
      if (isMounted) system("umount", "--lazy", mountPoint);
      system("umount", "--lazy", folder);
      release();
    },
  };
}

function system(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
