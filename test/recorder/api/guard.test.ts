import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { HTTP_LIMITS } from "../../../src/kit/http/limits.ts";
import { hashPassword, tokenHash } from "../../../src/kit/http/password.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { type Clock, systemClock } from "../../../src/kit/time/clock.ts";
import type { DaemonApi } from "../../../src/recorder/api/daemon-api.ts";
import { apiRoutes } from "../../../src/recorder/api/routes.ts";
import { RECORDER_LIMITS } from "../../../src/recorder/limits.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";
import { WEB_LIMITS } from "../../../src/web/limits.ts";
import { type ListenerConfig, openHttpListener } from "../../../src/web/listener/http-listener.ts";
import { OneTimeLinks } from "../../../src/web/listener/one-time-links.ts";
import type { WebSecrets } from "../../../src/web/listener/user-directory.ts";
import { told } from "../../kit/tool.ts";
import { temporaryFolder } from "../../main-job/recorder.ts";

const clock = systemClock();
/** A minimal daemon: enough for requests that test access. */
const FACE = {
  logLines: () => [],
  syncNow: () => {},
  unready: () => undefined,
  events: { listen: endless },
} as unknown as DaemonApi;
function endless(): Readable {
  const stream = new Readable({ read() {} });
  stream.push("retry: 1000\n\n");
  return stream;
}

const SECRETS: WebSecrets = {
  users: [{ name: "anna", passwordHash: await hashPassword("a long password") }],
  tokens: [{ name: "kodi", sha256: tokenHash("a-token") }],
};

