import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGuideServer } from "../../src/guide-server/server.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { HOUR } from "../../src/model/time.ts";
import { temporaryFolder } from "../main-job/recorder.ts";
import { type Ask, GUIDE, type Hosted, hosted, NOW, PASSWORD, SHOW_ID } from "./hosted.ts";
import { addUser, askPages, PAGE_ROUTES, PAGES } from "./household.ts";

interface Told {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

let guide: Hosted;
beforeAll(async () => {
  guide = await hosted({ pages: PAGES });
});
afterAll(() => guide[Symbol.asyncDispose]());

async function ask(path: string, init: RequestInit & { readonly json?: unknown } = {}): Promise<Told> {
  const { json, ...rest } = init;
  const sent = json === undefined ? {} : { body: JSON.stringify(json) };
  const type = json === undefined ? {} : { "content-type": "application/json" };
  const answer = await fetch(guide.baseUrl + path, {
    ...rest,
    ...sent,
    headers: { ...type, ...rest.headers },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function signedIn(user = guide.email, password = PASSWORD) {
  const answer = await ask("/v1/session", { method: "POST", json: { user, password } });
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const { csrfToken } = JSON.parse(answer.text) as { readonly csrfToken: string };
  return { cookie, csrfToken, answer };
}

describe("the listener of the guide server's pages", () => {
  it("lists all of its requests in docs/dev/guide-server-api.md, and no others", async () => {
    const text = await readFile("docs/dev/guide-server-api.md", "utf8");
    const told = [...text.matchAll(/^\| ([A-Z]+) `(\/v1\/[^`]*)` \| (.+) \|$/gm)].map(([, ...told]) => told);
    expect(told).toEqual(PAGE_ROUTES.map(({ method, path, summary }) => [method, path, summary]));
  });

  it("refuses visitors who are not signed in, and requests forged by other sites", async () => {
    const closed = PAGE_ROUTES.filter(({ method, path }) => path !== "/v1/session" || method === "DELETE");
    expect(closed.length).toBeGreaterThan(3);
    const { cookie, csrfToken } = await signedIn();
    for (const { method, path } of closed) {
      const at = path.replace(/:\w+/g, "1");
      const json = method === "GET" || method === "DELETE" ? {} : { json: {} };
      const alone = await ask(at, { method, ...json });
      const isOpen = path === "/v1/accounts";
      expect(alone.status === 401, `${method} ${path}`).toBe(!isOpen);
      const site = { cookie, "x-csrf-token": csrfToken, origin: "http://elsewhere.example" };
      expect((await ask(at, { method, ...json, headers: site })).status, `${method} ${path}`).toBe(403);
      if (method === "GET" || isOpen) continue;
      expect((await ask(at, { method, ...json, headers: { cookie } })).status, `${method} ${path}`).toBe(403);
    }
  });

  it("keeps its session in its own cookie, hidden from scripts and other sites", async () => {
    const { answer, cookie, csrfToken } = await signedIn();
    expect(answer.headers.get("set-cookie")).toMatch(
      /^recorderd-guide=\S+; Path=\/; HttpOnly; SameSite=Strict/,
    );
    const headers = { cookie, "x-csrf-token": csrfToken };
    const json = { label: "Parlour" };
    expect(await ask(`/v1/devices/${guide.deviceId}`, { method: "PUT", json, headers })).toMatchObject({
      status: 200,
    });
    expect(JSON.parse((await ask("/v1/devices", { headers })).text)).toMatchObject({
      devices: [{ id: guide.deviceId, label: "Parlour", isSilent: false }],
    });
    for (const [label, status] of [
      ["Par\0lour", 400] as const,
      ["Par\ud83dlour", 400] as const,
      ["Par\nlour", 409] as const,
    ]) {
      const renamed = await ask(`/v1/devices/${guide.deviceId}`, { method: "PUT", json: { label }, headers });
      expect([label, renamed.status]).toEqual([label, status]);
    }
    const user = { password: "a long password", rights: "member" };
    for (const [name, status] of [
      ["mia\0", 400] as const,
      ["\udc00mia", 400] as const,
      ["mia\x1b", 409] as const,
    ]) {
      const added = await ask("/v1/users", { method: "POST", json: { ...user, name }, headers });
      expect([name, added.status]).toEqual([name, status]);
    }
    await ask("/v1/session", { method: "DELETE", headers });
    expect((await ask("/v1/devices", { headers })).status).toBe(401);
  });

  it("accepts the token of a recorder's login, and no other", async () => {
    const shown = (token: string) => ask("/v1/devices", { headers: { authorization: `Bearer ${token}` } });
    expect((await shown(guide.token)).status).toBe(200);
    expect((await shown("another")).status).toBe(401);
  });

  it("shows a household its own devices, and changes no others", async () => {
    await guide.server.addAccount({ email: "neighbour@example.org", password: "another horse" });
    const { cookie, csrfToken } = await signedIn("Neighbour@Example.org", "another horse");
    const headers = { cookie, "x-csrf-token": csrfToken };
    expect(JSON.parse((await ask("/v1/devices", { headers })).text)).toMatchObject({ devices: [] });
    for (const method of ["PUT", "DELETE"]) {
      const json = method === "PUT" ? { json: { label: "Mine" } } : {};
      const { status } = await ask(`/v1/devices/${guide.deviceId}`, { method, ...json, headers });
      expect(status, method).toBeGreaterThanOrEqual(404);
    }
  });

  it("shows the reports of a device: received channels, missing channels, and its log", async () => {
    await using other = await hosted({ pages: PAGES });
    const told = async (id: number) => {
      const headers = { authorization: `Bearer ${other.token}` };
      const answer = await fetch(`${other.baseUrl}/v1/devices/${id}`, { headers });
      return { status: answer.status, value: (await answer.json()) as unknown };
    };
    const nothing = { received: 0, notReceived: [], logs: [] };
    expect((await told(other.deviceId)).value).toEqual(nothing);
    const scans = [{ channel_name: "Elsewhere", onid: 0x1010, tsid: 0x0221, sid: 0x0220 }];
    await other.send({ method: "POST", path: "/scans" }, "json", { kind: "scans", value: { scans } });
    const logs = ["first", "second"].map((text) => ({ text }));
    await other.send({ method: "POST", path: "/user/pvr_logs" }, "json", {
      kind: "pvr-logs",
      value: { logs },
    });
    expect((await told(other.deviceId)).value).toEqual({
      received: 1,
      scannedAt: NOW,
      notReceived: [{ id: 8, name: "No triplet" }],
      logs: ['{"text":"second"}', '{"text":"first"}'].map((text) => ({ at: NOW, text })),
    });
    const attic = await other.server.addDevice(other.email, { label: "Attic", type_id: 1 });
    expect((await told(attic)).value).toEqual(nothing);
    expect((await told(999)).status).toBe(404);
  });

  it("counts wrong passwords together with those at login", async () => {
    await using other = await hosted({ pages: PAGES });
    const wrong = (user: string) =>
      fetch(`${other.baseUrl}/v1/session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ user, password: "wrong" }),
      });
    for (let guess = 0; guess < 10; guess += 1) expect((await wrong(other.email)).status).toBe(401);
    expect((await wrong(other.email)).status).toBe(429);
    const member = { email_address: other.email, password: PASSWORD };
    const login = await other.ask({
      method: "POST",
      path: "/login",
      anonymous: true,
      text: JSON.stringify({ member }),
    });
    expect(login.status).toBe(429);
  });

  it("serves its pages next to the protocol, whose answers stay the same", async () => {
    const html = { headers: { accept: "text/html" } };
    for (const path of ["/", "/pages/series"]) {
      const { status, headers } = await ask(path, html);
      expect(status).toBe(200);
      expect(headers.get("content-security-policy")).toContain("default-src 'self'");
    }
    expect((await ask("/devices", html)).status).toBe(401);
    expect((await ask("/nowhere", html)).status).toBe(404);
    await using bare = await hosted();
    expect((await fetch(bare.baseUrl, html)).status).toBe(404);
  });
});

