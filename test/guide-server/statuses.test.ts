import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GUIDE_ROUTES } from "../../src/guide-server/http/routes.ts";
import { REFUSAL_CODES } from "../../src/guide-server/refusal.ts";
import { GuideService } from "../../src/guide-server/server.ts";
import type { WireFormat } from "../../src/guide-wire/codec.ts";
import { decodeDocument, encodeDocument } from "../../src/guide-wire/codec.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { CONTRACT } from "../guide-contract/rows.ts";
import { type Answer, type Hosted, hosted, PASSWORD } from "./hosted.ts";

let full: Hosted;
beforeAll(async () => {
  full = await hosted();
});
afterAll(() => full[Symbol.asyncDispose]());

type Case = (wire: WireFormat) => Promise<Answer>;

const change = (fields: object) => ({ kind: "timer-set" as const, value: { ...fields } });
const batch = (fields: object) => ({
  kind: "timer-batch" as const,
  value: { timers: [{ id: "1", ...fields }] },
});
const login = (password: string) => ({
  kind: "login-request" as const,
  value: { member: { email_address: full.email, password } },
});

const get =
  (path: string): Case =>
  (wire) =>
    full.send({ method: "GET", path }, wire);
const CSV = { "content-type": "text/csv" };

const LOGS = { kind: "pvr-logs" as const, value: { logs: [{ level: "info", text: "started" }] } };
const scanOf = (services: number) => ({
  kind: "scans" as const,
  value: {
    scans: Array.from({ length: services }, (_, sid) => ({ channel_name: `S${sid}`, onid: 1, tsid: 2, sid })),
  },
});

async function tooManyLogins(wire: WireFormat): Promise<Answer> {
  await using other = await hosted();
  const wrong = {
    kind: "login-request" as const,
    value: { member: { email_address: "who@x", password: "no" } },
  };
  const guess = { method: "PUT", path: "/login", anonymous: true } as const;
  for (let tries = 0; tries < 10; tries += 1) await other.send(guess, wire, wrong);
  return await other.send(guess, wire, wrong);
}

/**
 * One request for each status of the routes that our client does not use; those that it uses are the contract suite's affair.
 * Those of 503 are below: they are the same for all.
 */
const CASES: Readonly<Record<string, Case>> = {
  "GET /devices/types/{type_id} 200": get("/devices/types/2"),
  "GET /devices/types/{type_id} 404": get("/devices/types/99"),
  "PUT /shows/timers 200": async (wire) =>
    full.send(
      { method: "PUT", path: "/shows/timers" },
      wire,
      batch({ id: await full.book(), state: "pending" }),
    ),
  "PUT /shows/timers 401": (wire) =>
    full.send({ method: "PUT", path: "/shows/timers", anonymous: true }, wire, batch({})),
  "PUT /shows/timers 404": async (wire) =>
    full.send(
      { method: "PUT", path: "/shows/timers" },
      wire,
      batch({ id: await full.book(), device_id: 99 }),
    ),
  "PUT /shows/timers 406": async (wire) =>
    full.send(
      { method: "PUT", path: "/shows/timers" },
      wire,
      batch({ id: await full.book(), "pre-padding": -1 }),
    ),
  "PUT /shows/timers 415": (wire) =>
    full.send({ method: "PUT", path: "/shows/timers", text: "a;b", headers: CSV }, wire),
  "POST /user/pvr_logs 201": (wire) => full.send({ method: "POST", path: "/user/pvr_logs" }, wire, LOGS),
  "POST /user/pvr_logs 401": (wire) =>
    full.send({ method: "POST", path: "/user/pvr_logs", anonymous: true }, wire, LOGS),
  "POST /user/pvr_logs 406": (wire) =>
    full.send({ method: "POST", path: "/user/pvr_logs" }, wire, change({})),
  "POST /user/pvr_logs 415": (wire) =>
    full.send({ method: "POST", path: "/user/pvr_logs", text: "a;b", headers: CSV }, wire),
  "POST /scans 200": (wire) => full.send({ method: "POST", path: "/scans" }, wire, scanOf(1)),
  "POST /scans 401": (wire) =>
    full.send({ method: "POST", path: "/scans", anonymous: true }, wire, scanOf(1)),
  "POST /scans 406": (wire) => full.send({ method: "POST", path: "/scans" }, wire, scanOf(5001)),
  "POST /scans 415": (wire) => full.send({ method: "POST", path: "/scans", text: "a;b", headers: CSV }, wire),
  "PUT /login 200": (wire) =>
    full.send({ method: "PUT", path: "/login", anonymous: true }, wire, login(PASSWORD)),
  "PUT /login 401": (wire) =>
    full.send({ method: "PUT", path: "/login", anonymous: true }, wire, login("wrong")),
  "PUT /login 406": (wire) => full.send({ method: "PUT", path: "/login", anonymous: true }, wire, change({})),
  "PUT /login 415": (wire) => full.send({ method: "PUT", path: "/login", text: "a;b", headers: CSV }, wire),
  "PUT /login 429": tooManyLogins,
};

