import { execFileSync } from "node:child_process";
import { truncate } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DurableFile } from "../../../src/kit/files/durable-file.ts";
import { FILES_LIMITS } from "../../../src/kit/files/limits.ts";
import { open, readFile, steadyFs, writeFile } from "../../../src/kit/files/steady-fs.ts";
import { openSqlite } from "../../../src/kit/sqlite.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { readSecrets } from "../../../src/recorder/config/secrets.ts";
import { ChangeLog } from "../../../src/recorder/store/change-log.ts";
import { openLedger, readLedger } from "../../../src/recorder/store/ledger.ts";
import { PastFile } from "../../../src/recorder/store/past-file.ts";
import { openSignOfLife } from "../../../src/recorder/store/sign-of-life.ts";
import { temporaryFolder } from "../../main-job/recorder.ts";

describe("opening a file under whose name there is something else", () => {
  it("refuses a pipe at once, whether it is read or written", async () => {
    await using folder = await temporaryFolder();
    const pipe = join(folder.path, "pipe");
    execFileSync("mkfifo", [pipe]);
    const message = `${pipe} is a pipe, not a file.`;
    await expect(readFile(pipe)).rejects.toMatchObject({ code: "FILE_UNREADABLE", message });
    for (const flags of ["r+", "w", "a", "a+"] as const)
      await expect(open(pipe, flags)).rejects.toMatchObject({ code: "WRITE_FAILED", message });
    await expect(writeFile(pipe, "text")).rejects.toMatchObject({ code: "WRITE_FAILED", message });
  });

  it("refuses a pipe in place of every document of the data folder", async () => {
    await using folder = await temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    const names = ["document.json", "document.json.past-1", "document.json.log-00000000", "secrets.yaml"];
    for (const name of [...names, "ledger-000001.jsonl", "alive"]) execFileSync("mkfifo", [at(name)]);
    const readings: Readonly<Record<string, () => Promise<unknown>>> = {
      document: () => new DurableFile({ file: at("document.json") }).read((text) => text),
      past: () => new PastFile(at("document.json")).files(),
      log: () => new ChangeLog(at("document.json")).files(),
      secrets: () => readSecrets(folder.path),
      history: () => readLedger(folder.path).next(),
      ledger: () => openLedger({ folder: folder.path }),
    };
    for (const [name, read] of Object.entries(readings))
      await expect(read(), name).rejects.toThrow(/^\/\S+ is a pipe, not a file\.$/);
    const sign = await openSignOfLife(at("alive"), systemClock());
    await sign.renew();
  });

  it.each(["guide.db", "guide.db-wal"])("refuses a pipe in place of a database: %s", async (name) => {
    await using folder = await temporaryFolder();
    execFileSync("mkfifo", [join(folder.path, name)]);
    const file = join(folder.path, "guide.db");
    await expect(openSqlite({ file, durability: "full", cacheKiB: 100 })).rejects.toMatchObject({
      message: `${join(folder.path, name)} is a pipe, not a file.`,
    });
  });

  it("refuses a sidecar that would fill the memory, but no document", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "a.json");
    await writeFile(file, "");
    await truncate(file, FILES_LIMITS.wholeBytes + 1);
    const message = `${file} is larger than ${FILES_LIMITS.wholeBytes} bytes.`;
    await expect(readFile(file, "utf8")).rejects.toMatchObject({ code: "FILE_UNREADABLE", message });
    expect(await steadyFs.readFile(file)).toHaveLength(FILES_LIMITS.wholeBytes + 1);
  });

  it("refuses sockets and devices, and opens folders", async () => {
    await using folder = await temporaryFolder();
    const socket = join(folder.path, "socket");
    const server = createServer().listen(socket);
    await new Promise((resolve) => server.once("listening", resolve));
    await expect(open(socket)).rejects.toMatchObject({ message: `${socket} is a socket, not a file.` });
    server.close();
    await expect(readFile("/dev/zero")).rejects.toMatchObject({
      message: "/dev/zero is a device, not a file.",
    });
    await using _folder = await open(folder.path);
  });

  it("writes and reads a regular file", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "file");
    await writeFile(file, "longer text", { mode: 0o600, flush: true });
    await writeFile(file, "text");
    expect(await readFile(file, "utf8")).toBe("text");
    await using handle = await open(file);
    expect((await handle.stat()).mode & 0o777).toBe(0o600);
  });
});
