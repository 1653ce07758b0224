import { execFile } from "node:child_process";
import { mkdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { pauseMs } from "./contender.ts";

const run = promisify(execFile);
/** Sparse: it takes what is written. */
const DISK_BYTES = 8 * 2 ** 30;

export interface Disk extends AsyncDisposable {
  /** Bytes written to it so far. */
  written(): Promise<number>;
  /** Nothing is written to it, and whoever writes waits, until `ms` have passed. */
  stall(ms: number): Promise<void>;
}

/** Makes an ext4 in a file, and mounts it. Only root may do that. */
export async function mountDisk(image: string, at: string): Promise<Disk> {
  await mkdir(at);
  await writeFile(image, "");
  await truncate(image, DISK_BYTES);
  await run("mkfs.ext4", ["-q", "-F", image]);
  const { stdout } = await run("losetup", ["--find", "--show", image]);
  const device = stdout.trim();
  await run("mount", [device, at]);
  const statistics = join("/sys/block", device.slice("/dev/".length), "stat");
  return {
    written: async () => {
      await run("sync", ["--file-system", at]);
      // Sectors of 512 bytes, whatever the device has (Documentation/block/stat.rst).
      return 512 * Number((await readFile(statistics, "utf8")).trim().split(/\s+/)[6]);
    },
    stall: async (ms) => {
      await run("fsfreeze", ["--freeze", at]);
      await pauseMs(ms);
      await run("fsfreeze", ["--unfreeze", at]);
    },
    [Symbol.asyncDispose]: async () => {
      await run("umount", ["--lazy", at]);
      await run("losetup", ["--detach", device]);
      await rm(image);
    },
  };
}