describe("series recordings on the guide server's pages", () => {
  const SERIES = { seriesId: "s1" };

  it("are created from the programme, for the only device or the chosen one, and get their timers at once", async () => {
    await using other = await hosted({ pages: PAGES });
    const headers = { authorization: `Bearer ${other.token}`, "content-type": "application/json" };
    const told = async (path: string, method = "GET", json?: object) => {
      const body = json === undefined ? {} : { body: JSON.stringify(json) };
      const answer = await fetch(other.baseUrl + path, { method, headers, ...body });
      return { status: answer.status, value: (await answer.json()) as unknown };
    };
    expect((await told("/v1/guide/channels")).value).toMatchObject([{ id: "7" }, { id: "8" }]);
    const show = { id: SHOW_ID, channelId: 7, start: NOW + HOUR, programme: { seriesId: "s1" } };
    expect((await told("/v1/guide/shows")).value).toMatchObject([show, { id: 13 }]);
    expect((await told(`/v1/guide/shows?to=${NOW + 2 * HOUR}`)).value).toMatchObject([show]);
    expect((await told("/v1/guide/shows?channels=8")).value).toMatchObject([{ id: 13 }]);
    expect((await told("/v1/guide/shows?search=winter%20%C3%A9t%C3%A9")).value).toMatchObject([show]);
    expect((await told("/v1/guide/shows?search=wint")).value).toEqual([]);

    const made = await told("/v1/series/recordings", "POST", SERIES);
    expect(made.value).toMatchObject({ ...SERIES, deviceId: other.deviceId, quality: "Prefer HD" });
    await told("/v1/series");
    const timers = await other.ask({ method: "GET", path: "/shows/timers" });
    expect(timers.read("timers").timers).toMatchObject([{ show_id: SHOW_ID, device_id: other.deviceId }]);
    const next = [{ seriesId: "s1", channelId: 7, start: NOW + HOUR }];
    expect((await told("/v1/timers/next")).value).toEqual(next);

    const attic = await other.server.addDevice(other.email, { label: "Attic", type_id: 1 });
    expect((await told("/v1/series/keywords", "POST", { keyword: "new" })).status).toBe(409);
    const word = await told("/v1/series/keywords", "POST", { keyword: "new", deviceId: attic });
    expect(word.value).toMatchObject({ keyword: "new", deviceId: attic });
    expect((await told("/v1/series/keywords", "POST", { keyword: "new", deviceId: 999 })).status).toBe(404);
    const worded = { keywordId: 2, channelId: 8, start: NOW + 6 * HOUR };
    expect((await told("/v1/timers/next")).value).toEqual([...next, worded]);
    await told("/v1/series/recordings/1", "PUT", { deviceId: attic, startMinutes: 600 });
    await told("/v1/series/favourites", "POST", SERIES);
    expect((await told("/v1/series")).value).toMatchObject({
      recordings: [{ ...SERIES, deviceId: attic, startMinutes: 600 }],
      keywords: [{ keyword: "new" }],
      favourites: [SERIES],
    });
    for (const path of ["recordings/1", "keywords/2", "favourites/s1"]) {
      expect((await told(`/v1/series/${path}`, "DELETE")).status, path).toBe(200);
    }
    expect((await told("/v1/series")).value).toEqual({ recordings: [], keywords: [], favourites: [] });
  });

  it("coexist with single shows, which are booked once per device, and whose cancellation reaches the recorder as a forget", async () => {
    await using other = await hosted({ pages: PAGES });
    const ask = (method: Ask["method"], path: string, json?: object) =>
      askPages(other, other, { method, path, ...(json === undefined ? {} : { json }) });
    const booked = { timerId: "1", deviceId: other.deviceId, state: "waiting" };
    for (let times = 0; times < 2; times += 1) {
      expect(await ask("POST", "/v1/timers", { showId: SHOW_ID })).toMatchObject({
        status: 200,
        body: booked,
      });
    }
    const viewer = await addUser(other, "looks", "viewer");
    const order = { method: "POST", path: "/v1/timers", json: { showId: SHOW_ID } } as const;
    expect((await askPages(other, viewer, order)).status).toBe(403);
    const looked = await askPages(other, viewer, { method: "GET", path: `/v1/timers?show=${SHOW_ID}` });
    expect(looked.body).toMatchObject([booked]);
    expect((await ask("POST", "/v1/timers", { showId: 4711 })).status).toBe(404);
    expect((await ask("POST", "/v1/timers", { showId: SHOW_ID, deviceId: 999 })).status).toBe(404);

    // A recorder has read the timer: it receives a forget, and a second cancellation does not acknowledge that forget.
    await other.ask({ method: "GET", path: "/shows/timers" });
    for (let times = 0; times < 2; times += 1) expect((await ask("DELETE", "/v1/timers/1")).status).toBe(200);
    expect(await other.server.timers(other.email)).toMatchObject([{ id: "1", action: "forget" }]);
    expect((await ask("GET", `/v1/timers?show=${SHOW_ID}`)).body).toEqual([]);
  });

  it("belong to the household: viewers look, members book, and other households see nothing", async () => {
    await using other = await hosted({ pages: PAGES });
    const password = "long enough";
    await other.server.addUser(other.email, { name: "viewer", password, rights: "viewer" });
    await other.server.addUser(other.email, { name: "member", password, rights: "member" });
    await other.server.addAccount({ email: "neighbour@example.org", password });
    const as = async (user: string) => {
      const address = `${other.baseUrl}/v1/session`;
      const json = { "content-type": "application/json" };
      const body = JSON.stringify({ user, password });
      const answer = await fetch(address, { method: "POST", headers: json, body });
      const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
      const { csrfToken } = (await answer.json()) as { readonly csrfToken: string };
      return { ...json, cookie, "x-csrf-token": csrfToken };
    };
    const order = async (user: string) => {
      const body = JSON.stringify(SERIES);
      const headers = await as(user);
      return (await fetch(`${other.baseUrl}/v1/series/recordings`, { method: "POST", headers, body })).status;
    };
    const list = async (user: string) =>
      (await fetch(`${other.baseUrl}/v1/series`, { headers: await as(user) })).json();
    expect(await order("viewer")).toBe(403);
    expect(await order("member")).toBe(200);
    expect(await list("viewer")).toMatchObject({ recordings: [SERIES] });
    expect(await list("neighbour@example.org")).toMatchObject({ recordings: [] });
  });
});

