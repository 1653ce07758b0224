import { once } from "node:events";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo, createServer as createNetServer } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { askSnapshot } from "../../src/recorder/api/ask.ts";
import { Config } from "../../src/recorder/config/schema.ts";
import { writeSecrets } from "../../src/recorder/config/secrets.ts";
import { openDaemon } from "../../src/recorder/daemon.ts";
import { temporaryFolder } from "./recorder.ts";

const clock = systemClock();
const parts = { clock, log: silentLog };

async function configured(
  folder: string,
  { guideUrl = "http://127.0.0.1:9", socket = join(folder, "control.sock") } = {},
): Promise<Config> {
  const data = join(folder, "data");
  await mkdir(data, { recursive: true });
  await writeSecrets(data, { apiKey: "key", account: { email: "viewer@sim.example", token: "token" } });
  return Config.parse({
    guide: { url: guideUrl, regionId: 1, sync: "* * * * * *" },
    recordings: { folder },
    tuners: [{ kind: "mock", id: "sim-1", broadcaster: "http://127.0.0.1:9" }],
    data: { folder: data },
    control: { socket },
  });
}

/** A guide service that takes every request and answers none. */
async function silentGuide(): Promise<{ readonly server: Server; readonly url: string } & AsyncDisposable> {
  const server = createServer(() => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

it("the daemon stops cleanly while the guide service does not answer", async () => {
  await using folder = await temporaryFolder();
  await using guide = await silentGuide();
  await using daemon = await openDaemon(await configured(folder.path, { guideUrl: guide.url }), parts);
  const told = new AbortController();
  const running = daemon.run(told.signal);
  await once(guide.server, "request");
  told.abort();
  await expect(running).resolves.toBeUndefined();
});

it("the daemon leaves nothing open after a failed start: the next try can lock the data folder", async () => {
  await using folder = await temporaryFolder();
  const socket = join(folder.path, "missing", "control.sock");
  const failing = openDaemon(await configured(folder.path, { socket }), parts);
  await expect(failing).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
  await using daemon = await openDaemon(await configured(folder.path), parts);
  expect(daemon.snapshot().recordings).toEqual([]);
});

it("the daemon ends before its work begins if stopped during the start", async () => {
  await using folder = await temporaryFolder();
  await using daemon = await openDaemon(await configured(folder.path), parts);
  await expect(daemon.run(AbortSignal.abort())).resolves.toBeUndefined();
});

it("the daemon replaces the socket of a dead daemon, but no other file", async () => {
  await using folder = await temporaryFolder();
  const config = await configured(folder.path);
  const left = createNetServer();
  left.listen(config.control.socket);
  await once(left, "listening");
  await rename(config.control.socket, `${config.control.socket}.kept`);
  left.close();
  await once(left, "close");
  await rename(`${config.control.socket}.kept`, config.control.socket);
  {
    await using daemon = await openDaemon(config, parts);
    expect(daemon.snapshot().recordings).toEqual([]);
  }
  await writeFile(config.control.socket, "precious");
  await expect(openDaemon(config, parts)).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
  expect(await readFile(config.control.socket, "utf8")).toBe("precious");
});

it("R-08 the daemon raises an alarm if its document is missing although its history exists", async () => {
  await using folder = await temporaryFolder();
  const config = await configured(folder.path);
  const ledger = join(config.data.folder, "ledger");
  const errors: string[] = [];
  const log = { ...silentLog, error: (text: string) => void errors.push(text) };
  {
    await using _first = await openDaemon(config, { clock, log });
  }
  expect(errors).toEqual([]);
  const fact = { at: clock.now(), fact: "started", facts: {} };
  await writeFile(join(ledger, "ledger-000001.jsonl"), `${JSON.stringify(fact)}\n`);
  await using _second = await openDaemon(config, { clock, log });
  expect(errors).toEqual([expect.stringContaining("starts without its plan")]);
});

it("the daemon does not take the socket of a running daemon with another data folder", async () => {
  await using mine = await temporaryFolder();
  await using other = await temporaryFolder();
  const config = await configured(mine.path);
  await using first = await openDaemon(config, parts);
  const second = openDaemon(await configured(other.path, { socket: config.control.socket }), parts);
  await expect(second).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
  const { signal } = new AbortController();
  const { startedAt } = await askSnapshot(config.control.socket, { clock, signal });
  expect(startedAt).toBe(first.snapshot().startedAt);
});
