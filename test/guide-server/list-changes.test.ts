import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GuideStore, openGuideStore } from "../../src/guide-server/data/store.ts";
import { put, remove } from "../../src/guide-server/data/tables.ts";
import type { Session } from "../../src/guide-server/domain/accounts.ts";
import { SERVER_LIMITS } from "../../src/guide-server/limits.ts";
import { ListChanges } from "../../src/guide-server/list-changes.ts";
import { silentLog } from "../../src/kit/log.ts";
import { DAY, HOUR, SECOND } from "../../src/model/time.ts";
import { createVirtualClock } from "../../src/simulator/virtual-clock.ts";
import { openEventStream } from "./event-stream.ts";
import { type Hosted, hosted, NOW, PASSWORD } from "./hosted.ts";
import { addUser, type SessionOf, signIn } from "./household.ts";

const PATH = "/shows/timers/changes";
const events = (count: number) => new RegExp(`(event: list\\ndata: .*\\n\\n[\\s\\S]*){${count}}`);
const listen = (guide: Hosted, session: Partial<SessionOf> = {}) =>
  openEventStream(guide, { path: PATH, ...session });

function versionsIn(text: string): readonly string[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? "").version);
}

describe("a subscribed client", () => {
  it("gets the version at once, and another one after each change of its account", async () => {
    await using guide = await hosted();
    using stream = await listen(guide);
    expect([stream.status, stream.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(stream.headers).toMatchObject({
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "transfer-encoding": "chunked",
    });
    await stream.shows(events(1));
    await guide.book();
    await stream.shows(events(2));
    await guide.server.addDevice(guide.email, { label: "New", uid: "x", type_id: 1 });
    await stream.shows(events(3));
    const versions = versionsIn(stream.text());
    expect(new Set(versions).size).toBe(3);
    using later = await listen(guide);
    await later.shows(events(1));
    expect(versionsIn(later.text())).toEqual(versions.slice(-1));
  });

  it("is not told of other accounts, nor of contacts and new sessions of its own", async () => {
    await using guide = await hosted();
    await guide.server.addAccount({ email: "other@x", password: PASSWORD });
    using stream = await listen(guide);
    await stream.shows(events(1));
    const device_id = await guide.server.addDevice("other@x", { label: "Theirs", uid: "y", type_id: 1 });
    await guide.server.addTimer("other@x", { device_id, show_id: 11 });
    await signIn(guide, guide.email);
    await guide.clock.advance(2 * 3600 * SECOND);
    await guide.ask({ method: "GET", path: "/shows/timers" });
    await guide.book();
    await stream.shows(events(2));
    expect(versionsIn(stream.text())).toHaveLength(2);
  });

  it("hears of a show that a rule wants before anybody polls", async () => {
    await using guide = await hosted();
    const text = JSON.stringify({ keyword: "eclipse", device_id: guide.deviceId });
    expect((await guide.ask({ method: "POST", path: "/keywords", text })).status).toBe(201);
    using stream = await listen(guide);
    await stream.shows(events(1));
    const start = guide.clock.now() + HOUR;
    const show = { channelId: 7, start, durationMinutes: 60 };
    await guide.server.addShow({ ...show, title: "Something else" });
    await guide.server.settleWaiting();
    await guide.server.addShow({ ...show, start: start + HOUR, title: "The eclipse" });
    expect(await guide.server.timers(guide.email)).toEqual([]);
    await guide.server.settleWaiting();
    expect(await guide.server.timers(guide.email)).toMatchObject([{ name: "The eclipse" }]);
    await guide.server.settleWaiting();
    await stream.shows(events(2));
    expect(versionsIn(stream.text())).toHaveLength(2);
  });

  it("gets a sign of life in every 20 seconds", async () => {
    await using guide = await hosted();
    using stream = await listen(guide);
    await guide.clock.advance(SERVER_LIMITS.changesBeatMs);
    await stream.shows(/: alive\n\n/);
    await guide.clock.advance(3 * SERVER_LIMITS.changesBeatMs);
    await stream.shows(/(: alive\n\n[\s\S]*){4}/);
    expect(stream.text().match(/alive/g)).toHaveLength(4);
  });

  it("is forgotten when its connection is gone", async () => {
    await using guide = await hosted();
    const before = guide.clock.sleepers;
    const stream = await listen(guide);
    expect(guide.clock.sleepers).toBe(before + 1);
    stream[Symbol.dispose]();
    while (guide.clock.sleepers > before) await guide.ask({ method: "GET", path: "/regions" });
  });

  it("with the method HEAD gets the head alone", async () => {
    await using guide = await hosted();
    const before = guide.clock.sleepers;
    using stream = await openEventStream(guide, { path: PATH, method: "HEAD" as "GET" });
    expect([stream.status, await stream.ended, stream.text()]).toEqual([200, true, ""]);
    expect(guide.clock.sleepers).toBe(before);
  });

  it("needs the credentials of the list", async () => {
    await using guide = await hosted();
    for (const foreign of [{ token: "none" }, { email: "other@x" }]) {
      using stream = await listen(guide, foreign);
      expect(stream.status).toBe(401);
    }
    using reader = await listen(guide, await addUser(guide, "ben", "viewer"));
    expect(reader.status).toBe(200);
  });
});

describe("a proxy on this machine", () => {
  it("may carry more streams than one visitor may have connections", async () => {
    await using guide = await hosted();
    const port = Number(new URL(guide.baseUrl).port);
    const sockets = Array.from({ length: 250 }, () => connect(port, "127.0.0.1"));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    expect((await guide.ask({ method: "GET", path: "/regions" })).status).toBe(200);
    expect(sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded)).toEqual([]);
    for (const socket of sockets) socket.destroy();
  });
});

describe("a stream ends", () => {
  let guide: Hosted;
  beforeAll(async () => {
    guide = await hosted();
  });
  afterAll(() => guide[Symbol.asyncDispose]());

  it.each([
    [
      "when its user signs out",
      (_: string, s: SessionOf) => guide.ask({ method: "DELETE", path: "/logout", ...s }),
    ],
    [
      "when its user gets another password",
      (name: string) => guide.server.changeUser(name, { password: "another one" }),
    ],
    [
      "when its user gets other rights",
      (name: string) => guide.server.changeUser(name, { rights: "viewer" }),
    ],
    ["when its user is removed", (name: string) => guide.server.removeUser(name)],
  ])("%s, and no other stream does", async (name, end) => {
    const user = name.replace(/\W/g, "");
    const session = await addUser(guide, user, "member");
    using other = await listen(guide);
    using stream = await listen(guide, session);
    await stream.shows(events(1));
    await end(user, session);
    expect(await stream.ended).toBe(true);
    using again = await listen(guide, session);
    expect(again.status).toBe(401);
    await guide.book();
    await other.shows(events(2));
  });

  it("when its token expires", async () => {
    await using own = await hosted();
    using stream = await listen(own);
    own.clock.step(SERVER_LIMITS.tokenMs + DAY);
    await own.clock.advance(SERVER_LIMITS.changesBeatMs);
    expect(await stream.ended).toBe(true);
  });

  it("when the server does, which waits for none", async () => {
    const own = await hosted();
    using stream = await listen(own);
    await stream.shows(events(1));
    // The virtual clock stands still: a wait for its end would never be over.
    await own[Symbol.asyncDispose]();
    expect(await stream.ended).toBe(true);
  });

  it("when its session opens one more than it may have, the oldest first", async () => {
    const session = await signIn(guide, guide.email);
    using first = await listen(guide, session);
    using second = await listen(guide, session);
    using third = await listen(guide, session);
    expect(await first.ended).toBe(true);
    for (const alive of [second, third]) await alive.shows(events(1));
    await guide.book();
    for (const alive of [second, third]) await alive.shows(events(2));
  });
});

describe("subscribers", () => {
  let store: GuideStore;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "recorderd-changes-"));
    store = await openGuideStore(folder, silentLog);
  });
  afterAll(async () => {
    await store[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const sessionOf = (accountId: number, token: number) =>
    ({
      account: { id: String(accountId) },
      user: { id: "u" },
      token: { id: String(token), accountId: String(accountId), userId: "u", expiresAt: NOW + DAY },
    }) as Session;

  it("are limited for each account, with 429, and together, with 503", () => {
    using changes = new ListChanges(store, createVirtualClock(NOW));
    const { changesPerAccount } = SERVER_LIMITS;
    for (let token = 0; token < changesPerAccount; token += 1) {
      expect(changes.subscribe(sessionOf(1, token), "1")).toBeInstanceOf(Readable);
    }
    const refusal = { kind: "refusal", headers: { "Retry-After": "300" } };
    expect(changes.subscribe(sessionOf(1, changesPerAccount), "1")).toMatchObject({
      ...refusal,
      status: 429,
    });
    for (let count = changesPerAccount; count < SERVER_LIMITS.changes; count += 1) {
      changes.subscribe(sessionOf(count, count), "1");
    }
    expect(changes.subscribe(sessionOf(0, 0), "1")).toMatchObject({ ...refusal, status: 503 });
  });

  it("share one timer, and none is left after the last", () => {
    const clock = createVirtualClock(NOW);
    using changes = new ListChanges(store, clock);
    const streams = Array.from(
      { length: 1000 },
      (_, n) => changes.subscribe(sessionOf(n, n), "1") as Readable,
    );
    expect(clock.sleepers).toBe(1);
    changes[Symbol.dispose]();
    expect(clock.sleepers).toBe(0);
    for (const stream of streams) expect(stream.readableEnded || stream.readableLength > 0).toBe(true);
    expect(changes.subscribe(sessionOf(1, 1), "1")).toMatchObject({ kind: "refusal", status: 503 });
  });

  it("that do not read are dropped before their streams grow", async () => {
    const clock = createVirtualClock(NOW);
    using changes = new ListChanges(store, clock);
    const token = { id: "t", accountId: "7", userId: "u", createdAt: NOW, expiresAt: NOW + 10 * DAY };
    const user = { id: "u", accountId: "7", password: "", rights: "owner", createdAt: NOW } as const;
    await store.commit("7", () => ({ changes: [put("tokens", token), put("users", user)], value: 0 }));
    const stream = changes.subscribe({ ...sessionOf(7, 0), token, user }, "1") as Readable;
    const device = { id: 1, accountId: "7", uid: "u", label: "l", typeId: 1 };
    for (let count = 0; count < 500 && !stream.destroyed; count += 1) {
      await store.commit("7", () => ({ changes: [put("devices", device)], value: 0 }));
      expect(stream.readableLength).toBeLessThan(SERVER_LIMITS.changesUnread + 100);
    }
    expect(stream.destroyed).toBe(true);
    await store.commit("7", () => ({ changes: [remove("devices", "1")], value: 0 }));
  });
});
