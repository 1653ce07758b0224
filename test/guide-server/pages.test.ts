import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOADING } from "../../src/guide-server/http/answer.ts";
import { guidePages } from "../../src/guide-server/pages/pages.ts";
import { openGuideServer } from "../../src/guide-server/server.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { silentLog } from "../../src/kit/log.ts";
import { DAY } from "../../src/model/time.ts";
import { DASHBOARD } from "../../src/web/door/static.ts";
import { temporaryFolder } from "../main-job/recorder.ts";
import { GUIDE, type Hosted, hosted, PASSWORD } from "./hosted.ts";

const PAGES = { folder: DASHBOARD, silentAfterMs: 5 * DAY };

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

const ROUTES = guidePages({
  ...PAGES,
  service: () => LOADING,
  broken: () => {},
  onMapped: () => {},
  clock: systemClock(),
}).table;

describe("the door of the guide server's pages", () => {
  it("has all of its requests in docs/guide-server.md, and no others", async () => {
    const text = await readFile("docs/guide-server.md", "utf8");
    const told = [...text.matchAll(/^\| ([A-Z]+) `(\/v1\/[^`]*)` \| (.+) \|$/gm)].map(([, ...told]) => told);
    expect(told).toEqual(ROUTES.map(({ method, path, summary }) => [method, path, summary]));
  });

  it("tells nobody anything who is not signed in, and refuses what another page has a browser ask", async () => {
    const closed = ROUTES.filter(({ method, path }) => path !== "/v1/session" || method === "DELETE");
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

  it("keeps its session in a cookie of its own that scripts cannot read and other sites cannot send", async () => {
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
    await ask("/v1/session", { method: "DELETE", headers });
    expect((await ask("/v1/devices", { headers })).status).toBe(401);
  });

  it("takes the token of a recorder's login, and that of nobody else", async () => {
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

  it("lays its pages beside the interface: what a client asks for stays what it was", async () => {
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

describe("the first account of a guide server", () => {
  it("is made on the page by who sits at the machine, and no other after it without sign-up", async () => {
    await using folder = await temporaryFolder();
    const parts = { dataFolder: folder.path, clock: systemClock(), log: silentLog };
    await using server = await openGuideServer({ ...parts, pages: PAGES });
    await server.seed(GUIDE);
    const empty = await server.listen({ host: "127.0.0.1", port: 0 });
    const make = (email: string, headers = {}) =>
      fetch(`${empty.baseUrl}/v1/accounts`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ email, password: "a long password" }),
      });
    const session = async () => await (await fetch(`${empty.baseUrl}/v1/session`)).json();
    expect(await session()).toMatchObject({
      signedIn: false,
      canSignIn: false,
      guideServer: { signUp: true },
    });
    // Somebody from elsewhere, by a proxy or by a name that leads here.
    expect((await make("a@example.org", { "x-forwarded-for": "192.0.2.1" })).status).toBe(403);
    expect((await make("no address")).status).toBe(406);
    expect((await make("a@example.org")).status).toBe(200);
    expect((await make("b@example.org")).status).toBe(403);
    expect(await session()).toMatchObject({ canSignIn: true, guideServer: { signUp: false } });
  });
});
