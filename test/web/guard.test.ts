import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Clock, systemClock } from "../../src/kit/clock.ts";
import { silentLog } from "../../src/kit/log.ts";
import { hashPassword, tokenHash } from "../../src/kit/password.ts";
import { LIMITS } from "../../src/model/limits.ts";
import { createVirtualClock } from "../../src/sim/virtual-clock.ts";
import { apiRoutes } from "../../src/web/api/routes.ts";
import { type DoorConfig, openHttpDoor } from "../../src/web/door/http-door.ts";
import type { WebSecrets } from "../../src/web/door/known.ts";
import type { DaemonFace } from "../../src/web/face.ts";
import { told } from "../kit/tool.ts";
import { temporaryFolder } from "../main-job/recorder.ts";

const clock = systemClock();
/** Enough of a daemon to be asked whether one may ask. */
const FACE = { logLines: () => [], syncNow: () => {}, unready: () => undefined } as unknown as DaemonFace;
const SECRETS: WebSecrets = {
  users: [{ name: "anna", passwordHash: await hashPassword("a long password") }],
  tokens: [{ name: "kodi", sha256: tokenHash("a-token") }],
};

async function door(more: Partial<DoorConfig> = {}, time: Clock = clock) {
  const config = { host: "127.0.0.1", port: 0, names: [], signIn: "where-needed", ...more } as const;
  return openHttpDoor(config, {
    routes: (entrance) => apiRoutes(FACE, entrance),
    secrets: () => SECRETS,
    folder: join(import.meta.dirname, "no-dashboard"),
    clock: time,
    log: silentLog,
  });
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** fetch sets some of these headers by itself. */
function ask(
  { port }: { readonly port: number | undefined },
  path: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest({ host: "127.0.0.1", port, path, method, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
      );
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

describe("a listener on another address than loopback", () => {
  const OPEN = ["GET /healthz", "GET /readyz", "GET /v1/session", "POST /v1/session"];

  it("refuses every route of the table without credentials, but for health and signing in", async () => {
    await using open = await door({ host: "0.0.0.0" });
    const table = apiRoutes(FACE, {} as never);
    expect(table.filter((each) => each.open).map(({ method, path }) => `${method} ${path}`)).toEqual(OPEN);
    for (const { method, path, open: isOpen } of table) {
      if (isOpen) continue;
      const { status } = await ask(open, path.replace(/:\w+/g, "1"), { method });
      expect({ method, path, status }).toEqual({ method, path, status: 401 });
    }
  });

  it("lets in who shows a token or a password, and nobody who shows a wrong one", async () => {
    await using open = await door({ host: "0.0.0.0" });
    const status = async (headers: Record<string, string>) =>
      (await ask(open, "/v1/logs", { headers })).status;
    expect(await status({ authorization: "Bearer a-token" })).toBe(200);
    expect(await status({ authorization: "Bearer another" })).toBe(401);
    expect(await status(basic("token", "a-token"))).toBe(200);
    expect(await status(basic("anna", "a long password"))).toBe(200);
    expect(await status(basic("anna", "another password"))).toBe(401);
    expect(await status(basic("nobody", "a long password"))).toBe(401);
    expect(await status({ cookie: "recorderd=made-up" })).toBe(401);
  });

  it("answers thirty wrong tokens at once and then asks to wait, also of who has the right one by then", async () => {
    await using open = await door({ host: "0.0.0.0" });
    for (let times = 0; times < LIMITS.guessesPerAddress; times += 1) {
      expect((await ask(open, "/v1/logs", { headers: basic("token", "wrong") })).status).toBe(401);
    }
    const { status, headers } = await ask(open, "/v1/logs", { headers: basic("token", "a-token") });
    expect(status).toBe(429);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    const signIn = { user: "anna", password: "a long password" };
    const json = { "content-type": "application/json" };
    const body = JSON.stringify(signIn);
    expect((await ask(open, "/v1/session", { method: "POST", headers: json, body })).status).toBe(429);
  });
});

describe("a session", () => {
  it("is begun with a password, kept by a cookie out of reach of scripts, and needs its token for every change", async () => {
    await using open = await door({ signIn: "always" });
    const json = { "content-type": "application/json" };
    const body = JSON.stringify({ user: "anna", password: "a long password" });
    const begun = await ask(open, "/v1/session", { method: "POST", headers: json, body });
    const [cookie = ""] = begun.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^recorderd=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    const session = { cookie: cookie.split(";")[0] ?? "" };
    const { csrfToken } = JSON.parse(begun.body) as { readonly csrfToken: string };
    expect((await ask(open, "/v1/logs", { headers: session })).status).toBe(200);
    const sync = (headers: Record<string, string>) => ask(open, "/v1/sync", { method: "POST", headers });
    expect((await sync(session)).status).toBe(403);
    expect((await sync({ ...session, "x-csrf-token": "made-up" })).status).toBe(403);
    expect((await sync({ ...session, "x-csrf-token": csrfToken })).status).toBe(202);
    const whoami = await ask(open, "/v1/session", { headers: session });
    expect(JSON.parse(whoami.body)).toEqual({
      signedIn: true,
      canSignIn: true,
      user: "anna",
      by: "session",
      csrfToken,
    });
    await ask(open, "/v1/session", { method: "DELETE", headers: { ...session, "x-csrf-token": csrfToken } });
    expect((await ask(open, "/v1/logs", { headers: session })).status).toBe(401);
  });
});

describe("a port that is taken", () => {
  it("keeps nothing from starting, and is listened on when it is free", async () => {
    const other = await door();
    const { port = 0 } = other;
    const virtual = createVirtualClock(0);
    await using waiting = await door({ port }, virtual);
    expect(waiting.port).toBeUndefined();
    const ended = new AbortController();
    const running = waiting.run(ended.signal);
    await other[Symbol.asyncDispose]();
    await virtual.advance(LIMITS.webRetryMs + 1);
    while (waiting.port === undefined) await new Promise(setImmediate);
    expect((await ask(waiting, "/healthz")).status).toBe(200);
    ended.abort();
    await running;
  });
});

describe("a listener with a certificate", () => {
  // Without the program there is no certificate to be had.
  it.skipIf(spawnSync("openssl", ["version"]).status !== 0)(
    "speaks TLS, and sends its cookie on no other connection",
    async () => {
      await using folder = await temporaryFolder();
      const [certFile, keyFile] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
      const wanted =
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost";
      await told("openssl", { args: [...wanted.split(" "), "-keyout", keyFile, "-out", certFile] });
      await using open = await door({ tls: { certFile, keyFile } });
      const ca = await readFile(certFile);
      const body = JSON.stringify({ user: "anna", password: "a long password" });
      const cookie = await new Promise((resolve, reject) => {
        const headers = { "content-type": "application/json" };
        const asked = httpsRequest(
          {
            host: "localhost",
            family: 4,
            port: open.port,
            path: "/v1/session",
            method: "POST",
            headers,
            ca,
            agent: false,
          },
          (answer) => {
            answer.resume();
            resolve(answer.headers["set-cookie"]?.[0]);
          },
        );
        asked.on("error", reject);
        asked.end(body);
      });
      expect(cookie).toMatch(/; Secure$/);
    },
  );

  it("does not start without its files", async () => {
    const tls = { certFile: "/nowhere/cert.pem", keyFile: "/nowhere/key.pem" };
    await expect(door({ tls })).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});

describe("a listener on loopback", () => {
  const status = async (headers: Record<string, string>, more: Partial<DoorConfig> = {}, method = "GET") => {
    await using open = await door(more);
    return (await ask(open, method === "GET" ? "/v1/logs" : "/v1/sync", { method, headers })).status;
  };

  it("needs no credentials, unless it is told to", async () => {
    expect(await status({})).toBe(200);
    expect(await status({}, { signIn: "always" })).toBe(401);
  });

  it("answers to names it knows and to no other: DNS rebinding", async () => {
    for (const host of ["localhost", "127.0.0.1:8790", "[::1]:8790"])
      expect(await status({ host })).toBe(200);
    expect(await status({ host: "evil.example" })).toBe(403);
    expect(await status({ host: "recorder.local" })).toBe(403);
    expect(await status({ host: "recorder.local:80" }, { names: ["recorder.local"] })).toBe(200);
  });

  it("answers no page but its own", async () => {
    expect(await status({ host: "localhost", origin: "http://localhost" }, {}, "POST")).toBe(202);
    expect(await status({ host: "localhost", origin: "https://evil.example" }, {}, "POST")).toBe(403);
    expect(await status({ host: "localhost", origin: "null" }, {}, "POST")).toBe(403);
    expect(await status({ "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await status({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status({ "sec-fetch-site": "same-site" })).toBe(403);
  });

  it("refuses what a proxy passes on that nobody named, and believes the one that is named", async () => {
    const proxy = { address: "127.0.0.1", userHeader: "X-Remote-User" };
    expect(await status({ "x-forwarded-for": "192.0.2.1" })).toBe(403);
    expect(await status({}, { proxy })).toBe(401);
    expect(await status({ "x-remote-user": "anna", "x-forwarded-for": "192.0.2.1" }, { proxy })).toBe(200);
    expect(await status({ "x-remote-user": "anna" }, { proxy: { ...proxy, address: "127.0.0.2" } })).toBe(
      401,
    );
  });

  it("takes no body that a form of another page could send", async () => {
    await using open = await door();
    const headers = { "content-type": "text/plain" };
    expect((await ask(open, "/v1/what-if", { method: "POST", headers, body: "{}" })).status).toBe(415);
  });

  it("says what is wrong in its own words, and tells browsers not to guess", async () => {
    await using open = await door();
    const { status: found, headers, body } = await ask(open, "/v1/nothing");
    expect([found, headers["x-content-type-options"]]).toEqual([404, "nosniff"]);
    expect(JSON.parse(body)).toMatchObject({ code: "no-route" });
    expect((await ask(open, "/v1/sync")).headers["allow"]).toBe("POST");
  });
});
