import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Show } from "../../src/guide-server/data/show.ts";
import { showsOf } from "../../src/guide-server/data/shows.ts";
import { type GuideStore, openGuideStore } from "../../src/guide-server/data/store.ts";
import {
  type BoxLog,
  type Change,
  put,
  type ReceivedService,
  type StoredTimer,
  TABLE_NAMES,
  type TableName,
  type Token,
} from "../../src/guide-server/data/tables.ts";
import { AGED_TABLES } from "../../src/guide-server/domain/ages.ts";
import { forgetOld } from "../../src/guide-server/forget.ts";
import { SERVER_LIMITS } from "../../src/guide-server/limits.ts";
import { silentLog } from "../../src/kit/log.ts";
import { openSqlite } from "../../src/kit/sqlite.ts";
import { DAY, type EpochMs, HOUR, MINUTE } from "../../src/model/time.ts";
import { NOW } from "./hosted.ts";

const { tokenMs, disposedTokenMs, timerKeptMs, boxLogKeptMs } = SERVER_LIMITS;
const YEARS = 10 * 366 * DAY;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-forget-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ACCOUNT = { id: "1", email: "a@example.org", regionId: 1, createdAt: NOW - YEARS };

async function written(records: readonly Change[]): Promise<GuideStore> {
  const store = await openGuideStore(folder, silentLog);
  const changes = [put("accounts", ACCOUNT), ...records];
  await store.commitShared(() => ({ changes, value: undefined }));
  return store;
}

const OF = { accountId: "1" } as const;

function token(id: string, expiresAt: EpochMs, more: Partial<Token> = {}): Change {
  return put("tokens", { ...OF, id, userId: "u", createdAt: expiresAt - tokenMs, expiresAt, ...more });
}

function timer(id: string, end: EpochMs, more: Partial<StoredTimer> = {}): Change {
  return put("timers", {
    ...{ ...OF, id, deviceId: 1, channelId: 7, showId: 0, name: "", message: "", extra: {}, told: [] },
    ...{ start: end - HOUR, durationMinutes: 60, action: "record", state: "completed", createdAt: 0 },
    ...more,
  });
}

function received(id: string, at: EpochMs): Change {
  const triplet: ReceivedService["triplet"] = {
    original_network_id: 1,
    transport_stream_id: 2,
    service_id: 3,
  };
  return put("received", { ...OF, id, name: "", triplet, at });
}

function line(id: string, at: EpochMs): Change {
  const log: BoxLog = { ...OF, id, at, text: "" };
  return put("logs", log);
}

function visit(id: string, expiresAt: EpochMs): Change {
  return put("visits", { ...OF, id, userId: "u", createdAt: 0, expiresAt });
}

function show(id: number, start: EpochMs): Show {
  const words = {
    seriesId: "1",
    episodeId: "",
    title: "One",
    subtitle: "",
    desc: "x".repeat(500),
    rating: "",
    date: "",
  };
  return { ...words, id, channelId: 7, start, durationMinutes: 30, category: [], eitId: 0, updatedAt: start };
}

async function allOf(store: GuideStore, name: TableName) {
  const found = [];
  for await (const record of store.all(name)) found.push(record);
  return found;
}

describe("an expired record", () => {
  it("is removed just after its time and not before, for each kind that expires", async () => {
    await using store = await written([
      token("expired", NOW - disposedTokenMs - 1),
      token("expired today", NOW - disposedTokenMs),
      token("logged out", NOW + tokenMs, { disposedAt: NOW - disposedTokenMs - 1 }),
      token("good", NOW + 1),
      timer("over", NOW - timerKeptMs - 1),
      timer("over a month ago", NOW - timerKeptMs),
      timer("removed since", NOW - timerKeptMs - 1, { removedAt: NOW - timerKeptMs }),
      line("1", NOW - boxLogKeptMs - 1),
      line("2", NOW - boxLogKeptMs),
      visit("ended", NOW - 1),
      visit("signed in", NOW),
    ]);
    await forgetOld(store, NOW);
    const left: Record<string, readonly string[]> = {};
    for (const name of AGED_TABLES) left[name] = (await allOf(store, name)).map(({ id }) => String(id));
    expect(left).toEqual({
      tokens: ["expired today", "good"],
      visits: ["signed in"],
      timers: ["over a month ago", "removed since"],
      logs: ["2"],
    });
  });

  it("is neither a recorded episode nor a user's own record", async () => {
    const wants = { kind: "series", seriesId: "1" } as const;
    await using store = await written([
      put("devices", { ...OF, id: 1, uid: "", label: "", typeId: 1 }),
      put("episodes", { id: "1 x", deviceId: 1, at: NOW - YEARS, became: "recorded" }),
      put("rules", { ...OF, id: 1, deviceId: 1, wants, quality: "Prefer HD", createdAt: NOW - YEARS }),
      put("heard", { id: "1", at: NOW - YEARS }),
      received("1", NOW - YEARS),
    ]);
    const sizes = () => Promise.all(TABLE_NAMES.map(async (name) => (await allOf(store, name)).length));
    const before = await sizes();
    await forgetOld(store, NOW);
    expect(await sizes()).toEqual(before);
  });

  it("is removed in portions, and stays removed after a restart", async () => {
    {
      await using store = await written(
        Array.from({ length: 1203 }, (_, index) =>
          timer(`t${index}`, NOW - timerKeptMs - 20 * HOUR + index * MINUTE),
        ),
      );
      await forgetOld(store, NOW);
      expect((await store.of("1")).timers.size).toBe(3);
    }
    await using store = await openGuideStore(folder, silentLog);
    expect((await store.of("1")).timers.size).toBe(3);
    expect((await store.of("1")).timers.has("t1199")).toBe(false);
  });

  it("returns the space of its shows to the disk", async () => {
    const sizes: number[] = [];
    for (const now of [NOW, NOW + 400 * DAY]) {
      {
        await using store = await openGuideStore(folder, silentLog);
        if (now === NOW)
          store.shows.put(Array.from({ length: 4000 }, (_, id) => show(id, NOW + id * MINUTE)));
        await forgetOld(store, now);
      }
      sizes.push((await stat(join(folder, "shows.db"))).size);
    }
    const [full = 0, empty = 0] = sizes;
    expect(full).toBeGreaterThan(4000 * 500);
    expect(empty).toBeLessThan(full / 4);
  });

  it("cannot shrink a database from before automatic vacuuming", async () => {
    // Databases were created this way before automatic vacuuming.
    using sql = await openSqlite({ file: join(folder, "old.db"), durability: "scratch", cacheKiB: 1024 });
    expect(sql.get("PRAGMA auto_vacuum")).toEqual({ auto_vacuum: 0 });
    sql.exec("CREATE TABLE t (x TEXT); INSERT INTO t VALUES (hex(zeroblob(1000000))); DELETE FROM t;");
    expect(showsOf(sql).giveBackSpace()).toBe(false);
  });
});
