import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Chance } from "../../src/guide-server/demo/chance.ts";
import { openGuideServer } from "../../src/guide-server/server.ts";
import type { Document } from "../../src/guide-wire/documents.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { DAY, formatInstant, SECOND } from "../../src/model/time.ts";
import { casesOf } from "../lane.ts";
import { memoryDisk, NO_MOUNT } from "../memory-disk.ts";
import { GUIDE, PASSWORD } from "./hosted.ts";

const SERVER = [process.execPath, resolve(import.meta.dirname, "../../dist/main.js"), "guide-server"];
const EMAIL = "writer@example.org";
const WRITERS = 50;
const ROUNDS = casesOf({ sample: 1, all: 100 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-durability-"));
});
const children: ChildProcess[] = [];
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

interface Running {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly ended: Promise<number | null>;
}

async function started(data: string, ...more: readonly string[]): Promise<Running> {
  const [command = "", ...words] = SERVER;
  const child = spawn(command, [...words, "--data", data, "--port", "0", ...more], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  const ended = new Promise<number | null>((done) => child.on("close", (code) => done(code)));
  const first = new Promise<string>((done) => child.stdout.setEncoding("utf8").once("data", done));
  const line = await Promise.race([first, ended.then(() => undefined)]);
  if (line === undefined) throw new Error(`the guide server did not start: ${complaints}`);
  return { child, baseUrl: line.trim(), ended };
}

function login(baseUrl: string, email: string): Promise<Response> {
  return fetch(`${baseUrl}/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ member: { email_address: email, password: PASSWORD } }),
  });
}

/** One writer's knowledge of one timer: the messages that the server may hold now, and whether it may or must be gone. */
interface Known {
  readonly messages: ReadonlySet<string>;
  readonly gone: "no" | "maybe" | "yes";
}

/** Takes the room of the folder's disk but for 64 KiB. */
async function fillUp(data: string): Promise<void> {
  const { bavail, bsize } = await statfs(data);
  await writeFile(join(data, "ballast"), Buffer.alloc(bavail * bsize - 64 * 1024));
}

async function requester(baseUrl: string, token: string) {
  return async (method: string, path: string, body?: object) => {
    const query = `email_address=${encodeURIComponent(EMAIL)}&token=${token}`;
    const response = await fetch(`${baseUrl}${path}?${query}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
}

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
    const known = new Map<string, Known>();
    let booked = 0;
    // The same broadcast booked twice would be one timer.
    const broadcast = () => {
      booked += 1;
      return { channel_id: 7, start_time: formatInstant(now + DAY + booked * SECOND), duration_minutes: 60 };
    };
    let token = "";
    for (let round = 0; round < ROUNDS; round += 1) {
      const { child, baseUrl, ended } = await started(data);
      if (token === "") {
        const response = await login(baseUrl, EMAIL);
        token = ((await response.json()) as Document<"login">).member.token;
      }
      const ask = await requester(baseUrl, token);
      checkAll(JSON.parse(await ask("GET", "/shows/timers")).timers, known);

      let acknowledged = 0;
      // By the number of answers, not by time: the same seed kills at the same load, whatever the machine.
      const enough = 60 + new Chance("kill", round).below(600);
      const count = () => {
        acknowledged += 1;
        if (acknowledged === enough) child.kill("SIGKILL");
      };
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let turn = 0; ; turn += 1) {
          const name = `${round}-${writer}-${turn}`;
          const order = { ...broadcast(), device_id: deviceId, message: name };
          const id = JSON.parse(await ask("POST", "/shows/timers", order)).timers[0].id;
          expect(known.has(id)).toBe(false);
          known.set(id, { messages: new Set([name]), gone: "no" });
          count();
          known.set(id, { messages: new Set([name, `${name} told`]), gone: "no" });
          await ask("PUT", `/shows/timers/${id}`, { state: "running", message: `${name} told` });
          known.set(id, { messages: new Set([`${name} told`]), gone: "no" });
          count();
          if (turn % 2 === 1) continue;
          known.set(id, { messages: new Set([`${name} told`]), gone: "maybe" });
          await ask("DELETE", `/shows/timers/${id}`);
          known.set(id, { messages: new Set(), gone: "yes" });
          count();
        }
      });
      const outcomes = await Promise.allSettled(writers);
      // Every writer ends by losing its connection, none by a refusal.
      for (const one of outcomes)
        expect(String(one.status === "rejected" && one.reason)).toContain("TypeError");
      await ended;
      expect(acknowledged).toBeGreaterThanOrEqual(enough);
    }
    const { child, baseUrl, ended } = await started(data);
    const ask = await requester(baseUrl, token);
    checkAll(JSON.parse(await ask("GET", "/shows/timers")).timers, known);
    expect(known.size).toBeGreaterThan(ROUNDS * 20);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
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
    const { token } = ((await (await login(tight.baseUrl, EMAIL)).json()) as Document<"login">).member;
    const ask = await requester(tight.baseUrl, token);
    await fillUp(data);
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

    await rm(join(data, "ballast"));
    const roomy = await started(data);
    const { devices } = JSON.parse(await (await requester(roomy.baseUrl, token))("GET", "/devices"));
    expect(devices.map(({ id }: { readonly id: number }) => id)).toEqual(added);
    roomy.child.kill("SIGTERM");
    await roomy.ended;
  });

  it("creates an account from the command line, and publishes the same demonstration repeatedly", async () => {
    const data = join(folder, "demo");
    const first = await started(data, "--demo", "--seed", "7", "--channels", "4");
    const channels = async ({ baseUrl }: Running) => (await fetch(`${baseUrl}/regions/channels`)).text();
    const before = await channels(first);
    expect(JSON.parse(before).channels).toHaveLength(4);
    first.child.kill("SIGTERM");
    expect(await first.ended).toBe(0);

    const [node = "", ...words] = SERVER;
    const adding = spawn(node, [...words, "add-account", "new@example.org", "--data", data], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    adding.stdin.end(`${PASSWORD}\n`);
    const said = await new Promise<string>((done) => adding.stdout.setEncoding("utf8").once("data", done));
    expect(said).toBe("created account 1 for new@example.org\n");
    await new Promise((done) => adding.on("close", done));

    const again = await started(data, "--demo", "--seed", "7", "--channels", "4");
    expect(await channels(again)).toBe(before);
    expect((await login(again.baseUrl, "new@example.org")).status).toBe(201);
    again.child.kill("SIGTERM");
    expect(await again.ended).toBe(0);
  });
});

function checkAll(timers: Document<"timers">["timers"], known: Map<string, Known>): void {
  const found = new Map(timers.map((timer) => [timer.id, timer]));
  expect(found.size).toBe(timers.length);
  for (const [id, { messages, gone }] of known) {
    const timer = found.get(id);
    // A timer that was read becomes a forget when it is deleted: here none is read before its deletion is answered.
    if (gone === "yes") expect([id, timer]).toEqual([id, undefined]);
    else if (timer !== undefined) expect(messages).toContain(timer.message);
    else expect([id, gone]).toEqual([id, "maybe"]);
    known.set(
      id,
      timer === undefined
        ? { messages: new Set(), gone: "yes" }
        : { messages: new Set([timer.message ?? ""]), gone: "no" },
    );
  }
}