async function answerOf(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init);
  const body = Buffer.from(await response.arrayBuffer());
  const headers = Object.fromEntries(response.headers);
  return {
    status: response.status,
    headers,
    body,
    read: (kind) => decodeDocument(kind, body, { contentType: headers["content-type"] ?? "" }).value,
  };
}

describe("every status of every request outside our client", () => {
  const inContract = new Set(CONTRACT.map(({ method, path }) => `${method} /${path}`));
  // Streams of events never end: list-changes.test.ts has their statuses.
  const others = GUIDE_ROUTES.filter(
    ({ method, path, events }) => events === undefined && !inContract.has(`${method} ${path}`),
  );
  const wanted = others.flatMap(({ method, path, success, statuses }) =>
    [String(success), ...Object.keys(statuses).filter((status) => status !== "503")].map(
      (status) => `${method} ${path} ${status}`,
    ),
  );

  it("has a condition and a test", () => {
    expect(Object.keys(CASES).sort()).toEqual([...wanted].sort());
  });

  for (const wire of ["json", "xml"] as const) {
    it.each(Object.keys(CASES))(`%s, in ${wire}`, async (name) => {
      const status = Number(name.split(" ").at(-1));
      const answer = await CASES[name]?.(wire);
      expect(answer?.status).toBe(status);
      const [method = "", path = ""] = name.split(" ");
      const route = GUIDE_ROUTES.find((one) => one.method === method && one.path === path);
      const type = answer?.headers["content-type"] ?? "";
      if (status >= 400) {
        expect(type).toContain(wire);
        const { error } = answer?.read("error") ?? {};
        expect(error).toMatchObject({ status, code: REFUSAL_CODES[status as 404] });
      } else if (route?.answer === undefined) expect(answer?.body.length).toBe(0);
      else {
        expect(type).toContain(wire);
        answer?.read(route.answer);
      }
      if (status === 429) expect(Number(answer?.headers["retry-after"])).toBeGreaterThan(0);
    });
  }
});

describe("a request on account data", () => {
  const own = GUIDE_ROUTES.filter(({ account }) => account !== "none");
  const half = ["", "?email_address=viewer%2Btv%40example.org", "?token=x", "?email_address=&token="];

  it.each(half)("without both credentials is refused with 401, whatever else is wrong: %s", async (query) => {
    for (const { method, path } of own) {
      const address = `${path.replace(/\{\w+\}/g, "1")}${query}`;
      const { status } = await full.ask({ method, path: address, anonymous: true, headers: CSV });
      expect([method, path, status]).toEqual([method, path, 401]);
    }
  });
});

describe("a server without its data", () => {
  const paths = GUIDE_ROUTES.map(({ method, path }) => [method, path.replace(/\{\w+\}/g, "1")] as const);

  it.each(["json", "xml"])("answers every request with 503 and Retry-After, in %s", async (wire) => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-guide-server-"));
    await using service = new GuideService({ dataFolder: folder, clock: systemClock(), log: silentLog });
    const { baseUrl } = await service.listen({ host: "127.0.0.1", port: 0 });
    for (const [method, path] of paths) {
      const answer = await answerOf(`${baseUrl}${path}.${wire}`, { method });
      expect([method, path, answer.status]).toEqual([method, path, 503]);
      expect(answer.headers["retry-after"]).toBe("5");
      expect(answer.headers["content-type"]).toContain(wire);
      expect(answer.read("error").error.code).toBe("unavailable");
    }
    await rm(folder, { recursive: true });
  });

  it("answers the requests received before a shutdown, and refuses later ones with 503", async () => {
    await using guide = await hosted();
    const { port } = new URL(guide.baseUrl);
    const socket = connect(Number(port), "127.0.0.1");
    const { body } = encodeDocument("timer-set", { state: "running" }, { format: "xml" });
    const said = new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (data: Buffer) => {
        text += data.toString();
      });
      socket.on("close", () => resolve(text));
    });
    await new Promise<void>((resolve) => {
      const head = `PUT /shows/timers/1.xml HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
      socket.write(head + body.subarray(0, 5).toString(), () => resolve());
    });
    // One full exchange later the server has seen the beginning of the other.
    await guide.ask({ method: "GET", path: "/regions" });
    const closed = guide.server[Symbol.asyncDispose]();
    socket.write(body.subarray(5));
    expect(await said).toMatch(/^HTTP\/1\.1 503[\s\S]*retry-after: 5[\s\S]*<error status="503"/i);
    await closed;
  });
});