async function listener(
  more: Partial<ListenerConfig> = {},
  time: Clock = clock,
  secrets: () => WebSecrets = () => SECRETS,
) {
  const config = {
    host: "127.0.0.1",
    port: 0,
    names: [],
    signIn: "always",
    trustedProxies: [],
    ...more,
  } as const;
  return openHttpListener(config, {
    routes: (entrance) => apiRoutes(FACE, entrance),
    secrets,
    links: new OneTimeLinks({ clock: time, lastsMs: RECORDER_LIMITS.linkMs }),
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

/** The answer to a request that is sent exactly as written here. */
async function rawly({ port = 0 }: { readonly port: number | undefined }, request: string): Promise<string> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  socket.end(request);
  let answer = "";
  for await (const part of socket) answer += part;
  return answer;
}

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

describe("a listener on a public address", () => {
  it("accepts a valid token or password, and refuses a wrong one", async () => {
    await using open = await listener({ host: "0.0.0.0" });
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

  it("answers thirty wrong tokens at once and then asks for a pause, except with a right one", async () => {
    await using open = await listener({ host: "0.0.0.0" });
    for (let times = 0; times < HTTP_LIMITS.guessesPerAddress; times += 1) {
      expect((await ask(open, "/v1/logs", { headers: basic("token", "wrong") })).status).toBe(401);
    }
    const { status, headers } = await ask(open, "/v1/logs", { headers: basic("token", "wrong") });
    expect(status).toBe(429);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    for (const authorization of ["Bearer a-token", basic("token", "a-token").authorization])
      expect((await ask(open, "/v1/logs", { headers: { authorization } })).status).toBe(200);
    const signIn = { user: "anna", password: "a long password" };
    const json = { "content-type": "application/json" };
    const body = JSON.stringify(signIn);
    expect((await ask(open, "/v1/session", { method: "POST", headers: json, body })).status).toBe(429);
  });
});

describe("a listener behind a proxy", () => {
  const guess = async (open: { readonly port: number | undefined }, client: string) => {
    const headers = { ...basic("token", "wrong"), "x-forwarded-for": client };
    return (await ask(open, "/v1/logs", { headers })).status;
  };
  const guessTooOften = async (open: { readonly port: number | undefined }) => {
    for (let times = 0; times < HTTP_LIMITS.guessesPerAddress; times += 1)
      expect(await guess(open, `203.0.113.9, 192.0.2.${times % 2}`)).toBe(401);
  };

  it("counts guesses for each client that a trusted proxy names, by its last word", async () => {
    await using open = await listener({ trustedProxies: ["127.0.0.0/8", "192.0.2.0/24"] });
    await guessTooOften(open);
    expect(await guess(open, "203.0.113.9")).toBe(429);
    expect(await guess(open, "203.0.113.8, 203.0.113.9")).toBe(429);
    expect(await guess(open, "203.0.113.9, 203.0.113.8")).toBe(401);
  });

  it("counts them for the proxy if it is not trusted", async () => {
    await using open = await listener({ trustedProxies: ["192.0.2.1"] });
    await guessTooOften(open);
    expect(await guess(open, "203.0.113.8")).toBe(429);
  });

  it("takes a user's name from the proxy alone, whoever it names as its client", async () => {
    const proxy = { address: "127.0.0.1", userHeader: "X-Remote-User" };
    const status = async (open: { readonly port: number | undefined }, client: string) => {
      const headers = { "x-remote-user": "anna", "x-forwarded-for": client };
      return (await ask(open, "/v1/logs", { headers })).status;
    };
    await using open = await listener({ proxy, trustedProxies: ["127.0.0.1"] });
    expect(await status(open, "203.0.113.9")).toBe(200);
    await using other = await listener({
      proxy: { ...proxy, address: "203.0.113.9" },
      trustedProxies: ["127.0.0.1"],
    });
    expect(await status(other, "203.0.113.9")).toBe(401);
  });

  it("trusts nobody at the machine", async () => {
    await using open = await listener({ signIn: "where-needed", trustedProxies: ["127.0.0.1"] });
    expect((await ask(open, "/v1/logs")).status).toBe(401);
  });
});

describe("a session", () => {
  it("begins with a password, uses a cookie that scripts cannot read, and needs its token for every change", async () => {
    await using open = await listener({ signIn: "always" });
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

describe("a stream", () => {
  async function begin({ port }: { readonly port: number | undefined }, headers: Record<string, string>) {
    const asked = httpRequest({ host: "127.0.0.1", port, path: "/v1/events", headers, agent: false });
    asked.end();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    answer.on("error", () => {}).resume();
    return { answer, ended: new Promise((resolve) => answer.once("close", () => resolve("ended"))) };
  }

  it("ends when its visitor signs out, or loses the token or the password", async () => {
    const virtual = createVirtualClock(0);
    const secrets = { ...SECRETS };
    await using open = await listener({ host: "0.0.0.0" }, virtual, () => secrets);
    const json = { "content-type": "application/json" };
    const body = JSON.stringify({ user: "anna", password: "a long password" });
    const begun = await ask(open, "/v1/session", { method: "POST", headers: json, body });
    const [cookie = ""] = begun.headers["set-cookie"]?.[0]?.split(";") ?? [];
    const { csrfToken } = JSON.parse(begun.body) as { readonly csrfToken: string };
    const session = { cookie, "x-csrf-token": csrfToken };
    const streams = [
      await begin(open, { cookie }),
      await begin(open, { authorization: "Bearer a-token" }),
      await begin(open, basic("anna", "a long password")),
    ] as const;
    await virtual.advance(WEB_LIMITS.streamLookMs);
    for (const { answer } of streams) expect(answer.closed).toBe(false);
    await ask(open, "/v1/session", { method: "DELETE", headers: session });
    await virtual.advance(WEB_LIMITS.streamLookMs);
    expect(await streams[0].ended).toBe("ended");
    secrets.tokens = [];
    await virtual.advance(WEB_LIMITS.streamLookMs);
    expect(await streams[1].ended).toBe("ended");
    expect(streams[2].answer.closed).toBe(false);
    secrets.users = [{ name: "anna", passwordHash: await hashPassword("another password") }];
    await virtual.advance(WEB_LIMITS.streamLookMs);
    expect(await streams[2].ended).toBe("ended");
  });
});

describe("a one-time link", () => {
  const JSON_TYPE = { "content-type": "application/json" };
  const enter = (open: { readonly port: number | undefined }, link: string) =>
    ask(open, "/v1/session", { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ link }) });
  const keyOf = (address = "") => /#link=(.+)$/.exec(address)?.[1] ?? "";

  it("leads to the listener, and signs in one browser, once", async () => {
    await using open = await listener();
    const link = open.link();
    expect(link).toMatch(new RegExp(`^http://localhost:${open.port}/#link=[\\w-]{43}$`));
    const begun = await enter(open, keyOf(link));
    expect([begun.status, JSON.parse(begun.body)]).toMatchObject([200, { signedIn: true, by: "session" }]);
    const [cookie = ""] = begun.headers["set-cookie"] ?? [];
    const session = { cookie: cookie.split(";")[0] ?? "" };
    expect((await ask(open, "/v1/logs", { headers: session })).status).toBe(200);
    const forged = await ask(open, "/v1/sync", { method: "POST", headers: session });
    expect(forged.status).toBe(403);
    expect((await enter(open, keyOf(link))).status).toBe(401);
  });

  it("cannot be guessed, and guesses are counted", async () => {
    await using open = await listener();
    for (let times = 0; times < HTTP_LIMITS.guessesPerAddress; times += 1)
      expect((await enter(open, "made-up")).status).toBe(401);
    expect((await enter(open, keyOf(open.link()))).status).toBe(429);
  });

  it("expires after a quarter of an hour", async () => {
    const virtual = createVirtualClock(0);
    await using open = await listener({}, virtual);
    const [early, late] = [keyOf(open.link()), keyOf(open.link())];
    await virtual.advance(RECORDER_LIMITS.linkMs - 1);
    expect((await enter(open, early)).status).toBe(200);
    await virtual.advance(1);
    expect((await enter(open, late)).status).toBe(401);
  });
});

describe("a port in use", () => {
  it("does not prevent the start, and is opened once it is free", async () => {
    const other = await listener();
    const { port = 0 } = other;
    const virtual = createVirtualClock(0);
    await using waiting = await listener({ port }, virtual);
    expect(waiting.port).toBeUndefined();
    const ended = new AbortController();
    const running = waiting.run(ended.signal);
    await other[Symbol.asyncDispose]();
    await virtual.advance(WEB_LIMITS.retryMs + 1);
    while (waiting.port === undefined) await new Promise(setImmediate);
    expect((await ask(waiting, "/healthz")).status).toBe(200);
    ended.abort();
    await running;
  });
});

describe("a listener with a certificate", () => {
  // Without the program there is no certificate to be had.
  it.skipIf(spawnSync("openssl", ["version"]).status !== 0)(
    "speaks TLS, and restricts its cookie to TLS",
    async () => {
      await using folder = await temporaryFolder();
      const [certFile, keyFile] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
      const wanted =
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost";
      await told("openssl", { args: [...wanted.split(" "), "-keyout", keyFile, "-out", certFile] });
      await using open = await listener({ tls: { certFile, keyFile } });
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
    await expect(listener({ tls })).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});

describe("a listener on loopback", () => {
  const TRUSTING = { signIn: "where-needed" } as const;

  /** @param headers `PORT` stands for the listener's */
  async function status(
    headers: Record<string, string>,
    more: Partial<ListenerConfig> = TRUSTING,
    method = "GET",
  ): Promise<number> {
    await using open = await listener(more);
    const sent = Object.entries(headers).map(([name, value]) => [
      name,
      value.replace("PORT", String(open.port)),
    ]);
    const path = method === "GET" ? "/v1/logs" : "/v1/sync";
    return (await ask(open, path, { method, headers: Object.fromEntries(sent) })).status;
  }

  it("needs credentials, unless it is configured to trust local users", async () => {
    expect(await status({}, {})).toBe(401);
    expect(await status({})).toBe(200);
    expect(await status({}, { ...TRUSTING, host: "0.0.0.0" })).toBe(401);
  });

  it("treats only requests to a known name with its port as local: DNS rebinding, tunnels", async () => {
    for (const host of ["localhost:PORT", "LOCALHOST:PORT", "127.0.0.1:PORT", "[::1]:PORT"])
      expect(await status({ host }), host).toBe(200);
    for (const host of [
      "localhost",
      "localhost:1",
      "evil.example",
      "evil.example:PORT",
      "recorder.local:PORT",
    ])
      expect(await status({ host }), host).toBe(401);
    expect(await status({ host: "recorder.local:PORT" }, { ...TRUSTING, names: ["recorder.local"] })).toBe(
      200,
    );
  });

  it("never treats a request with headers of a proxy as local", async () => {
    const traces =
      "Via Forwarded X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Real-IP X-Client-IP Client-IP True-Client-IP " +
      "X-Cluster-Client-IP CF-Connecting-IP CDN-Loop Fastly-Client-IP X-Original-Host X-Original-URL Proxy-Connection " +
      "X-Envoy-External-Address X-Request-Id X-Scheme Remote-User Max-Forwards";
    for (const name of traces.split(" ")) expect(await status({ [name]: "1" }), name).toBe(401);
    // Headers of our own page and of Prometheus.
    expect(await status({ "x-csrf-token": "1" })).toBe(200);
    expect(await status({ "x-prometheus-scrape-timeout-seconds": "10" })).toBe(200);
  });

  it("never treats HTTP/1.0 as local, with or without a Host", async () => {
    await using open = await listener(TRUSTING);
    const said = async (lines: string) =>
      (await rawly(open, `GET /v1/logs ${lines}\r\n\r\n`)).split("\r\n")[0];
    const host = `Host: localhost:${open.port}`;
    expect(await said(`HTTP/1.1\r\n${host}\r\nConnection: close`)).toBe("HTTP/1.1 200 OK");
    expect(await said(`HTTP/1.0\r\n${host}\r\nConnection: close`)).toBe("HTTP/1.1 401 Unauthorized");
    expect(await said("HTTP/1.0")).toBe("HTTP/1.1 401 Unauthorized");
  });

  it("explains why a request that needs a sign-in does not count as local", async () => {
    await using open = await listener(TRUSTING);
    const { body } = await ask(open, "/v1/logs", { headers: { via: "1.1 somewhere" } });
    expect(body).toContain("the request came through a proxy (via)");
  });

  it("answers requests from its own pages only", async () => {
    const host = "localhost:PORT";
    expect(await status({ host, origin: "http://localhost:PORT" }, TRUSTING, "POST")).toBe(202);
    expect(await status({ host, origin: "https://evil.example" }, TRUSTING, "POST")).toBe(403);
    expect(await status({ host, origin: "null" }, TRUSTING, "POST")).toBe(403);
    expect(await status({ "sec-fetch-site": "same-origin" })).toBe(200);
    expect(await status({ "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status({ "sec-fetch-site": "same-site" })).toBe(403);
  });

  it("trusts the configured proxy, and no other", async () => {
    const proxy = { address: "127.0.0.1", userHeader: "X-Remote-User" };
    expect(await status({}, { ...TRUSTING, proxy })).toBe(401);
    expect(await status({ "x-remote-user": "anna", "x-forwarded-for": "192.0.2.1" }, { proxy })).toBe(200);
    expect(await status({ "x-remote-user": "anna" }, { proxy: { ...proxy, address: "127.0.0.2" } })).toBe(
      401,
    );
  });

  it("refuses bodies that a form on another site could send", async () => {
    await using open = await listener(TRUSTING);
    const headers = { "content-type": "text/plain" };
    expect((await ask(open, "/v1/what-if", { method: "POST", headers, body: "{}" })).status).toBe(415);
  });

  it("refuses texts with NUL or a lone surrogate at any place", async () => {
    await using open = await listener(TRUSTING);
    const post = async (body: string) => {
      const headers = { "content-type": "application/json" };
      return (await ask(open, "/v1/session", { method: "POST", headers, body })).status;
    };
    expect(await post('{"user":"anna\\u0000","password":"x"}')).toBe(400);
    expect(await post('{"user":"\\ud83dna","password":"x"}')).toBe(400);
    expect(await post('{"user":"anna","password":"x","\\udc00":1}')).toBe(400);
    expect(await post('{"user":"\\ud83d\\ude00","password":"x"}')).toBe(401);
    expect((await ask(open, "/v1/timers/a%00b/why")).status).toBe(400);
    expect((await ask(open, "/v1/guide/shows?search=a%00b")).status).toBe(400);
  });

  it("gives each error its own message, and forbids browsers to guess content types", async () => {
    await using open = await listener(TRUSTING);
    const { status: found, headers, body } = await ask(open, "/v1/nothing");
    expect([found, headers["x-content-type-options"]]).toEqual([404, "nosniff"]);
    expect(JSON.parse(body)).toMatchObject({ code: "no-route" });
    expect((await ask(open, "/v1/sync")).headers["allow"]).toBe("POST");
  });
});

describe("the interface of a recorder", () => {
  it("compresses a long answer for a browser", async () => {
    await using door = await listener({ signIn: "where-needed" });
    const headers = { "accept-encoding": "gzip" };
    const packed = await ask(door, "/v1/openapi.json", { headers });
    expect(packed.headers).toMatchObject({ "content-encoding": "gzip", "cache-control": "no-store" });
    const plain = await ask(door, "/v1/openapi.json");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(packed.body.length).toBeLessThan(plain.body.length / 3);
  });
});
