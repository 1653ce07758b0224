import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DurableFile } from "../../../src/kit/files/durable-file.ts";
import { makeFolder } from "../../../src/kit/files/make-folder.ts";
import { openPlainFile, plainText, refuseSpecialTarget } from "../../../src/kit/files/plain-file.ts";
import { decompressed } from "../../../src/kit/files/unpack.ts";
import { readWholeFile } from "../../../src/kit/files/whole-read.ts";

let folder = "";
const server = createServer();
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-plain-"));
  execFileSync("mkfifo", [at("pipe")]);
  await mkdir(at("folder"));
  await symlink("/dev/zero", at("device"));
  await symlink(at("gone"), at("link"));
  await writeFile(at("file"), "0123456789");
  await once(server.listen(at("socket")), "listening");
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const KINDS = [
  ["pipe", "a pipe"],
  ["folder", "a folder"],
  ["device", "a device"],
  ["socket", "a socket"],
] as const;

describe("a path of a person that is no file", () => {
  it.each(KINDS)("is refused for reading: a %s", async (name, what) => {
    const refusal = { code: "FILE_UNREADABLE", message: `${at(name)} is ${what}, not a file.` };
    const signal = new AbortController().signal;
    await expect(openPlainFile(at(name))).rejects.toMatchObject(refusal);
    const said = name === "pipe" ? `${at(name)} is a pipe, and nothing was written to it.` : refusal.message;
    await expect(plainText(at(name), 100)).rejects.toMatchObject({ ...refusal, message: said });
    await expect(readWholeFile(at(name), { take: () => true }, signal)).rejects.toMatchObject(refusal);
    await expect(decompressed(at(name), { bytesMax: 100 }).next()).rejects.toMatchObject(refusal);
  });

  it.each(KINDS)("is not replaced: a %s", async (name, what) => {
    const refusal = { code: "WRITE_FAILED", message: expect.stringContaining(` is ${what}, not a file: `) };
    const { ino } = await stat(at(name));
    await expect(refuseSpecialTarget(at(name))).rejects.toMatchObject(refusal);
    await expect(new DurableFile({ file: at(name) }).replace("new")).rejects.toMatchObject(refusal);
    expect((await stat(at(name))).ino).toBe(ino);
  });

  it("may be a link that leads nowhere, or a new name", async () => {
    await expect(plainText(at("link"), 100)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    await refuseSpecialTarget(at("link"));
    await refuseSpecialTarget(at("new"));
  });
});

describe("a file", () => {
  it("is read up to a limit, also in /proc, where all sizes are 0", async () => {
    expect(await plainText(at("file"), 10)).toBe("0123456789");
    await expect(plainText(at("file"), 9)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(await plainText("/proc/self/comm", 100)).toBe(await readFile("/proc/self/comm", "utf8"));
    await expect(plainText("/proc/self/pagemap", 100)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("may be a pipe that another program has written, up to the same limit", async () => {
    const written = async (bytesMax: number) => {
      // Like a shell with `<(printf 0123456789)`: it keeps the pipe, and its writer ends.
      const kept = openSync(at("pipe"), constants.O_RDONLY | constants.O_NONBLOCK);
      writeFileSync(at("pipe"), "0123456789");
      return await plainText(`/proc/self/fd/${kept}`, bytesMax).finally(() => closeSync(kept));
    };
    expect(await written(10)).toBe("0123456789");
    await expect(written(9)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("that grows while it is read is read up to the size that it had", async () => {
    await writeFile(at("growing"), "x".repeat(1000));
    let bytes = 0;
    const take = (portion: Buffer) => {
      bytes += portion.length;
      execFileSync(
        "dd",
        ["if=/dev/zero", `of=${at("growing")}`, "bs=1000", "count=1", "oflag=append", "conv=notrunc"],
        {
          stdio: "ignore",
        },
      );
      return true;
    };
    const state = await readWholeFile(at("growing"), { take }, new AbortController().signal);
    expect([bytes, state]).toEqual([1000, undefined]);
    await truncate(at("growing"), 0);
  });
});

describe("a folder that is created", () => {
  it("gets the missing ones above it, and the mode", async () => {
    expect(await makeFolder(at("one/two/three"), 0o700)).toBe(at("one"));
    expect((await stat(at("one/two/three"))).mode & 0o777).toBe(0o700);
    expect(await makeFolder(at("one/two/three"), 0o700)).toBeUndefined();
    expect(await makeFolder(at("one/two/four"))).toBe(at("one/two/four"));
  });

  it("in /proc, below a file or below a link that leads nowhere is refused, and does not spin", async () => {
    await expect(makeFolder("/proc/recorderd")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(makeFolder("/proc/recorderd/deeper")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(makeFolder(at("file"))).rejects.toMatchObject({ code: "EEXIST" });
    await expect(makeFolder(at("file/deeper"))).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(makeFolder(at("link"))).rejects.toMatchObject({ code: "EEXIST" });
  });

  it("is created so by all of the program", async () => {
    const sources = (await readdir("src", { recursive: true })).filter((name) => /\.tsx?$/.test(name));
    const found: string[] = [];
    for (const name of sources)
      if (/mkdir(Sync)?\([^;]*recursive: true/.test(await readFile(join("src", name), "utf8")))
        found.push(name);
    expect(found).toEqual([]);
  });
});