describe("the first account of a guide server", () => {
  /** A server with regions and no account. */
  async function empty(folder: string, allowSignUp = false) {
    const parts = { dataFolder: folder, clock: systemClock(), log: silentLog, allowSignUp };
    const server = await openGuideServer({ ...parts, pages: PAGES });
    await server.seed(GUIDE);
    const { baseUrl } = await server.listen({ host: "127.0.0.1", port: 0 });
    const make = async (order: object) => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ email: "a@example.org", password: "a long password", ...order });
      return (await fetch(`${baseUrl}/v1/accounts`, { method: "POST", headers, body })).status;
    };
    const session = async () => await (await fetch(`${baseUrl}/v1/session`)).json();
    return { baseUrl, make, session, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
  }
  const fileIn = (folder: string) => join(folder, "first-account");

  it("is created once, by a link in a file that only the owner of the data can read", async () => {
    await using folder = await temporaryFolder();
    await using server = await empty(folder.path);
    expect(await server.session()).toMatchObject({ canSignIn: false, guideServer: { signUp: false } });
    expect((await stat(fileIn(folder.path))).mode & 0o777).toBe(0o600);
    const [, address, link = ""] =
      /^(.+)\/#link=(.+)\n$/.exec(await readFile(fileIn(folder.path), "utf8")) ?? [];
    expect(address).toBe(server.baseUrl);
    expect(await server.make({})).toBe(403);
    expect(await server.make({ link: "made-up" })).toBe(403);
    // A request that makes no account does not use up the link.
    expect(await server.make({ email: "no address", link })).toBe(406);
    const both = [server.make({ link }), server.make({ email: "b@example.org", link })];
    expect((await Promise.all(both)).toSorted()).toEqual([200, 403]);
    expect(await server.make({ email: "c@example.org", link })).toBe(403);
    expect(await server.session()).toMatchObject({ canSignIn: true, guideServer: { signUp: false } });
    await expect(stat(fileIn(folder.path))).rejects.toThrow("ENOENT");
  });

  it("accepts only an e-mail address of printable characters on one line", async () => {
    await using folder = await temporaryFolder();
    await using server = await empty(folder.path, true);
    for (const email of ["a\0@example.org", "a\ud800@example.org", "\udc00a@example.org"])
      expect(await server.make({ email }), JSON.stringify(email)).toBe(400);
    for (const email of [
      "a\x1b@example.org",
      "a\x7f@example.org",
      "a\x85@example.org",
      "a\ufffd@example.org",
      "a\u200b@example.org",
      "a\u202e@example.org",
      "a@exam\u2060ple.org",
    ])
      expect(await server.make({ email }), JSON.stringify(email)).toBe(406);
    // Boxes sign up by their own interface, which has cleaned its input.
    const member = { email_address: "a\ud800@example.org", password: "a long password" };
    const headers = { "content-type": "application/json" };
    const login = await fetch(`${server.baseUrl}/login`, {
      method: "POST",
      headers,
      body: JSON.stringify({ member }),
    });
    expect(login.status).toBe(406);
    expect(await server.session()).toMatchObject({ canSignIn: false });
    expect(await server.make({ email: "ä😀@example.org" })).toBe(200);
  });

  it("has no link after the server ended, or if sign-ups are allowed", async () => {
    await using folder = await temporaryFolder();
    await (await empty(folder.path))[Symbol.asyncDispose]();
    await expect(stat(fileIn(folder.path))).rejects.toThrow("ENOENT");
    await writeFile(fileIn(folder.path), "of a server that was killed\n");
    await using server = await empty(folder.path, true);
    await expect(stat(fileIn(folder.path))).rejects.toThrow("ENOENT");
    expect(await server.make({})).toBe(200);
  });
});
