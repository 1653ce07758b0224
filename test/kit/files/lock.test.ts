import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockFolder } from "../../../src/kit/files/lock.ts";
import { bundledInto } from "../bundled.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-lock-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A process that holds the lock and has started a process of its own; it prints that process's id. */
async function holder(): Promise<{ readonly child: ChildProcess; readonly grandchild: number }> {
  const module = await bundledInto(folder, "src/kit/files/lock.ts");
  const script = `
    import { spawn } from "node:child_process";
    import { lockFolder } from ${JSON.stringify(module)};
    globalThis.lock = await lockFolder(${JSON.stringify(folder)});
    const grandchild = spawn("sleep", ["60"], { detached: true, stdio: "ignore" });
    console.log(grandchild.pid);
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, grandchild: Number(line.toString()) };
}

describe("the lock of a data folder", () => {
  it.each([
    ["a link to a file", (path: string, other: string) => symlink(other, path)],
    ["a dangling link", (path: string, other: string) => symlink(`${other}-new`, path)],
    ["a hard link to a file", (path: string, other: string) => link(other, path)],
    ["a folder", (path: string) => mkdir(path)],
  ])("is refused if %s has its name, without a change there", async (_name, lay) => {
    const other = join(folder, "other");
    await writeFile(other, "somebody's");
    await lay(join(folder, "daemon.lock"), other);
    await expect(lockFolder(folder)).rejects.toMatchObject({ code: "STORE_LOCKED" });
    expect(await readFile(other, "utf8")).toBe("somebody's");
    expect((await readdir(folder)).sort()).toEqual(["daemon.lock", "other"]);
  });

  it("is given to one of many simultaneous callers", async () => {
    const asked = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)));
    const given = asked.filter((result) => result.status === "fulfilled");
    expect(given).toHaveLength(1);
    for (const { value } of given) await value[Symbol.asyncDispose]();
  });

  it("is refused with STORE_LOCKED and the name of its owner", async () => {
    await using _lock = await lockFolder(folder);
    const second = lockFolder(folder);
    await expect(second).rejects.toMatchObject({
      code: "STORE_LOCKED",
      remedy: "stop-daemon",
      facts: { pid: process.pid },
    });
    await expect(second).rejects.toThrow(`process ${process.pid}`);
  });

  it("is given in turn to all brief users", async () => {
    let holders = 0;
    let most = 0;
    const turns = Array.from({ length: 15 }, async () => {
      await using _lock = await lockFolder(folder, { isBrief: true });
      holders += 1;
      most = Math.max(most, holders);
      await readFile(join(folder, "daemon.lock"));
      holders -= 1;
    });
    await Promise.all(turns);
    expect({ holders, most }).toEqual({ holders: 0, most: 1 });
  });

  it("is awaited by a starting daemon while a command has it briefly", async () => {
    const command = await lockFolder(folder, { isBrief: true });
    const daemon = lockFolder(folder);
    await command[Symbol.asyncDispose]();
    await using _daemon = await daemon;
  });

  it("is refused to a command at once while a daemon has it", async () => {
    await using _daemon = await lockFolder(folder);
    const refused = lockFolder(folder, { isBrief: true, waitMs: Number.POSITIVE_INFINITY });
    await expect(refused).rejects.toMatchObject({ facts: { pid: process.pid, keeps: true } });
  });

  it("is refused to a waiting command if a daemon takes it first", async () => {
    const first = await lockFolder(folder, { isBrief: true });
    const daemon = lockFolder(folder, { waitMs: Number.POSITIVE_INFINITY });
    await first[Symbol.asyncDispose]();
    await using _daemon = await daemon;
    await expect(lockFolder(folder, { isBrief: true })).rejects.toMatchObject({ facts: { keeps: true } });
  });

  it("is refused with the owner's name if a brief user does not release it in time", async () => {
    await using _command = await lockFolder(folder, { isBrief: true });
    const refused = lockFolder(folder, { waitMs: 500 });
    await expect(refused).rejects.toMatchObject({
      code: "STORE_LOCKED",
      facts: { pid: process.pid, keeps: false },
    });
    await expect(refused).rejects.toThrow(`still locked after 0.5 s, now by process ${process.pid}`);
  });

  it("is awaited for each brief user anew, so that a long queue of them moves on", async () => {
    const path = process.env["PATH"];
    const tries = join(folder, "tries");
    const counting = `#!/bin/sh\necho >>${tries}\nexport PATH=${path}\nexec flock "$@"\n`;
    await writeFile(join(folder, "flock"), counting, { mode: 0o755 });
    const command = await lockFolder(folder, { isBrief: true });
    process.env["PATH"] = `${folder}:${path}`;
    try {
      // Each try after the first one lasts half a second: without another user, the third one is the last.
      const waiting = lockFolder(folder, { isBrief: true, waitMs: 750 });
      waiting.catch(() => {});
      let users = 0;
      const triesWithUsers = async () => {
        users += 1;
        await utimes(join(folder, "daemon.lock"), users, users);
        return (await readFile(tries, "utf8").catch(() => "")).length;
      };
      await expect.poll(triesWithUsers, { interval: 50 }).toBeGreaterThan(3);
      await command[Symbol.asyncDispose]();
      await using _lock = await waiting;
    } finally {
      process.env["PATH"] = path;
    }
  });

  it("is no longer awaited after an abort", async () => {
    await using _command = await lockFolder(folder, { isBrief: true });
    const off = new AbortController();
    const waiting = lockFolder(folder, { isBrief: true, signal: off.signal });
    off.abort(new Error("called off"));
    await expect(waiting).rejects.toThrow("called off");
  });

  it("can be taken again after release, and a second release is harmless", async () => {
    const first = await lockFolder(folder);
    await first[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    await using _second = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toMatchObject({ code: "STORE_LOCKED" });
  });

  it("is not blocked by the file of a dead process, whatever its contents", async () => {
    await writeFile(join(folder, "daemon.lock"), `${process.ppid}\n`);
    await using _lock = await lockFolder(folder);
    expect(await readFile(join(folder, "daemon.lock"), "utf8")).toBe(`${process.pid}\n`);
  });

  it("R-34 ends with its process, even if child processes continue", async () => {
    const { child, grandchild } = await holder();
    try {
      await expect(lockFolder(folder)).rejects.toMatchObject({ facts: { pid: child.pid } });
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
      expect(process.kill(grandchild, 0)).toBe(true);
      await using _lock = await lockFolder(folder);
    } finally {
      child.kill("SIGKILL");
      process.kill(grandchild, "SIGKILL");
    }
  });

  it("reports a missing folder", async () => {
    const locking = lockFolder(join(folder, "gone"));
    await expect(locking).rejects.toMatchObject({ code: "STORE_LOCKED" });
    await expect(locking).rejects.toThrow("its folder is missing");
  });

  it("names the missing program", async () => {
    const path = process.env["PATH"];
    process.env["PATH"] = folder;
    try {
      await expect(lockFolder(folder)).rejects.toThrow("util-linux");
    } finally {
      process.env["PATH"] = path;
    }
  });
});
