import { execFileSync } from "node:child_process";
import * as nodeFs from "node:fs/promises";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type DraftFs,
  isPlaced,
  place,
  removeDrafts,
} from "../../../../src/recorder/subsystems/library/drafts.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-drafts-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A file system that refuses links as FAT does. */
const LINKLESS: DraftFs = {
  ...nodeFs,
  link: async () => {
    throw Object.assign(new Error("no links"), { code: "EPERM" });
  },
};

async function drafted(root: string) {
  const work = join(root, ".recorderd");
  await mkdir(work);
  const names = { draft: join(work, "job-7.mkv"), target: join(root, "Show.mkv") };
  await writeFile(names.draft, "film");
  return { work, names };
}

async function keepsItsPromise(root: string, fs: DraftFs): Promise<void> {
  const { work, names } = await drafted(root);
  expect(await isPlaced(names, fs)).toBe(false);
  await place(names, fs);
  expect(await readFile(names.target, "utf8")).toBe("film");
  expect(await isPlaced(names, fs)).toBe(true);
  await removeDrafts(work, (id) => id === 7);
  expect(await readdir(work)).toEqual([]);
  expect(await readFile(names.target, "utf8")).toBe("film");
  // The draft is gone, and with it the proof that the target is ours: the target counts as foreign and stays.
  expect(await isPlaced(names, fs)).toBe(false);
  await writeFile(names.draft, "another");
  await expect(place(names, fs)).rejects.toThrow("already exists: move it away");
  expect(await readFile(names.target, "utf8")).toBe("film");
  expect(await isPlaced(names, fs)).toBe(false);
}

describe.each([
  ["with links", nodeFs as DraftFs],
  ["without links", LINKLESS],
])("a result on a file system %s", (_name, fs) => {
  it("R-29 gets its name without replacing a file, and is recognised until its draft is removed", () =>
    keepsItsPromise(folder, fs));

  it("is not recognised by a note alone: the file may be foreign", async () => {
    const { names } = await drafted(folder);
    await place(names, fs);
    await rm(names.target);
    expect(await isPlaced(names, fs)).toBe(false);
    await writeFile(names.target, "longer than the film");
    expect(await isPlaced(names, fs)).toBe(false);
    await writeFile(names.target, "eggs");
    await utimes(names.target, 1, 1);
    expect(await isPlaced(names, fs)).toBe(false);
  });
});

it("a result is made again if its renaming was interrupted", async () => {
  const { names } = await drafted(folder);
  const dying: DraftFs = {
    ...LINKLESS,
    rename: async () => {
      throw Object.assign(new Error("cut off"), { code: "EIO" });
    },
  };
  await expect(place(names, dying)).rejects.toMatchObject({ code: "WRITE_FAILED" });
  expect(await isPlaced(names)).toBe(false);
  await expect(stat(names.target)).rejects.toThrow("ENOENT");
  await rename(names.draft, `${names.draft}.aside`);
  expect(await isPlaced(names)).toBe(false);
});

it("R-29 a result gets its name on a real exFAT, which has no links", async (context) => {
  await using disk = await exfat(folder);
  if (disk === undefined) return context.skip("needs root, /dev/fuse, exfat-fuse and exfatprogs");
  await expect(nodeFs.link(disk.probe, `${disk.probe}.link`)).rejects.toMatchObject({ code: "EPERM" });
  await rm(disk.probe);
  await keepsItsPromise(disk.mountPoint, nodeFs);
});

interface Disk extends AsyncDisposable {
  readonly mountPoint: string;
  /** A file on it. */
  readonly probe: string;
}

/** `undefined` where it cannot be made or mounted here. */
async function exfat(root: string): Promise<Disk | undefined> {
  const [image, mountPoint] = [join(root, "image"), join(root, "disk")];
  const run = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" }).trim();
  await writeFile(image, "");
  await nodeFs.truncate(image, 16 * 1024 * 1024);
  await mkdir(mountPoint);
  let device: string | undefined;
  try {
    run("mkfs.exfat", image);
    device = run("losetup", "--find", "--show", image);
    run("mount.exfat-fuse", device, mountPoint);
  } catch {
    if (device !== undefined) run("losetup", "--detach", device);
    return undefined;
  }
  const loop = device;
  const probe = join(mountPoint, "probe");
  await writeFile(probe, "");
  return {
    mountPoint,
    probe,
    [Symbol.asyncDispose]: async () => {
      run("umount", mountPoint);
      run("losetup", "--detach", loop);
    },
  };
}

it("R-29 a result is not placed if the system cannot tell whether the file exists", async () => {
  const { names } = await drafted(folder);
  await writeFile(names.target, "precious");
  const fs: DraftFs = {
    ...LINKLESS,
    stat: (async (file: string) => {
      if (file !== names.target) return stat(file);
      throw Object.assign(new Error("the disk fails"), { code: "EIO" });
    }) as DraftFs["stat"],
  };
  await expect(place(names, fs)).rejects.toMatchObject({ code: "WRITE_FAILED" });
  expect(await readFile(names.target, "utf8")).toBe("precious");
});
