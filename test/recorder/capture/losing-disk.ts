import { execFileSync } from "node:child_process";
import { copyFile, mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";

const MIB = 1024 * 1024;
const IMAGE_BYTES = 32 * MIB;
const BLOCK_BYTES = 4096;

/** A file system whose disk fails for a while: data written to the end of a file meanwhile does not reach it. */
export interface LosingDisk extends AsyncDisposable {
  readonly mountPoint: string;
  /** From now on the end of a file cannot be written: of what is on the disk already the second half, and what follows. */
  loseEndOf(file: string): Promise<void>;
  /** The disk takes and gives everything again. What it did not take is lost. */
  recover(): Promise<void>;
  /** Names in its folder that a loss of power in this moment would leave. */
  namesAfterPowerLoss(): Promise<readonly string[]>;
  /** Acts as a restart of the machine: data that was only in memory is gone. */
  remount(): void;
}

/** @returns in words why there is none, where this machine does not allow for it */
export async function losingDisk(folder: string): Promise<LosingDisk | string> {
  const image = join(folder, "disk.img");
  const mountPoint = join(folder, "disk");
  await mkdir(mountPoint, { recursive: true });
  await writeFile(image, "");
  await truncate(image, IMAGE_BYTES);
  let device = "";
  const resize = async (bytes: number) => {
    await truncate(image, bytes);
    system("losetup", "--set-capacity", device);
  };
  const mount = () => system("mount", device, mountPoint);
  const unmount = () => system("umount", mountPoint);
  try {
    // A journal would make the whole file system read-only with the first failure.
    system("mkfs.ext4", "-q", "-F", "-b", String(BLOCK_BYTES), "-O", "^has_journal", image);
    device = system("losetup", "--find", "--show", image).trim();
    mount();
  } catch (error) {
    if (device !== "") system("losetup", "--detach", device);
    return `a file system on a loop device needs root, e2fsprogs and loop devices: ${String(error)}`;
  }
  return {
    mountPoint,
    async loseEndOf(file) {
      system("sync", "--file-system", file);
      const { from, to } = placeOf(system("filefrag", "-v", `-b${BLOCK_BYTES}`, file));
      await resize(Math.floor((from + to) / 2) * BLOCK_BYTES);
    },
    recover: () => resize(IMAGE_BYTES),
    async namesAfterPowerLoss() {
      const copy = `${image}.copy`;
      await copyFile(image, copy);
      // Each as /inode/mode/owner/group/name/size/
      const told = system("debugfs", "-R", "ls -p /", copy).split("\n");
      return told.map((line) => line.split("/")[5] ?? "").filter((name) => /^[^.]/.test(name));
    },
    remount() {
      unmount();
      mount();
    },
    async [Symbol.asyncDispose]() {
      unmount();
      system("losetup", "--detach", device);
    },
  };
}

/** The physical blocks of a file, as filefrag tells them: on a disk with nothing else they are in a row. */
function placeOf(told: string): { readonly from: number; readonly to: number } {
  const pieces = [...told.matchAll(/^\s*\d+:\s*\d+\.\.\s*\d+:\s*(\d+)\.\.\s*(\d+):/gm)];
  const blocks = pieces.flatMap(([, from, to]) => [Number(from), Number(to)]);
  if (blocks.length === 0) throw new Error(`the file has no place on the disk:\n${told}`);
  return { from: Math.min(...blocks), to: Math.max(...blocks) };
}

function system(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
