import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TIMER_STATES, type Timer } from "../../src/guide-wire/records.ts";
import { DAY, formatInstant, HOUR, MINUTE } from "../../src/model/time.ts";
import { GUIDE, type Hosted, hosted, NOW, SHOW_ID } from "./hosted.ts";
import { readListings } from "./xmltv/read-listings.ts";

let guide: Hosted;
beforeAll(async () => {
  guide = await hosted();
});
afterAll(() => guide[Symbol.asyncDispose]());

const path = (id: string) => `/shows/timers/${id}`;

async function read(id: string, wire: "json" | "xml" = "json"): Promise<Timer | undefined> {
  const answer = await guide.send({ method: "GET", path: path(id) }, wire);
  return answer.status === 404 ? undefined : answer.read("timers").timers[0];
}

async function tell(id: string, fields: object): Promise<number> {
  const body = { kind: "timer-set" as const, value: { ...fields } };
  return (await guide.send({ method: "PUT", path: path(id) }, "json", body)).status;
}

async function remove(id: string): Promise<void> {
  const answer = await guide.send({ method: "DELETE", path: path(id) }, "json");
  expect(answer.status).toBe(200);
}

async function add(fields: object, wire: "json" | "xml" = "json") {
  const value = { device_id: guide.deviceId, ...fields };
  return guide.send({ method: "POST", path: "/shows/timers" }, wire, { kind: "timer-add", value });
}

