import { describe, expect, it } from "vitest";
import { guideAccount } from "../../src/guide-wire/account.ts";
import { GUIDE_WIRE_LIMITS } from "../../src/guide-wire/limits.ts";
import { type Answering, clientOf, loopback, NOW, rejection, signal, TIMER } from "./loopback.ts";

const START = Date.UTC(2026, 10, 20, 9, 30);
const MODEL = {
  id: "7",
  name: "News",
  deviceId: "1",
  channelId: "2",
  showId: "3",
  event: { start: START, stop: START + 30 * 60_000 },
  action: "record",
  state: "waiting",
  seriesRecordingId: "0",
  keywordId: "0",
};

async function account(answering: Answering, deviceId?: number) {
  const server = await loopback(answering);
  const side = clientOf(server.origin);
  const scope = { regionId: 1, ...(deviceId === undefined ? {} : { deviceId }) };
  return {
    account: guideAccount(side.client, scope),
    seen: server.seen,
    [Symbol.asyncDispose]: async () => {
      await side[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const answering =
  (value: unknown, status = 200): Answering =>
  (_, response) => {
    response.writeHead(status, { Date: new Date(NOW).toUTCString() });
    response.end(typeof value === "string" ? value : JSON.stringify(value));
  };

async function listOf(timers: readonly unknown[], deviceId?: number) {
  await using side = await account(answering({ timers }), deviceId);
  return await side.account.timers(signal);
}

describe("the account's timers", () => {
  it("become model timers: the event from start and duration, text identifiers, padding only if given", async () => {
    const padded = {
      ...TIMER,
      id: "8",
      "pre-padding": 0,
      "post-padding": 5,
      series_recording_id: 4,
      keyword_id: 5,
    };
    expect(await listOf([TIMER, padded])).toEqual({
      timers: [
        MODEL,
        { ...MODEL, id: "8", beforeMinutes: 0, afterMinutes: 5, seriesRecordingId: "4", keywordId: "5" },
      ],
      malformed: [],
      serverTime: NOW,
    });
  });

  it("may start in any time zone", async () => {
    for (const start_time of [
      "2026-11-20T09:30:00Z",
      "2026-11-20T20:30:00.00+11:00",
      "2026-11-20 04:30-0500",
      // The service's times are in UTC.
      "2026-11-20T09:30:00",
      "2026-11-20 09:30",
      1795167000,
      "1795167000000",
    ]) {
      expect((await listOf([{ ...TIMER, start_time }])).timers).toEqual([MODEL]);
    }
  });

  it("keep unknown states, and map unknown actions to other", async () => {
    const { timers } = await listOf([
      { ...TIMER, action: "forget" },
      { ...TIMER, action: "rewind", state: "odd" },
    ]);
    expect(timers.map(({ action, state }) => [action, state])).toEqual([
      ["forget", "waiting"],
      ["other", "odd"],
    ]);
  });

  it("ignore padding that would shorten the recording", async () => {
    const { timers } = await listOf([{ ...TIMER, "pre-padding": -5, "post-padding": 1e9 }]);
    expect(timers).toEqual([MODEL]);
  });

  it("R-15 are malformed individually if the start, the duration or a field is unreadable", async () => {
    const { timers, malformed } = await listOf([
      { ...TIMER, id: "a", start_time: "2026-02-30T09:30:00Z" },
      { ...TIMER, id: "b", start_time: "2026-11-20T09:30:00 o'clock" },
      { ...TIMER, id: "c", duration_minutes: 0 },
      { ...TIMER, id: "d", duration_minutes: -30 },
      { ...TIMER, id: "e", duration_minutes: GUIDE_WIRE_LIMITS.timerMinutesMax + 1 },
      { ...TIMER, id: "f", duration_minutes: "long" },
      { ...TIMER, id: "g", duration_minutes: 0.008 },
      { name: "nobody" },
      TIMER,
    ]);
    expect(timers).toEqual([MODEL]);
    expect(new Set(malformed.map(({ id }) => id))).toEqual(
      new Set(["a", "b", "c", "d", "e", "f", "g", undefined]),
    );
    for (const { reason } of malformed) expect(reason).toMatch(/^The timer cannot be read: its /);
  });

  it("are taken without an optional field that cannot be read", async () => {
    const odd = { eit_id: "x", show_id: "abc", "pre-padding": "five", keyword_id: {} };
    const { timers, malformed } = await listOf([{ ...TIMER, ...odd }]);
    expect([timers, malformed]).toEqual([[{ ...MODEL, showId: "0" }], []]);
  });

  it.each(["Record", "RECORD", " record "])("have the action record if it is written %j", async (action) => {
    expect((await listOf([{ ...TIMER, action }])).timers).toEqual([MODEL]);
  });

  it("of another device are ignored, even malformed ones", async () => {
    const other = { ...TIMER, id: "8", device_id: "2" };
    const bad = { ...TIMER, id: "9", duration_minutes: 0 };
    const unreadable = { ...TIMER, id: "10", duration_minutes: "x" };
    const list = await listOf(
      [TIMER, other, bad, { ...bad, device_id: 2 }, unreadable, { ...unreadable, device_id: "2" }],
      1,
    );
    expect(list.timers).toEqual([MODEL]);
    expect(list.malformed.map(({ id }) => id)).toEqual(["9", "10"]);
  });

  it("are an empty list that may be missing if the service answers 404", async () => {
    for (const body of ["", '{"error":{"status":404,"code":"none","message":"no timers"}}']) {
      await using side = await account(answering(body, 404));
      expect(await side.account.timers(signal)).toEqual({ timers: [], malformed: [], isNotFound: true });
    }
  });

  it("R-11 stay unknown, not empty, if the answer is not from the service", async () => {
    for (const [body, status, code] of [
      ["<html>nothing here</html>", 404, "GUIDE_NOT_FOUND"],
      ["<html>hello</html>", 200, "GUIDE_DOCUMENT_INVALID"],
      ['{"timers":[', 200, "GUIDE_DOCUMENT_TORN"],
      ["", 200, "GUIDE_DOCUMENT_TORN"],
      ["", 401, "GUIDE_SIGN_IN_NEEDED"],
      ["", 403, "GUIDE_FORBIDDEN"],
      ["", 503, "GUIDE_UNAVAILABLE"],
    ] as const) {
      await using side = await account(answering(body, status));
      expect(await rejection(side.account.timers(signal))).toMatchObject({ code });
    }
  });
});

describe("the account's channels", () => {
  it("are those of its region, with triplets, names and channel numbers", async () => {
    const channels = [
      {
        id: 2,
        name: "ABC",
        name_short: "AB",
        network_name: "Sea",
        icon_src: "https://logos.example/abc.png",
        lcns: "2, 21,x,",
        known_names: ["ABC1"],
        dvb: [{ original_network_id: 4112, transport_stream_id: 545, service_id: 544 }],
      },
      { id: 3, name: "SBS", network_name: "", icon_src: `https://${"x".repeat(3000)}` },
      { id: 4, name: "Ten", icon_src: "/logos/ten.png" },
      { id: 5, name: "Seven", icon_src: "javascript:alert(1)" },
    ];
    const bare = { nameShort: "", knownNames: [], triplets: [], lcns: [] };
    await using side = await account(answering({ regions: [], channels }));
    expect(await side.account.channels(signal)).toEqual([
      {
        id: "2",
        name: "ABC",
        nameShort: "AB",
        knownNames: ["ABC1"],
        triplets: [{ onid: 4112, tsid: 545, sid: 544 }],
        lcns: [2, 21],
        network: "Sea",
        icon: "https://logos.example/abc.png",
      },
      { id: "3", name: "SBS", ...bare },
      { id: "4", name: "Ten", ...bare, icon: "/logos/ten.png" },
      { id: "5", name: "Seven", ...bare },
    ]);
    expect(side.seen[0]?.path).toBe("/regions/1/channels");
  });
});

describe("the rule of a timer", () => {
  const ruleOf = async (fields: object) => (await listOf([{ ...TIMER, ...fields }])).timers[0]?.rule;

  it("is read from numbers and from texts, as XML has them", async () => {
    const rule = { id: 4, keep: 3, priority: 0, folder: "Kids/Films" };
    expect(await ruleOf({ rule_id: 4, keep_newest: 3, priority: 0, folder: "Kids/Films" })).toEqual(rule);
    expect(await ruleOf({ rule_id: "4", keep_newest: "3", priority: "0", folder: "Kids/Films" })).toEqual(
      rule,
    );
  });

  it("is absent without an id, and bad values never harm the timer", async () => {
    for (const rule_id of [undefined, null, 0, "", -1, 1.5, "x", 1e300, [4], { id: 4 }]) {
      expect(await ruleOf({ rule_id, priority: 60 })).toBeUndefined();
    }
    for (const bad of [null, -1, 101, "high", 1.5, {}, []]) {
      expect(await ruleOf({ rule_id: 4, priority: bad })).toEqual({ id: 4 });
    }
    for (const bad of [null, 0, -3, 1e9, "all", {}]) {
      expect(await ruleOf({ rule_id: 4, keep_newest: bad })).toEqual({ id: 4 });
    }
    for (const bad of [null, "", {}, "x".repeat(GUIDE_WIRE_LIMITS.folderLength + 1)]) {
      expect(await ruleOf({ rule_id: 4, folder: bad })).toEqual({ id: 4 });
    }
    const { malformed } = await listOf([
      { ...TIMER, rule_id: {}, folder: [{}], priority: "x", keep_newest: [] },
    ]);
    expect(malformed).toEqual([]);
  });
});

describe("a report to the service", () => {
  it("R-19 is a PUT of state and message on the one timer", async () => {
    await using side = await account(answering({ timers: [TIMER] }));
    await side.account.tell("7", { state: "running", message: "recording since 09:30" }, signal);
    await side.account.tell("7", { message: "late" }, signal);
    expect(side.seen.map(({ method, path, body }) => [method, path, JSON.parse(body)])).toEqual([
      ["PUT", "/shows/timers/7", { state: "running", message: "recording since 09:30" }],
      ["PUT", "/shows/timers/7", { message: "late" }],
    ]);
  });

  it("succeeds by its status, whatever document the service sends", async () => {
    for (const body of ["", "{}", "ok", '{"result":', "<done/>"]) {
      await using side = await account(answering(body));
      await side.account.tell("7", { message: "x" }, signal);
      expect(side.seen).toHaveLength(1);
    }
  });

  it("fails on a page from another server, or a refusing status", async () => {
    for (const [body, status, code] of [
      ["<html>Sign in</html>", 200, "GUIDE_DOCUMENT_INVALID"],
      ["", 404, "GUIDE_NOT_FOUND"],
      ["", 406, "GUIDE_NOT_ACCEPTABLE"],
      ["", 401, "GUIDE_SIGN_IN_NEEDED"],
    ] as const) {
      await using side = await account(answering(body, status));
      expect(await rejection(side.account.tell("7", { message: "x" }, signal))).toMatchObject({ code });
    }
  });

  it("on a forget is a DELETE of the one timer", async () => {
    await using side = await account(answering(""));
    await side.account.remove("7", signal);
    expect(side.seen.map(({ method, path }) => [method, path])).toEqual([["DELETE", "/shows/timers/7"]]);
  });
});
