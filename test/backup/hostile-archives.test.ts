import { spawnSync } from "node:child_process";
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unpack } from "../../src/backup/archive.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { RecorderdError } from "../../src/model/errors.ts";
import { memoryDisk, NO_MOUNT } from "../memory-disk.ts";

let folder: string;
let inside: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-archive-"));
  inside = join(folder, "inside");
  await mkdir(inside);
  await mkdir(join(folder, "from", "recorder"), { recursive: true });
  await writeFile(join(folder, "from", "backup.json"), "{}");
  await writeFile(join(folder, "from", "recorder", "document.json"), "x".repeat(2000));
  await writeFile(join(folder, "outside"), "as it was");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Packs `from` with more arguments of tar. */
function packed(...more: readonly string[]): Buffer {
  const { stdout, status } = spawnSync("tar", ["-c", "-C", join(folder, "from"), ...more]);
  expect(status).toBe(0);
  return stdout;
}

/** @returns the reason of the refusal; nothing if the archive was unpacked */
async function refused(archive: Buffer): Promise<RecorderdError | undefined> {
  const file = join(folder, "a.tar.gz");
  await writeFile(file, gzipSync(archive));
  const parts = { clock: systemClock(), signal: new AbortController().signal };
  try {
    await unpack(file, inside, parts);
    return undefined;
  } catch (error) {
    if (error instanceof RecorderdError) return error;
    throw error;
  }
}

/** A header of a file, with the size as it is written. */
function header(path: string, size: string): Buffer {
  const block = Buffer.alloc(512);
  block.write(path);
  block.write("0000600\0", 100);
  block.write(size, 124, "latin1");
  block.write("        0ustar  \0", 148, "latin1");
  block.write("ustar  \0", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

const END = Buffer.alloc(1024);

describe("unpacking an archive", () => {
  it.each(["gnu", "ustar"])("restores the %s format of tar with all file contents", async (format) => {
    expect(await refused(packed(`--format=${format}`, "."))).toBeUndefined();
    expect(await readFile(join(inside, "recorder", "document.json"), "utf8")).toBe("x".repeat(2000));
  });

  it("stops at the end of the archive, whatever follows", async () => {
    const bomb = Buffer.alloc(64 * 1024 * 1024, 1);
    expect(await refused(Buffer.concat([packed("."), bomb]))).toBeUndefined();
    expect(await readdir(inside)).toEqual(["backup.json", "recorder"]);
  });
});

describe("an unpacked archive that is refused leaves other files untouched", () => {
  const made: Readonly<Record<string, () => Promise<Buffer>>> = {
    "with a symbolic link": async () => {
      await symlink("/etc/passwd", join(folder, "from", "recorderd.yaml"));
      return packed(".");
    },
    "with a folder that is a symbolic link": async () => {
      await rm(join(folder, "from", "recorder"), { recursive: true });
      await symlink(folder, join(folder, "from", "recorder"));
      return Buffer.concat([
        packed("./recorder").subarray(0, 512),
        header("recorder/document.json", "00000000000"),
        END,
      ]);
    },
    "with a hard link": async () => {
      await link(join(folder, "from", "backup.json"), join(folder, "from", "recorderd.yaml"));
      return packed("./backup.json", "./recorderd.yaml");
    },
    "with a pipe, which nobody would ever write to": async () => {
      spawnSync("mkfifo", [join(folder, "from", "recorderd.yaml")]);
      return packed(".");
    },
    "with a name that leads out": async () => packed("-P", "--transform", "s,^,../,", "backup.json"),
    "with a name from the root": async () =>
      packed("-P", "--transform", `s,^,${folder}/outside,`, "backup.json"),
    "with a name that no backup has": async () => packed("--transform", "s,backup,evil,", "backup.json"),
    "with a file that is in it twice": async () => packed("backup.json", "backup.json", "--hard-dereference"),
    "with an extended header": async () => packed("--format=pax", "."),
    "with a list of files that no memory takes": async () => header("backup.json", "77777777777\0"),
    "with a negative size": async () => header("recorder/document.json", "\xff".repeat(12)),
    "with a size that is no number": async () => header("recorder/document.json", "0x000000fff\0"),
    "that ends in a file": async () => packed(".").subarray(0, 1800),
    "without an end": async () => Buffer.concat([header("backup.json", "00000000000\0")]),
    "with a damaged header": async () =>
      Buffer.from(packed(".").map((byte, at) => (at === 3 ? byte ^ 1 : byte))),
  };

  it.each(Object.entries(made))("%s", async (_, make) => {
    expect(await refused(await make())).toMatchObject({ code: "FILE_UNREADABLE" });
    expect(await readFile(join(folder, "outside"), "utf8")).toBe("as it was");
    expect((await readdir(folder)).sort()).toEqual(["a.tar.gz", "from", "inside", "outside"]);
  });

  it("if a file does not fit on the disk", async () => {
    const size = `\x80${"\0".repeat(5)}${"\xff".repeat(6)}`;
    expect(await refused(header("recorder/document.json", size))).toMatchObject({ code: "DISK_FULL" });
    expect(await readdir(inside)).toEqual([]);
  });

  it("if the disk has no room for so many files", async (context) => {
    await using disk = memoryDisk(inside, "1m,nr_inodes=16");
    if (disk === undefined) return context.skip(NO_MOUNT);
    for (let index = 0; index < 40; index += 1)
      await writeFile(join(folder, "from", "recorder", `document.json.past-${index}`), "x");
    const refusal = await refused(packed("."));
    expect(refusal).toMatchObject({
      code: "DISK_FULL",
      message: expect.stringContaining("Nothing was changed. Set TMPDIR"),
    });
  });
});