describe("a new timer", () => {
  it("takes its data from the show, is waiting until its first reader, and is sent then", async () => {
    const added = await add({ show_id: SHOW_ID, channel_id: 8, name: "mine", message: "please" });
    const [timer] = added.read("timers").timers;
    expect(timer).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: "Été & <Winter>",
      device_id: guide.deviceId,
      channel_id: 7,
      show_id: SHOW_ID,
      start_time: "2026-11-20T10:00:00+00:00",
      duration_minutes: 60,
      action: "record",
      state: "waiting",
      message: "please",
      series_recording_id: 0,
      keyword_id: 0,
      eit_id: 77,
    });
    expect(await read(timer?.id ?? "")).toEqual(timer);
    expect(await read(timer?.id ?? "")).toEqual({ ...timer, state: "sent" });
  });

  it.each(["json", "xml"] as const)(
    "takes a part of a minute of padding for a whole one, in %s",
    async (wire) => {
      const added = await add({ show_id: SHOW_ID, "pre-padding": 2.5, "post-padding": 0.01 }, wire);
      const [timer] = added.read("timers").timers;
      expect(timer).toMatchObject({ "pre-padding": 3, "post-padding": 1 });
      const { id = "" } = timer ?? {};
      const body = { kind: "timer-set" as const, value: { "pre-padding": 0.5 } };
      const changed = await guide.send({ method: "PUT", path: path(id) }, wire, body);
      expect(changed.read("timers").timers).toMatchObject([{ "pre-padding": 1, "post-padding": 1 }]);
      await remove(id);
      // Acknowledges the forget.
      await remove(id);
    },
  );

  it("tells the poll interval in XML only", async () => {
    const xml = await add({ show_id: SHOW_ID }, "xml");
    expect(xml.body.toString()).toMatch(/<shows min_hit_minutes="\d+">/);
    const json = await add({ show_id: SHOW_ID });
    expect(json.body.toString()).not.toContain("min_hit_minutes");
  });

  it("may be for a broadcast that is not in the guide", async () => {
    const start_time = formatInstant(NOW + 3 * HOUR);
    const added = await add({
      eit_id: 9,
      name: "Own",
      channel_id: 8,
      start_time,
      duration_minutes: 25,
      action: "record",
    });
    expect(added.status).toBe(201);
    expect(added.read("timers").timers[0]).toMatchObject({
      name: "Own",
      show_id: 0,
      channel_id: 8,
      start_time,
      duration_minutes: 25,
      eit_id: 9,
      state: "waiting",
    });
  });

  it("finds the show by event id, even if it has moved a little", async () => {
    const start_time = formatInstant(NOW + HOUR + 10 * MINUTE);
    const added = await add({ eit_id: 77, channel_id: 7, start_time, duration_minutes: 55 });
    const half = start_time.replace(":00+", ":00.5+");
    const again = await add({ eit_id: 77, channel_id: 7, start_time: half, duration_minutes: 55 });
    expect(again.read("timers")).toEqual(added.read("timers"));
    expect(added.read("timers").timers[0]).toMatchObject({
      show_id: SHOW_ID,
      name: "Été & <Winter>",
      start_time,
    });
  });

  it.each([
    [{}, 406, "show_id"],
    [{ channel_id: 7, duration_minutes: 5 }, 406, "show_id"],
    [{ channel_id: 7, start_time: "tomorrow", duration_minutes: 5 }, 406, "start_time"],
    [{ channel_id: 7, start_time: formatInstant(NOW - HOUR), duration_minutes: 60 }, 406, "start_time"],
    [{ channel_id: 7, start_time: formatInstant(NOW), duration_minutes: 0 }, 406, "duration_minutes"],
    [{ channel_id: 7, start_time: formatInstant(NOW), duration_minutes: 90_000 }, 406, "duration_minutes"],
    [{ channel_id: 99, start_time: formatInstant(NOW), duration_minutes: 5 }, 404, "channel_id"],
    [{ show_id: SHOW_ID, device_id: 99 }, 404, "device_id"],
    [{ show_id: SHOW_ID, action: " Forget " }, 406, "action"],
    [{ show_id: SHOW_ID, state: "dreaming" }, 406, "state"],
    [{ show_id: SHOW_ID, "post-padding": 100_000 }, 406, "post-padding"],
    [{ show_id: SHOW_ID, "padding-type": "x".repeat(201) }, 406, "padding-type"],
    [{ show_id: SHOW_ID, junk: "x".repeat(9000) }, 406, undefined],
  ])("is refused with the name of the invalid field: %j", async (fields, status, field) => {
    const before = (await guide.server.timers(guide.email)).length;
    const answer = await add(fields);
    expect(answer.status).toBe(status);
    const { error } = answer.read("error");
    expect(error.field).toBe(field);
    expect(error.message).toMatch(/^[A-Z].*\.$/);
    expect(await guide.server.timers(guide.email)).toHaveLength(before);
  });

  it.each([
    ["json", `{"show_id":11,"device_id":"x"}`, "device_id"],
    ["json", `{"show_id":11}`, "device_id"],
    ["json", `{"show_id":11,`, undefined],
    ["json", "", undefined],
    ["xml", "<shows><timer/><timer/></shows>", "timers"],
    ["xml", "<shows><timer show_id='1'", undefined],
    ["xml", "<regions/>", undefined],
    ["xml", `<!DOCTYPE x [<!ENTITY a "b">]><shows><timer show_id="&a;"/></shows>`, undefined],
  ])("is refused if its document is invalid, in %s: %s", async (wire, text, field) => {
    const headers = { "content-type": `application/${wire}` };
    const answer = await guide.ask({ method: "POST", path: "/shows/timers", text, headers });
    expect(answer.status).toBe(406);
    expect(answer.headers["content-type"]).toContain(wire);
    expect(answer.read("error").error.field).toBe(field);
  });

  it("counts as a vote for its series, once per account", async () => {
    await using fresh = await hosted();
    const votes = async () => {
      const { most_popular } = (await fresh.ask({ method: "GET", path: "/series/most_popular" })).read(
        "popular",
      );
      return most_popular.map((entry) => [entry.series_id, entry.num_votes, entry.popularity_ratio]);
    };
    expect(await votes()).toEqual([
      ["s1", 4, 1],
      ["s2", 1, 0.25],
    ]);
    for (const _time of [1, 2]) {
      await fresh.server.addTimer(fresh.email, { device_id: fresh.deviceId, show_id: SHOW_ID });
    }
    await fresh.server.addTimer(fresh.email, { device_id: fresh.deviceId, show_id: 13 });
    expect(await votes()).toEqual([
      ["s1", 5, 1],
      ["s2", 2, 0.4],
    ]);
  });
});

