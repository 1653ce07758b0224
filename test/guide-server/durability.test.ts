import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Chance } from "../../src/guide-server/demo/chance.ts";
import { openGuideServer } from "../../src/guide-server/server.ts";
import type { Document } from "../../src/guide-wire/documents.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { Kept } from "../kept.ts";
import { casesOf } from "../lane.ts";
import { fillUp, memoryDisk, NO_MOUNT } from "../memory-disk.ts";
import { GUIDE, PASSWORD } from "./hosted.ts";
import { MAIN, type ServerProcess, serverProcess } from "./server-process.ts";
import { Ledger, type Session, signedIn, writeOnce } from "./writers.ts";

const EMAIL = "writer@example.org";
const WRITERS = 50;
const ROUNDS = casesOf({ sample: 1, all: 100 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-durability-"));
});
const servers = new Kept();
afterAll(async () => {
  await servers[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function started(data: string, ...more: readonly string[]): Promise<ServerProcess> {
  return servers.keep(await serverProcess(["--data", data, "--port", "0", ...more]));
}

const viewer = { email: EMAIL, password: PASSWORD };

describe("a killed guide server", () => {
  it("has every acknowledged write of fifty writers after a restart", {
    timeout: 60_000 + ROUNDS * 60_000,
  }, async () => {
    const data = join(folder, "data");
    const now = systemClock().now();
    let deviceId = 0;
    {
      await using server = await openGuideServer({ dataFolder: data, clock: systemClock(), log: silentLog });
      await server.seed({ ...GUIDE, shows: [], series: [] });
      await server.addAccount({ email: EMAIL, password: PASSWORD });
      deviceId = await server.addDevice(EMAIL, { label: "x", type_id: 1 });
    }
    const ledger = new Ledger({ now, channelId: 7 });
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await started(data);
      const session = await signedIn(server.baseUrl, viewer);
      ledger.settle(await listed(session));
      // By the number of answers, not by time: the same seed kills at the same load, whatever the machine.
      const enough =
        ledger.acknowledged + 60 + new Chance("kill", round).below(casesOf({ sample: 200, all: 600 }));
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let turn = 0; ; turn += 1) {
          const name = `${round}-${writer}-${turn}`;
          await writeOnce(session, { ledger, name, deviceId, isShort: turn % 2 === 0 });
          if (ledger.acknowledged >= enough) server.child.kill("SIGKILL");
        }
      });
      const outcomes = await Promise.allSettled(writers);
      // Every writer ends by losing its connection, none by a refusal.
      for (const one of outcomes)
        expect(String(one.status === "rejected" && one.reason)).toContain("TypeError");
      await server.ended;
      expect(ledger.acknowledged).toBeGreaterThanOrEqual(enough);
    }
    const server = await started(data);
    ledger.settle(await listed(await signedIn(server.baseUrl, viewer)));
    expect(ledger.timers).toBeGreaterThan(ROUNDS * 20);
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  it("refuses writes with 503 while the disk is full, and later has all that it acknowledged", async ({
    skip,
  }) => {
    const data = join(folder, "full");
    await mkdir(data);
    await using disk = memoryDisk(data, "2m");
    if (disk === undefined) return skip(NO_MOUNT);
    {
      await using server = await openGuideServer({ dataFolder: data, clock: systemClock(), log: silentLog });
      await server.seed({ ...GUIDE, shows: [], series: [] });
      await server.addAccount({ email: EMAIL, password: PASSWORD });
    }
    const tight = await started(data);
    const { ask } = await signedIn(tight.baseUrl, viewer);
    const release = await fillUp(data);
    const added: number[] = [];
    const failure = await (async () => {
      for (;;) {
        const device = { label: `${added.length}`.padEnd(150, "."), type_id: 1 };
        added.push(JSON.parse(await ask("POST", "/devices", device)).devices[0].id);
      }
    })().catch((error: unknown) => String(error));
    expect(failure).toContain("POST /devices: 503");
    expect(added.length).toBeGreaterThan(0);
    await expect(ask("GET", "/devices")).rejects.toThrowError("503");
    tight.child.kill("SIGTERM");
    await tight.ended;

    await release();
    const roomy = await started(data);
    const { devices } = JSON.parse(await (await signedIn(roomy.baseUrl, viewer)).ask("GET", "/devices"));
    expect(devices.map(({ id }: { readonly id: number }) => id)).toEqual(added);
    roomy.child.kill("SIGTERM");
    await roomy.ended;
  });

  it("creates an account from the command line, and publishes the same demonstration repeatedly", async () => {
    const data = join(folder, "demo");
    const first = await started(data, "--demo", "--seed", "7", "--channels", "4");
    const channels = async ({ baseUrl }: ServerProcess) =>
      (await fetch(`${baseUrl}/regions/channels`)).text();
    const before = await channels(first);
    expect(JSON.parse(before).channels).toHaveLength(4);
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);

    const adding = spawn(
      process.execPath,
      [MAIN, "guide-server", "add-account", "new@example.org", "--data", data],
      {
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    adding.stdin.end(`${PASSWORD}\n`);
    const said = await new Promise<string>((done) => adding.stdout.setEncoding("utf8").once("data", done));
    expect(said).toBe("created account 1 for new@example.org\n");
    await new Promise((done) => adding.on("close", done));

    const again = await started(data, "--demo", "--seed", "7", "--channels", "4");
    expect(await channels(again)).toBe(before);
    await signedIn(again.baseUrl, { ...viewer, email: "new@example.org" });
    again.child.kill("SIGTERM");
    expect(await again.ended).toBe(0);
  });
});

async function listed({ ask }: Session): Promise<Document<"timers">["timers"]> {
  return JSON.parse(await ask("GET", "/shows/timers")).timers;
}
