import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenHash } from "../../../src/kit/http/password.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { RecorderdError } from "../../../src/model/errors.ts";
import type { DaemonApi } from "../../../src/recorder/api/daemon-api.ts";
import { apiRoutes, setupApi } from "../../../src/recorder/api/routes.ts";
import type { SetupApi } from "../../../src/recorder/api/setup-routes.ts";
import { type HttpListener, openHttpListener } from "../../../src/web/listener/http-listener.ts";
import { OneTimeLinks } from "../../../src/web/listener/one-time-links.ts";
import type { SignInParts } from "../../../src/web/listener/session-routes.ts";
import type { ApiRoute } from "../../../src/web/route.ts";

const clock = systemClock();
/** Calls that have reached the recorder. */
let calls = 0;

/** An API of which every function, at any depth, counts its call and refuses it. */
function refusing(): object {
  return new Proxy(() => {}, {
    get: () => refusing(),
    apply: () => {
      calls += 1;
      throw new RecorderdError("RECORDING_UNKNOWN", "There is no such recording.");
    },
  });
}

const DOORS = {
  recorder: (entrance: SignInParts) => apiRoutes(refusing() as DaemonApi, entrance),
  setup: (entrance: SignInParts) => setupApi(refusing() as SetupApi, entrance),
} as const;

const DOORSTEP = ["GET /healthz", "GET /readyz", "GET /v1/session", "POST /v1/session"];
const agent = new Agent({ keepAlive: true });
let lastAddress = 0;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Comes from another address each time: guesses of one address are limited. */
function ask(port: number, { method, path, headers = {}, body }: Sent) {
  lastAddress += 1;
  const from = `10.0.${lastAddress >> 8}.${lastAddress & 255}`;
  const all = { "content-type": "application/json", "x-forwarded-for": from, ...headers };
  return new Promise<{ status: number; cookie: string; text: string }>((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method, headers: all, agent };
    const asked = httpRequest(options, async (answer) => {
      let text = "";
      for await (const part of answer) text += part;
      const [cookie = ""] = answer.headers["set-cookie"] ?? [];
      resolve({ status: answer.statusCode ?? 0, cookie: cookie.split(";")[0] ?? "", text });
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

describe.each(Object.entries(DOORS))("every route of the %s", (_, routesOf) => {
  let door: HttpListener;
  let port: number;
  let table: readonly ApiRoute[];
  let session: Readonly<Record<string, string>>;
  let ended: Readonly<Record<string, string>>;

  async function signIn() {
    const link = /#link=(.+)$/.exec(door.link() ?? "")?.[1];
    const sent = { method: "POST", path: "/v1/session", body: JSON.stringify({ link }) };
    const { cookie, text } = await ask(port, sent);
    return { cookie, "x-csrf-token": (JSON.parse(text) as { csrfToken: string }).csrfToken };
  }

  beforeAll(async () => {
    door = await openHttpListener(
      { host: "127.0.0.1", port: 0, names: [], signIn: "always", trustedProxies: ["127.0.0.1"] },
      {
        routes: (entrance) => {
          table = routesOf(entrance);
          return table;
        },
        secrets: () => ({ tokens: [{ name: "kodi", sha256: tokenHash("a-token") }] }),
        links: new OneTimeLinks({ clock }),
        folder: join(import.meta.dirname, "no-dashboard"),
        clock,
        log: silentLog,
      },
    );
    port = door.port ?? 0;
    session = await signIn();
    ended = await signIn();
    await ask(port, { method: "DELETE", path: "/v1/session", headers: ended });
  });
  afterAll(() => door[Symbol.asyncDispose]());

  /** All requests but those of the doorstep, also with HEAD. */
  function requests(isWanted: (method: string) => boolean = () => true): readonly Sent[] {
    return table
      .filter(({ open, path }) => open !== true && path !== "/v1/session")
      .flatMap(({ method, path }) =>
        (method === "GET" ? ["GET", "HEAD"] : [method]).map((each) => ({
          method: each,
          path: path.replace(/:\w+/g, "1"),
        })),
      )
      .filter(({ method }) => isWanted(method))
      .map((each) => (["POST", "PUT"].includes(each.method) ? { ...each, body: "{}" } : each));
  }

  async function answersTo(headers: Readonly<Record<string, string>>, sent = requests()) {
    const before = calls;
    const answers = [];
    for (const each of sent)
      answers.push({ ...each, status: (await ask(port, { ...each, headers })).status });
    return { answers, calls: calls - before };
  }

  const EVIL = { origin: "https://evil.example" };
  const STRANGERS: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
    nobody: () => ({}),
    "somebody with another token": () => ({ authorization: "Bearer another" }),
    "somebody with another token of a player": () => ({ authorization: `Basic ${btoa("token:another")}` }),
    "somebody with a cookie of their own making": () => ({ cookie: `${session["cookie"]}x` }),
    "a session that has ended": () => ended,
    "a session in another header": () => ({ "x-csrf-token": session["x-csrf-token"] ?? "" }),
    "somebody whom a header names": () => ({ "x-remote-user": "anna" }),
  };

  it("needs a sign-in, except the doorstep", () => {
    const open = table.filter((each) => each.open).map(({ method, path }) => `${method} ${path}`);
    expect(open.filter((name) => !DOORSTEP.includes(name))).toEqual([]);
  });

  it.each(Object.entries(STRANGERS))("is closed to %s", async (__, headers) => {
    const { answers, calls: reached } = await answersTo(headers());
    expect(answers.filter(({ status }) => status !== 401)).toEqual([]);
    expect(reached).toBe(0);
  });

  const FORGED: typeof STRANGERS = {
    "a page of another site with a session": () => ({ ...session, ...EVIL }),
    "a page of another port with a session": () => ({ ...session, origin: "http://127.0.0.1:1" }),
    "a page without an origin with a session": () => ({ ...session, origin: "null" }),
    "a page of another site with a token": () => ({ authorization: "Bearer a-token", ...EVIL }),
    "a link of another site": () => ({ ...session, "sec-fetch-site": "cross-site" }),
  };

  it.each(Object.entries(FORGED))("is closed to %s", async (__, headers) => {
    const { answers, calls: reached } = await answersTo(headers());
    expect(answers.filter(({ status }) => status !== 403)).toEqual([]);
    expect(reached).toBe(0);
  });

  it.each([undefined, "made-up", "ended"])(
    "that changes something is closed to a session with CSRF token %s",
    async (kind) => {
      const { cookie = "" } = session;
      const token = kind === "ended" ? ended["x-csrf-token"] : kind;
      const changes = requests((method) => method !== "GET" && method !== "HEAD");
      const headers = { cookie, ...(token === undefined ? {} : { "x-csrf-token": token }) };
      const { answers, calls: reached } = await answersTo(headers, changes);
      expect(changes.length).toBeGreaterThan(5);
      expect(answers.filter(({ status }) => status !== 403)).toEqual([]);
      expect(reached).toBe(0);
    },
  );

  it.each([
    ["a session", () => session],
    ["a token", () => ({ authorization: "Bearer a-token" })],
  ])("is open to %s", async (__, headers) => {
    const { answers, calls: reached } = await answersTo(headers());
    expect(answers.filter(({ status }) => [401, 403, 415, 429, 500].includes(status))).toEqual([]);
    expect(reached).toBeGreaterThan(5);
  });
});