describe("an update of a timer", () => {
  it.each(TIMER_STATES)("sets the state %s with a message", async (state) => {
    const id = await guide.book();
    expect(await tell(id, { state, message: `now ${state}` })).toBe(200);
    expect(await read(id, "xml")).toMatchObject({ state, message: `now ${state}` });
  });

  it("keeps missing fields, server fields and unknown fields", async () => {
    const id = await guide.book();
    const before = await read(id);
    await tell(id, { "pre-padding": 2, "post-padding": 10, "padding-type": "soft", box_note: "keep me" });
    await tell(id, {
      state: "pending",
      name: "other",
      show_id: 1,
      channel_id: 8,
      action: "forget",
      start_time: "2030-01-01T00:00:00+00:00",
      duration_minutes: 1,
    });
    expect(await read(id)).toEqual({
      ...before,
      state: "pending",
      "pre-padding": 2,
      "post-padding": 10,
      "padding-type": "soft",
      box_note: "keep me",
    });
    expect(await read(id, "xml")).toMatchObject({ box_note: "keep me" });
  });

  it("adds to its messages in order, without repetitions", async () => {
    const id = await guide.book();
    await tell(id, { state: "waiting", message: "scheduled" });
    await tell(id, { state: "running", message: "recording" });
    await tell(id, { state: "running", message: "recording" });
    await tell(id, { message: "still recording" });
    await tell(id, { state: "completed", message: "done" });
    await remove(id);
    expect(await guide.server.timerReports(id)).toEqual([
      { at: NOW, state: "waiting", message: "scheduled" },
      { at: NOW, state: "running", message: "recording" },
      { at: NOW, message: "still recording" },
      { at: NOW, state: "completed", message: "done" },
    ]);
  });

  it("can be a batch of a set-top client: all or none, without unknown timers", async () => {
    const [one, two] = [await guide.book(), await guide.book()];
    const batch = async (timers: readonly object[]) => {
      const text = JSON.stringify({ timers });
      return guide.ask({
        method: "PUT",
        path: "/shows/timers",
        text,
        headers: { "content-type": "application/json" },
      });
    };
    const mine = await read(one);
    const done = await batch([
      { ...mine, state: "pending" },
      { id: "99999" },
      { id: Number(two), state: "failed" },
    ]);
    expect(done.read("timers").timers.map(({ id, state }) => [id, state])).toEqual([
      [one, "pending"],
      [two, "failed"],
    ]);
    const refused = await batch([
      { id: one, state: "running" },
      { id: two, state: "nonsense" },
    ]);
    expect(refused.status).toBe(406);
    expect(refused.read("error").error).toMatchObject({
      field: "state",
      message: expect.stringContaining(two),
    });
    expect((await read(one))?.state).toBe("pending");
  });

  it("is refused for another account", async () => {
    const id = await guide.book();
    await guide.server.addAccount({ email: "other@example.org", password: "long enough" });
    const text = JSON.stringify({ member: { email_address: "OTHER@example.org", password: "long enough" } });
    const { token } = (await guide.ask({ method: "POST", path: "/login", anonymous: true, text })).read(
      "login",
    ).member;
    const query = `email_address=other@example.org&token=${token}`;
    for (const method of ["GET", "PUT"] as const) {
      const answer = await guide.ask({ method, path: `${path(id)}?${query}`, anonymous: true, text: "{}" });
      expect(answer.status).toBe(404);
    }
    await guide.ask({ method: "DELETE", path: `${path(id)}?${query}`, anonymous: true });
    expect(await read(id)).toBeDefined();
    const mixed = await guide.ask({ method: "GET", path: path(id), token });
    expect(mixed.status).toBe(401);
  });
});

describe("a deleted timer", () => {
  it("disappears at once if no client has read it", async () => {
    const id = await guide.book();
    await remove(id);
    expect(await read(id)).toBeUndefined();
  });

  it("becomes a forget, first in the list, if a client has read it and it is not over", async () => {
    const id = await guide.book();
    await read(id);
    await remove(id);
    const { timers } = (await guide.ask({ method: "GET", path: "/shows/timers" })).read("timers");
    expect(timers[0]).toMatchObject({ id, action: "forget" });
  });

  it("is acknowledged only by DELETE or by PUT state completed", async () => {
    const forgotten = async () => {
      const id = await guide.book();
      await read(id);
      await remove(id);
      return id;
    };
    const [byDelete, byPut] = [await forgotten(), await forgotten()];
    await remove(byDelete);
    expect(await read(byDelete)).toBeUndefined();
    await tell(byPut, { state: "waiting", message: "soon" });
    expect((await read(byPut))?.action).toBe("forget");
    expect(await tell(byPut, { state: "completed" })).toBe(200);
    expect(await read(byPut)).toBeUndefined();
    expect((await guide.server.timerReports(byPut)).at(-1)).toMatchObject({ state: "completed" });
  });

  it("stays deleted after a second deletion", async () => {
    const id = await guide.book();
    await remove(id);
    await remove(id);
  });
});

