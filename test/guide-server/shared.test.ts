import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GuideServer, openGuideServer } from "../../src/guide-server/server.ts";
import { HTTP_LIMITS } from "../../src/kit/http/limits.ts";
import { NO_COST } from "../../src/kit/http/password.ts";
import { silentLog } from "../../src/kit/log.ts";
import { parseDatabaseAddress } from "../../src/kit/postgres/address.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import { Postgres, SECURED } from "../postgres/postgres.ts";
import { whyNoPostgres } from "../postgres/programs.ts";
import { openEventStream } from "./event-stream.ts";
import { GUIDE } from "./hosted.ts";
import { PAGES } from "./household.ts";

const why = whyNoPostgres();
const PASSWORD = "correct horse";
const clock = systemClock();

let postgres: Postgres;
beforeAll(async () => {
  if (why === undefined) postgres = await Postgres.start();
});
afterAll(async () => postgres?.[Symbol.asyncDispose]());

interface Peer extends AsyncDisposable {
  readonly server: GuideServer;
  readonly baseUrl: string;
}

/** A server of a database, as one of several processes. */
async function peer(url: string, password?: string): Promise<Peer> {
  const dataFolder = await mkdtemp(join(tmpdir(), "recorderd-peer-"));
  const server = await openGuideServer({
    dataFolder,
    database: { address: parseDatabaseAddress(url), ...(password === undefined ? {} : { password }) },
    clock,
    log: silentLog,
    allowSignUp: true,
    passwordCost: NO_COST,
    pages: PAGES,
  });
  const { baseUrl } = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    server,
    baseUrl,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

async function post(url: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

interface Signed {
  readonly token: string;
  readonly query: string;
  readonly deviceId: number;
}

async function signedIn({ baseUrl }: Peer, email: string): Promise<Signed> {
  const answer = await post(`${baseUrl}/login`, {
    member: { email_address: email, password: PASSWORD },
    device: { uid: email, label: "Lounge", type_id: 1 },
  });
  const { member, device } = (await answer.json()) as {
    member: { token: string };
    device: { id: number };
  };
  return {
    token: member.token,
    query: new URLSearchParams({ email_address: email, token: member.token }).toString(),
    deviceId: device.id,
  };
}

/** Orders a recording by channel and time. @returns the answer's status */
async function booked({ baseUrl }: Peer, { query, deviceId }: Signed, minutes: number): Promise<number> {
  const start = clock.now() + HOUR + minutes * MINUTE;
  const { status } = await post(`${baseUrl}/shows/timers?${query}`, {
    ...{ device_id: deviceId, channel_id: 7, name: `At ${minutes}`, duration_minutes: 1 },
    start_time: new Date(start - (start % MINUTE)).toISOString(),
  });
  return status;
}

async function timersAt({ baseUrl }: Peer, { query }: Signed): Promise<readonly { readonly id: string }[]> {
  const answer = await fetch(`${baseUrl}/shows/timers?${query}`);
  return ((await answer.json()) as { timers: readonly { id: string }[] }).timers;
}

describe.skipIf(why !== undefined)(`servers of one database${why === undefined ? "" : ` (${why})`}`, () => {
  it("show each other's accounts, orders and programmes at once", async () => {
    const url = postgres.url(await postgres.createDatabase());
    await using one = await peer(url);
    await using two = await peer(url);
    await one.server.seed(GUIDE);
    const account = await signedIn(one, "first@example.org");
    expect(await booked(one, account, 0)).toBe(201);
    expect(await timersAt(two, account)).toHaveLength(1);
    expect(await booked(two, account, 5)).toBe(201);
    expect(await timersAt(one, account)).toHaveLength(2);
    const start = clock.now() + 3 * HOUR;
    const showId = await two.server.addShow({ channelId: 7, start, durationMinutes: 60, title: "Published" });
    const order = { device_id: account.deviceId, show_id: showId };
    expect((await post(`${one.baseUrl}/shows/timers?${account.query}`, order)).status).toBe(201);
  });

  it("decide one after the other on the same account, and give no id twice", async () => {
    const url = postgres.url(await postgres.createDatabase());
    await using one = await peer(url);
    await using two = await peer(url);
    await one.server.seed(GUIDE);
    const account = await signedIn(one, "busy@example.org");
    const other = await signedIn(two, "other@example.org");
    const orders = Array.from({ length: 60 }, (_, at) =>
      booked(at % 2 === 0 ? one : two, at % 3 === 0 ? other : account, at),
    );
    expect(new Set(await Promise.all(orders))).toEqual(new Set([201]));
    const all = [...(await timersAt(one, account)), ...(await timersAt(two, other))];
    expect(new Set(all.map(({ id }) => id)).size).toBe(60);
  });

  it("tell a client of one of them what another one has changed", async () => {
    const url = postgres.url(await postgres.createDatabase());
    await using one = await peer(url);
    await using two = await peer(url);
    await one.server.seed(GUIDE);
    const account = await signedIn(one, "listener@example.org");
    using stream = await openEventStream(
      { baseUrl: two.baseUrl, email: "listener@example.org", token: account.token },
      { path: "/shows/timers/changes" },
    );
    await stream.shows(/version/);
    expect(await booked(one, account, 0)).toBe(201);
    await stream.shows(/version[\s\S]*version/);
  });

  it("do a piece of work once, and take it over from one that has ended", async () => {
    const name = await postgres.createDatabase();
    const url = postgres.url(name);
    await using one = await peer(url);
    await using two = await peer(url);
    let runs = 0;
    const work = async () => {
      runs += 1;
    };
    const both = [one, two, one, two].map(({ server }) => server.once("prune", HOUR, work));
    expect((await Promise.all(both)).filter((done) => done)).toHaveLength(1);
    expect(await two.server.once("prune", HOUR, work)).toBe(false);
    expect(runs).toBe(1);
    // A holder that has ended without renewing its claim.
    await postgres.sql("UPDATE jobs SET due = 0, holder = 'gone', lease_until = 1", name);
    expect(await two.server.once("prune", HOUR, work)).toBe(true);
  });

  it("answer 503 with Retry-After while it is down, lose nothing, and continue by themselves", async () => {
    await using own = await Postgres.start();
    const url = own.url(await own.createDatabase());
    await using one = await peer(url);
    await one.server.seed(GUIDE);
    const account = await signedIn(one, "patient@example.org");
    expect(await booked(one, account, 0)).toBe(201);
    await own.end("immediate");
    const refused = await fetch(`${one.baseUrl}/shows/timers?${account.query}`);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
    ]);
    expect(await booked(one, account, 5)).toBe(503);
    await own.start();
    await expect.poll(() => booked(one, account, 10)).toBe(201);
    expect(await timersAt(one, account)).toHaveLength(2);
  });

  it("serve the browser that signed in to any of them, until it signs out at any of them", async () => {
    const name = await postgres.createDatabase();
    await using one = await peer(postgres.url(name));
    await using two = await peer(postgres.url(name));
    await one.server.seed(GUIDE);
    await signedIn(one, "reader@example.org");
    const login = { user: "reader@example.org", password: PASSWORD };
    const entered = await post(`${one.baseUrl}/v1/session`, login);
    const cookie = (entered.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const { csrfToken } = (await entered.json()) as { readonly csrfToken: string };
    const headers = { cookie, "x-csrf-token": csrfToken, "content-type": "application/json" };
    const seen = async ({ baseUrl }: Peer) => (await fetch(`${baseUrl}/v1/devices`, { headers })).status;
    expect([await seen(two), await seen(one)]).toEqual([200, 200]);
    const stored = await postgres.sql("SELECT id || body FROM records WHERE kind = 'visits'", name);
    expect(stored).toHaveLength(1);
    expect(stored.join("")).not.toContain(cookie.split("=")[1]);
    expect(stored.join("")).not.toContain(csrfToken);
    expect((await fetch(`${two.baseUrl}/v1/session`, { method: "DELETE", headers })).status).toBe(200);
    expect([await seen(one), await seen(two)]).toEqual([401, 401]);
    // Another password ends the sessions at all of them.
    const again = await post(`${two.baseUrl}/v1/session`, login);
    headers.cookie = (again.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    expect(await seen(one)).toBe(200);
    await one.server.changeUser("reader@example.org", { password: "another password" });
    expect([await seen(one), await seen(two)]).toEqual([401, 401]);
  });

  it("count wrong passwords together: more servers allow no more guesses", async () => {
    const url = postgres.url(await postgres.createDatabase());
    await using one = await peer(url);
    await using two = await peer(url);
    await one.server.seed(GUIDE);
    const guess = async ({ baseUrl }: Peer) =>
      (await post(`${baseUrl}/v1/session`, { user: "victim", password: "wrong" })).status;
    for (let at = 0; at < HTTP_LIMITS.guessesPerName / 2; at += 1)
      expect([await guess(one), await guess(two)]).toEqual([401, 401]);
    // Word of the last ones may be under way; alone, each server would allow as many again.
    const more = [await guess(one), await guess(one), await guess(two), await guess(two)];
    expect([more[1], more[3]]).toEqual([429, 429]);
  });

  it("tell a browser to come again while the database is down", async () => {
    await using own = await Postgres.start();
    await using one = await peer(own.url(await own.createDatabase()));
    await one.server.seed(GUIDE);
    await signedIn(one, "reader@example.org");
    const entered = await post(`${one.baseUrl}/v1/session`, {
      user: "reader@example.org",
      password: PASSWORD,
    });
    const headers = { cookie: (entered.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
    await own.end("immediate");
    const refused = await fetch(`${one.baseUrl}/v1/devices`, { headers });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    await own.start();
    await expect.poll(async () => (await fetch(`${one.baseUrl}/v1/devices`, { headers })).status).toBe(200);
  });

  it("are refused with a password in the address, which everybody could read", () => {
    expect(() => parseDatabaseAddress("postgres://guide:secret@db/guide")).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.not.stringContaining("secret") }),
    );
  });

  it("use the password that they are given, and say when it is wrong", async () => {
    const name = await postgres.createDatabase();
    await using one = await peer(postgres.url(name, SECURED.user), SECURED.password);
    await one.server.seed(GUIDE);
    await expect(peer(postgres.url(name, SECURED.user), "wrong")).rejects.toMatchObject({
      code: "GUIDE_UNAVAILABLE",
      message: expect.stringContaining("28P01"),
    });
  });
});
