import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MIGRATION_LIMITS } from "../../src/migration/limits.ts";
import { openOrigin } from "../../src/migration/origin-folders.ts";

describe("the folders of another recorder", () => {
  let base: string;
  let settings: string;
  let recordings: string;

  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), "origin-"));
    settings = join(base, "settings");
    recordings = join(base, "recordings");
    await mkdir(join(settings, "dvr"), { recursive: true });
    await mkdir(join(recordings, "News"), { recursive: true });
    await writeFile(join(settings, "dvr", "one"), "{}");
    await writeFile(join(recordings, "News", "a.ts"), "abc");
    await writeFile(join(base, "secret"), "password");
  });

  afterEach(() => rm(base, { recursive: true }));

  it("gives texts and sorted names, by relative and absolute paths", async () => {
    const folders = await openOrigin([settings, recordings]);
    await writeFile(join(settings, "dvr", "0"), "");
    expect(await folders.names("dvr")).toEqual(["0", "one"]);
    expect(await folders.text("dvr/one")).toBe("{}");
    expect(await folders.text(join(recordings, "News", "a.ts"))).toBe("abc");
  });

  it("reads lines that are not UTF-8 as ISO-8859-1", async () => {
    const lines = [Buffer.from("Größe\n"), Buffer.from("Größe\n", "latin1")];
    await writeFile(join(settings, "mixed"), Buffer.concat(lines));
    expect(await (await openOrigin([settings])).text("mixed")).toBe("Größe\nGröße\n");
  });

  it("gives the content of a large file in parts, unpacked", async () => {
    await writeFile(join(settings, "plain"), "abc");
    await writeFile(join(settings, "packed.gz"), gzipSync("abc"));
    const folders = await openOrigin([settings]);
    for (const name of ["plain", "packed.gz"]) {
      const parts: Uint8Array[] = [];
      for await (const part of (await folders.content(name)) ?? []) parts.push(part);
      expect(Buffer.concat(parts).toString()).toBe("abc");
    }
    expect(await folders.content("missing")).toBeUndefined();
    await expect(folders.content("dvr")).rejects.toThrow("is not a regular file");
    await expect(folders.content("../secret")).rejects.toThrow("outside of the folders");
  });

  it("knows folders by their real paths", async () => {
    await symlink(join(settings, "dvr"), join(settings, "link"));
    const folders = await openOrigin([settings]);
    expect(await folders.folder("link")).toBe(join(settings, "dvr"));
    expect(await folders.folder("dvr/one")).toBeUndefined();
    expect(await folders.folder("nowhere")).toBeUndefined();
    await expect(folders.folder("..")).rejects.toThrow("outside of the folders");
  });

  it("knows what is not there", async () => {
    const folders = await openOrigin([settings]);
    expect(await folders.text("dvr/two")).toBeUndefined();
    expect(await folders.names("dvb")).toEqual([]);
    expect(await folders.recorded("/nowhere/b.ts")).toBe("is missing");
  });

  it("reads nothing through a symbolic link that leads out", async () => {
    await symlink(join(base, "secret"), join(settings, "dvr", "link"));
    await symlink(base, join(settings, "up"));
    const folders = await openOrigin([settings]);
    await expect(folders.text("dvr/link")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    await expect(folders.text("up/secret")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    await expect(folders.text("../secret")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    await expect(folders.names("up")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(await folders.recorded(join(settings, "dvr", "link"))).toContain("outside of the folders");
    expect(await folders.recorded("/etc/passwd")).toContain("outside of the folders");
  });

  it("follows a symbolic link within the folders, and names the real file", async () => {
    await symlink(join(recordings, "News"), join(settings, "news"));
    const folders = await openOrigin([settings, recordings]);
    expect(await folders.recorded("news/a.ts")).toMatchObject({
      file: join(recordings, "News", "a.ts"),
      bytes: 3,
    });
  });

  it("finds a file of another machine by the last parts of its path", async () => {
    const folders = await openOrigin([settings, recordings]);
    expect(await folders.recorded("/home/hts/tv/News/a.ts")).toMatchObject({
      file: join(recordings, "News", "a.ts"),
    });
    expect(await folders.recorded("/home/hts/../../secret")).toBe("is missing");
  });

  it("refuses what is too large, a pipe, and a folder in the place of a file", async () => {
    await writeFile(join(settings, "large"), "");
    await truncate(join(settings, "large"), MIGRATION_LIMITS.textBytes + 1);
    execFileSync("mkfifo", [join(settings, "pipe")]);
    const folders = await openOrigin([settings]);
    await expect(folders.text("large")).rejects.toThrow("has more than");
    await expect(folders.text("pipe")).rejects.toThrow("is a pipe, not a file");
    await expect(folders.text("dvr")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(await folders.recorded("pipe")).toBe("is not a regular file");
    await expect(openOrigin([join(settings, "large")])).rejects.toThrow("is not a folder");
  });

  it("leaves no trace", async () => {
    const before = await readdir(settings, { recursive: true });
    const folders = await openOrigin([settings, recordings]);
    await folders.text("dvr/one");
    await folders.text("dvr/two");
    await folders.recorded("News/b.ts");
    expect(await readdir(settings, { recursive: true })).toEqual(before);
  });
});
