import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHttpClient } from "../../../../src/kit/http/http.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { Channel } from "../../../../src/model/service.ts";
import { PLAYBACK_LIMITS } from "../../../../src/recorder/subsystems/playback/limits.ts";
import { createLogos } from "../../../../src/recorder/subsystems/playback/logos.ts";

const PNG = Buffer.from("\x89PNG\r\n\x1a\nrest", "latin1");
const JPEG = Buffer.from("\xff\xd8\xff\xe0rest", "latin1");
const { signal } = new AbortController();

let server: Server;
let guideUrl: string;
let requests: string[];
let answers: Readonly<Record<string, { status?: number; headers?: Record<string, string>; body: Buffer }>>;
let folder: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const {
      status = 200,
      headers = {},
      body = Buffer.alloc(0),
    } = answers[request.url ?? ""] ?? { status: 404 };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  guideUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-logos-"));
  requests = [];
  answers = {};
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function channel(id: string, name: string, icon?: string): Channel {
  const about = { id, name, nameShort: "", knownNames: [], triplets: [], lcns: [] };
  return icon === undefined ? about : { ...about, icon };
}

function logos(...channels: readonly Channel[]) {
  const http = createHttpClient();
  return createLogos({ folder, channels: () => channels, guideUrl, http, clock: systemClock(), signal });
}

describe("the logo of a channel", () => {
  it("comes from a file with the channel's id or name, in any case, before the guide", async () => {
    await writeFile(join(folder, "7.png"), PNG);
    await writeFile(join(folder, "das erste- hd.JPG"), JPEG);
    const all = logos(channel("7", "One", "/one.png"), channel("8", "Das Erste: HD"), channel("9", "None"));
    expect(await all.known()).toEqual(new Set(["7", "8"]));
    expect(await all.open("7")).toEqual({ type: "image/png", bytes: PNG });
    expect((await all.open("8")).type).toBe("image/jpeg");
    await expect(all.open("9")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    await expect(all.open("../../etc/passwd")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(requests).toEqual([]);
  });

  it("is fetched from the guide's address once, and kept for later runs", async () => {
    answers = { "/one.png": { headers: { "content-type": "text/html" }, body: PNG } };
    const one = channel("7", "One", "/one.png");
    const all = logos(one);
    expect(await all.known()).toEqual(new Set(["7"]));
    const both = await Promise.all([all.open("7"), all.open("7")]);
    // The type is that of the content, whatever the server says.
    expect(both.map(({ type }) => type)).toEqual(["image/png", "image/png"]);
    expect((await logos(one).open("7")).bytes).toEqual(PNG);
    expect(requests).toEqual(["/one.png"]);
  });

  it.each([
    ["is no picture", { body: Buffer.from("<svg onload='x'/>") }],
    ["is too large", { body: Buffer.concat([PNG, Buffer.alloc(PLAYBACK_LIMITS.logoBytes)]) }],
    ["is elsewhere", { status: 302, headers: { location: "/other.png" }, body: PNG }],
    ["is missing", { status: 404, body: PNG }],
  ])("is not shown, and not soon requested again, if it %s", async (_name, answer) => {
    answers = { "/one.png": answer, "/other.png": { body: PNG } };
    const all = logos(channel("7", "One", "/one.png"));
    for (const _ of [1, 2]) await expect(all.open("7")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    expect(requests).toEqual(["/one.png"]);
    expect(await all.known()).toEqual(new Set());
  });

  it.each([
    "http://192.168.1.1/reboot",
    "http://127.0.0.1:1/x.png",
    "file:///etc/passwd",
    "ftp://a/b",
    "data:image/png,x",
  ])("is not fetched from %s: only the guide's host is asked without TLS", async (icon) => {
    const all = logos(channel("7", "One", icon));
    expect(await all.known()).toEqual(new Set());
    await expect(all.open("7")).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("is not shown if the file is no picture, or too large", async () => {
    await writeFile(join(folder, "7.png"), "text");
    await writeFile(join(folder, "8.png"), Buffer.concat([PNG, Buffer.alloc(PLAYBACK_LIMITS.logoBytes)]));
    await symlink("/dev/zero", join(folder, "9.png"));
    const all = logos(channel("7", "One"), channel("8", "Two"), channel("9", "Three"));
    for (const id of ["7", "8", "9"])
      await expect(all.open(id)).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });

  it("is kept with a limited number of others", async () => {
    const cache = join(folder, ".fetched");
    await mkdir(cache);
    for (let index = 0; index < PLAYBACK_LIMITS.logosKept; index += 1)
      await writeFile(join(cache, `old${index}`), PNG);
    answers = { "/one.png": { body: PNG } };
    await logos(channel("7", "One", "/one.png")).open("7");
    expect(await readdir(cache)).toHaveLength(PLAYBACK_LIMITS.logosKept);
  });
});