describe("the passage of time", () => {
  it("removes a timer from the list a week after its end, and its history after a month", async () => {
    await using fresh = await hosted();
    const id = await fresh.book();
    const end = NOW + 2 * HOUR;
    const body = { kind: "timer-set" as const, value: { state: "completed", message: "done" } };
    await fresh.send({ method: "PUT", path: path(id) }, "json", body);
    await fresh.clock.advanceTo(end + 7 * DAY - 1);
    expect(await fresh.server.timers(fresh.email)).toHaveLength(1);
    await fresh.clock.advanceTo(end + 7 * DAY);
    expect(await fresh.server.timers(fresh.email)).toHaveLength(0);
    expect((await fresh.ask({ method: "GET", path: path(id) })).status).toBe(404);
    expect(await fresh.server.timerReports(id)).toHaveLength(1);
    await fresh.clock.advanceTo(end + 30 * DAY);
    await fresh.server.forgetOld();
    expect(await fresh.server.timerReports(id)).toHaveLength(1);
    await fresh.clock.advanceTo(end + 30 * DAY + 1);
    await fresh.server.forgetOld();
    expect(await fresh.server.timerReports(id)).toHaveLength(0);
  });

  it("R-36 expires nothing by an untrusted clock, whatever is published meanwhile", async () => {
    let isClockTrusted = false;
    await using fresh = await hosted({ isClockTrusted: async () => isClockTrusted });
    await fresh.book();
    const order = { device_id: fresh.deviceId, show_id: SHOW_ID };
    const yearAhead = async () => {
      fresh.clock.step(400 * DAY);
      await fresh.server.seed({ ...GUIDE, shows: [] });
      await fresh.server.forgetOld();
      fresh.clock.step(-400 * DAY);
    };
    await yearAhead();
    expect(await fresh.server.timers(fresh.email)).toHaveLength(1);
    await fresh.server.addTimer(fresh.email, order);
    isClockTrusted = true;
    await yearAhead();
    expect(await fresh.server.timers(fresh.email)).toHaveLength(0);
    await expect(fresh.server.addTimer(fresh.email, order)).rejects.toMatchObject({
      code: "GUIDE_NOT_FOUND",
    });
  });

  it("follows a show that an earlier run moved, and keeps the name that a box gave another one", async () => {
    await using fresh = await hosted();
    await fresh.server.addTimer(fresh.email, { device_id: fresh.deviceId, show_id: SHOW_ID });
    const start = NOW + 6 * HOUR;
    await fresh.server.addShow({ channelId: 7, start, durationMinutes: 60, title: "By the guide" });
    const event = { channel_id: 7, start_time: formatInstant(start), duration_minutes: 60 };
    const order = { ...event, device_id: fresh.deviceId, eit_id: 4242, name: "By the box" };
    await fresh.ask({ method: "POST", path: "/shows/timers", text: JSON.stringify(order) });
    const seen = async () =>
      (await fresh.server.timers(fresh.email)).map(({ name, start_time }) => [name, start_time]);
    const title = GUIDE.shows?.find(({ id }) => id === SHOW_ID)?.title;
    const shows = (GUIDE.shows ?? []).map((show) =>
      show.id === SHOW_ID ? { ...show, start: NOW + 3 * HOUR } : show,
    );
    // Nothing follows it: the server could have ended here.
    await fresh.server.seed({ ...GUIDE, shows });
    expect(await seen()).toContainEqual([title, formatInstant(NOW + HOUR)]);
    await readListings(fresh);
    const followed = [
      [title, formatInstant(NOW + 3 * HOUR)],
      ["By the box", formatInstant(start)],
    ];
    expect(await seen()).toEqual(expect.arrayContaining(followed));
  });

  it("lets a timer that was read and is over be deleted without a forget", async () => {
    await using fresh = await hosted();
    const id = await fresh.book();
    await fresh.ask({ method: "GET", path: "/shows/timers" });
    await fresh.clock.advanceTo(NOW + 2 * HOUR);
    await fresh.ask({ method: "DELETE", path: path(id) });
    expect(await fresh.server.timers(fresh.email)).toEqual([]);
  });
});
