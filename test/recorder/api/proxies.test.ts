import { readFile, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGuideServer } from "../../../src/guide-server/server.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { type Browser, openBrowser, openPage, syncNow } from "../../dashboard/browser.ts";
import { freePort } from "../../free-port.ts";
import { GUIDE } from "../../guide-server/hosted.ts";
import { PAGES } from "../../guide-server/household.ts";
import { type InProcess, inProcess, simTuners } from "../../main-job/in-process.ts";
import { type TestWorld, temporaryFolder, testWorld } from "../../main-job/recorder.ts";
import { documented, haproxy, nginx, type ReverseProxy } from "../../proxy.ts";

const CERTIFICATE = join(import.meta.dirname, "../../fixtures/guide/self-signed.crt");
const KEY = join(import.meta.dirname, "../../fixtures/guide/self-signed.key");
const JSON_TYPE = { "content-type": "application/json" };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: TestWorld;
let browser: Browser;
/** A recorder with default settings, and one that trusts people at the machine. */
let recorder: InProcess;
let trusting: InProcess;

beforeAll(async () => {
  folder = await temporaryFolder();
  world = await testWorld(folder.path);
  const tuners = simTuners(world, 1);
  recorder = await inProcess(join(folder.path, "1"), world, { tuners, web: { port: 0 } });
  const home = await world.another("second recorder");
  trusting = await inProcess(join(folder.path, "2"), home, {
    tuners,
    web: { port: 0, signIn: "where-needed" },
  });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await recorder[Symbol.asyncDispose]();
  await trusting[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

interface Asked {
  readonly port: number | undefined;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly isTls?: boolean;
}

function statusOf({ port, path, headers = {}, body, isTls = false }: Asked): Promise<number> {
  const method = body === undefined ? "GET" : "POST";
  const sent = { ...(body === undefined ? {} : JSON_TYPE), ...headers };
  const order = { host: "127.0.0.1", port, path, method, headers: sent, agent: false };
  return new Promise((resolve, reject) => {
    const asked = isTls ? httpsRequest({ ...order, rejectUnauthorized: false }) : httpRequest(order);
    asked.once("response", (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.destroy();
    });
    asked.once("error", reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Proxies that nobody has configured beyond where they lead. */
const BARE: Readonly<Record<string, (upstream: number) => Promise<ReverseProxy>>> = {
  "nginx, bare proxy_pass": (upstream) => bareNginx("", upstream),
  "nginx, HTTP/1.1": (upstream) => bareNginx("proxy_http_version 1.1;", upstream),
  "nginx, HTTP/1.1 and the client's Host": (upstream) =>
    bareNginx("proxy_http_version 1.1; proxy_set_header Host $http_host;", upstream),
  "HAProxy, mode http": (upstream) => bareHaproxy("http", upstream),
  "HAProxy, mode tcp": (upstream) => bareHaproxy("tcp", upstream),
};

async function bareNginx(more: string, upstream: number): Promise<ReverseProxy> {
  const port = await freePort();
  const inner = `location / { ${more} proxy_pass http://localhost:${upstream}; }`;
  return nginx(port, `server { listen 127.0.0.1:${port}; ${inner} }`);
}

async function bareHaproxy(mode: string, upstream: number): Promise<ReverseProxy> {
  const port = await freePort();
  const timeouts = ["connect 30s", "client 60s", "server 60s"].map((each) => `  timeout ${each}`);
  const listen = ["listen bare", `  bind 127.0.0.1:${port}`, `  server upstream 127.0.0.1:${upstream}`];
  return haproxy(port, ["defaults", `  mode ${mode}`, ...timeouts, ...listen].join("\n"));
}

/** The Host header of strangers: the proxy's name, the upstream's own, and neither of both. */
const hostsOf = (proxy: number, upstream: number | undefined) => [
  `127.0.0.1:${proxy}`,
  `localhost:${upstream}`,
  "recorder.example",
];

describe.each(Object.entries(BARE))("behind %s", (_name, open) => {
  it("the dashboard treats no request as local, whatever its Host", async () => {
    const upstream = recorder.daemon.webPort ?? 0;
    await using proxy = await open(upstream);
    for (const host of hostsOf(proxy.port, upstream)) {
      const headers = { host };
      const asked = { port: proxy.port, headers };
      expect(await statusOf({ ...asked, path: "/v1/snapshot" }), host).toBe(401);
      expect(await statusOf({ ...asked, path: "/v1/sync", body: {} }), host).toBe(401);
      expect(await statusOf({ ...asked, path: "/v1/links", body: {} }), host).toBe(404);
      expect(await statusOf({ ...asked, path: "/v1/session", body: { link: "x" } }), host).toBe(401);
    }
  });

  it("the guide server does not allow the first account", async () => {
    await using apart = await temporaryFolder();
    await using guide = await openGuide(apart.path);
    await using proxy = await open(guide.port);
    for (const host of hostsOf(proxy.port, guide.port)) {
      const body = { email: "a@example.org", password: "a long password" };
      const asked = { port: proxy.port, path: "/v1/accounts", headers: { host } };
      expect(await statusOf({ ...asked, body }), host).toBe(403);
      expect(await statusOf({ ...asked, body: { ...body, link: "made-up" } }), host).toBe(403);
    }
  });
});

describe("a recorder that trusts local users", () => {
  const ask = async (kind: string, host: (proxy: number, upstream: number) => string) => {
    const upstream = trusting.daemon.webPort ?? 0;
    const open = BARE[kind];
    if (open === undefined) throw new Error(`no proxy is called ${kind}`);
    await using proxy = await open(upstream);
    return await statusOf({
      port: proxy.port,
      path: "/v1/snapshot",
      headers: { host: host(proxy.port, upstream) },
    });
  };
  const forged = (_proxy: number, upstream: number) => `localhost:${upstream}`;
  const honest = (proxy: number) => `localhost:${proxy}`;

  it("accepts direct requests without a sign-in", async () => {
    expect(await statusOf({ port: trusting.daemon.webPort, path: "/v1/snapshot" })).toBe(200);
  });

  it("never treats a request through nginx with a bare proxy_pass as local, whatever its Host", async () => {
    for (const host of [forged, honest]) expect(await ask("nginx, bare proxy_pass", host)).toBe(401);
  });

  it("treats a request as remote if the proxy passes on its Host", async () => {
    for (const kind of ["nginx, HTTP/1.1 and the client's Host", "HAProxy, mode http", "HAProxy, mode tcp"])
      expect(await ask(kind, honest), kind).toBe(401);
  });

  // The documented limit of `where-needed`: a proxy without any trace looks like a browser.
  it("cannot detect a proxy that passes on a forged Host", async () => {
    expect(await ask("HAProxy, mode http", forged)).toBe(200);
    expect(await ask("nginx, HTTP/1.1", honest)).toBe(200);
  });
});

interface Behind {
  readonly port: number;
  readonly recorder: number;
  readonly guide: number;
}

/** The names in the documented examples, and their values in these tests. */
const placesOf = ({ recorder, guide }: Behind) => ({
  "guide.example": "guide.localhost",
  "127.0.0.1:8790": `127.0.0.1:${recorder}`,
  "127.0.0.1:8437": `127.0.0.1:${guide}`,
});

const DOCUMENTED: Readonly<Record<string, (behind: Behind) => Promise<ReverseProxy>>> = {
  nginx: async (behind) => {
    const words = {
      ...placesOf(behind),
      "443 ssl": `127.0.0.1:${behind.port} ssl`,
      "recorder.example": "recorder.localhost",
      "/etc/ssl/recorder.crt": CERTIFICATE,
      "/etc/ssl/recorder.key": KEY,
    };
    return nginx(behind.port, await documented("nginx", words));
  },
  HAProxy: async (behind) => {
    const pem = join(folder.path, "both.pem");
    await writeFile(pem, (await readFile(CERTIFICATE, "utf8")) + (await readFile(KEY, "utf8")));
    const words = {
      ...placesOf(behind),
      ":443": `127.0.0.1:${behind.port}`,
      "/etc/haproxy/recorder.pem": pem,
    };
    return haproxy(behind.port, await documented("haproxy", words));
  },
};

describe.each(Object.entries(DOCUMENTED))("behind %s with the documented configuration", (_name, open) => {
  it("users sign in at the dashboard and at the guide server, and no one else has access", async () => {
    await using apart = await temporaryFolder();
    const port = await freePort();
    await using guide = await openGuide(apart.path, `https://guide.localhost:${port}`);
    await using _proxy = await open({ port, recorder: recorder.daemon.webPort ?? 0, guide: guide.port });
    const strangers = { port, isTls: true, headers: { host: `recorder.localhost:${port}` } };
    expect(await statusOf({ ...strangers, path: "/v1/snapshot" })).toBe(401);
    const body = { email: "a@example.org", password: "a long password" };
    const headers = { host: `guide.localhost:${port}` };
    expect(await statusOf({ ...strangers, headers, path: "/v1/accounts", body })).toBe(403);

    const base = `https://recorder.localhost:${port}`;
    const { page, errors } = await openPage(browser, { base, isSelfSigned: true });
    await page.goto(`/${new URL(recorder.daemon.webLink()).hash}`);
    // The stream of events comes through, and so do changes.
    await page.getByText("live", { exact: true }).waitFor();
    await syncNow(page);
    await page.getByText("The recorder is asking the guide service.").waitFor();
    expect(await page.context().cookies()).toMatchObject([{ name: "recorderd", secure: true }]);

    await page.goto((await readFile(join(apart.path, "first-account"), "utf8")).trim());
    await page.getByLabel("E-mail address").fill("home@example.org");
    await page.getByLabel(/^Password/).fill("a long password");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText(/^None yet/).waitFor();
    expect(new URL(page.url()).host).toBe(`guide.localhost:${port}`);
    expect(errors).toEqual([]);
    await page.close();
  });
});

describe("behind nginx with sign-in and the documented configuration", () => {
  it("the recorder accepts the user name from nginx, and never a forged one", async () => {
    const home = await world.another("third recorder");
    await using signedIn = await inProcess(join(folder.path, "3"), home, {
      tuners: simTuners(world, 1),
      web: { port: 0, proxy: { address: "127.0.0.1", userHeader: "X-Remote-User" } },
    });
    const passwords = join(folder.path, "passwords");
    await writeFile(passwords, "anna:{PLAIN}a long password\n");
    const words = {
      "/etc/nginx/recorder.passwords": passwords,
      "127.0.0.1:8790": `127.0.0.1:${signedIn.daemon.webPort}`,
    };
    const port = await freePort();
    const inner = await documented("nginx", words, 1);
    await using _proxy = await nginx(port, `server { listen 127.0.0.1:${port}; ${inner} }`);
    const asked = { port, path: "/v1/snapshot" };
    const authorization = `Basic ${Buffer.from("anna:a long password").toString("base64")}`;
    expect(await statusOf({ ...asked, headers: { authorization } })).toBe(200);
    expect(await statusOf({ ...asked, headers: { "x-remote-user": "anna" } })).toBe(401);
  });
});

/** A guide server with regions and without an account. */
async function openGuide(dataFolder: string, publicUrl?: string) {
  const server = await openGuideServer({
    dataFolder,
    clock: systemClock(),
    log: silentLog,
    pages: PAGES,
    ...(publicUrl === undefined ? {} : { publicUrl }),
  });
  await server.seed(GUIDE);
  const { baseUrl } = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    port: Number(new URL(baseUrl).port),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
