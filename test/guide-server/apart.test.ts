import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR } from "../../src/model/time.ts";
import { GUIDE, type Hosted, hosted, PASSWORD, SHOW_ID } from "./hosted.ts";

/** A device of the household as the server knows it, by its own session. */
interface Party {
  readonly id: number;
  readonly token: string;
}

let guide: Hosted;
let lounge: Party;
let bedroom: Party;
beforeAll(async () => {
  guide = await hosted({ allowSignUp: true });
  lounge = { id: guide.deviceId, token: guide.token };
  bedroom = await signIn({ uid: "CC:DD", label: "Bedroom", type_id: 22 });
});
afterAll(() => guide[Symbol.asyncDispose]());

async function login(member: object, device?: object) {
  const text = JSON.stringify({ member, ...(device === undefined ? {} : { device }) });
  return guide.ask({ method: "POST", path: "/login", anonymous: true, text });
}

async function signIn(device: object): Promise<Party> {
  const answer = await login({ email_address: guide.email, password: PASSWORD }, device);
  const { member, device: own } = answer.read("login");
  return { id: own?.id ?? 0, token: member.token };
}

async function ask(method: "GET" | "POST" | "PUT" | "DELETE", path: string, by: Party, value?: object) {
  const text = value === undefined ? {} : { text: JSON.stringify(value) };
  return guide.ask({ method, path, token: by.token, ...text });
}

async function timersOf(by: Party, path = "/shows/timers") {
  return (await ask("GET", path, by)).read("timers").timers;
}

async function bookedFor(party: Party): Promise<string> {
  const start = guide.clock.now() + HOUR;
  const showId = await guide.server.addShow({ channelId: 7, start, durationMinutes: 60, title: "Apart" });
  return guide.server.addTimer(guide.email, { device_id: party.id, show_id: showId });
}

const timer = async (id: string) => (await guide.server.timers(guide.email)).find((one) => one.id === id);

describe("a device", () => {
  it("sees only its own timers, in both lists and alone", async () => {
    const id = await bookedFor(bedroom);
    const ids = async (by: Party) => (await timersOf(by)).map((one) => one.id);
    expect([await ids(lounge), await ids(bedroom)]).toEqual([[], expect.arrayContaining([id])]);
    const shows = async (by: Party) =>
      (await ask("GET", "/shows", by)).read("shows").timers.map((one) => one.id);
    expect([await shows(lounge), await shows(bedroom)]).toEqual([[], expect.arrayContaining([id])]);
    expect((await ask("GET", `/shows/timers/${id}`, lounge)).status).toBe(404);
    expect((await ask("GET", `/shows/timers/${id}`, bedroom)).status).toBe(200);
  });

  it("sees the timers of another device on request, without marking them as read", async () => {
    const id = await bookedFor(bedroom);
    const named = await timersOf(lounge, `/shows/timers?device_id=${bedroom.id}`);
    expect(named.map((one) => one.id)).toContain(id);
    await ask("DELETE", `/shows/timers/${id}`, lounge);
    expect(await timer(id)).toBeUndefined();
  });

  it("reports only on its own timers, alone and in a batch", async () => {
    const id = await bookedFor(bedroom);
    const report = { state: "failed", message: "not mine" };
    expect((await ask("PUT", `/shows/timers/${id}`, lounge, report)).status).toBe(404);
    const batch = await ask("PUT", "/shows/timers", lounge, { timers: [{ id, ...report }] });
    expect(batch.read("timers").timers).toEqual([]);
    expect(await timer(id)).toMatchObject({ state: "waiting", message: "" });
  });

  it.each(["PUT", "DELETE"] as const)(
    "cannot acknowledge the forget of another device by %s",
    async (method) => {
      const id = await bookedFor(bedroom);
      await timersOf(bedroom);
      await ask("DELETE", `/shows/timers/${id}`, lounge);
      const acknowledge = (by: Party) =>
        ask(method, `/shows/timers/${id}`, by, method === "PUT" ? { state: "completed" } : undefined);
      await acknowledge(lounge);
      expect((await timersOf(bedroom)).find((one) => one.id === id)?.action).toBe("forget");
      await acknowledge(bedroom);
      expect(await timer(id)).toBeUndefined();
    },
  );

  it("books for another device without reporting a state there", async () => {
    const start_time = "2026-11-21T11:00:00+00:00";
    const order = { channel_id: 8, start_time, duration_minutes: 30, device_id: bedroom.id };
    const post = async () =>
      (await ask("POST", "/shows/timers", lounge, { ...order, state: "pending" })).read("timers").timers[0];
    const made = await post();
    expect(made?.state).toBe("waiting");
    await ask("PUT", `/shows/timers/${made?.id}`, bedroom, { state: "running" });
    expect(await post()).toMatchObject({ id: made?.id, state: "running" });
  });

  it("keeps its own event id for its booking, whatever the guide has", async () => {
    await using other = await hosted();
    const post = (path: string, value: object) =>
      other.ask({ method: "POST", path, text: JSON.stringify(value) });
    const start = other.clock.now() + 2 * HOUR;
    const show = { id: 50, channelId: 8, start, durationMinutes: 60, title: "Its own", eitId: 9 };
    await other.server.seed({ ...GUIDE, shows: [show] });
    const event = { channel_id: 8, start_time: new Date(start).toISOString(), duration_minutes: 60 };
    const order = { ...event, eit_id: 4242, device_id: other.deviceId };
    const [made] = (await post("/shows/timers", order)).read("timers").timers;
    expect(made).toMatchObject({ show_id: 50, name: "Its own", eit_id: 4242 });
    await other.server.seed({ ...GUIDE, shows: [{ ...show, durationMinutes: 90, eitId: 10 }] });
    await post("/broadcast_guide", { services: [], spans: [], events: [] });
    const [moved] = await other.server.timers(other.email);
    expect(moved).toMatchObject({ id: made?.id, duration_minutes: 90, eit_id: 4242 });
  });

  it("receives a forget for its own booking, even if it never read that", async () => {
    const start_time = "2026-11-20T11:00:00+00:00";
    const order = {
      channel_id: 8,
      start_time,
      duration_minutes: 30,
      device_id: bedroom.id,
      state: "pending",
    };
    const [made] = (await ask("POST", "/shows/timers", bedroom, order)).read("timers").timers;
    await ask("DELETE", `/shows/timers/${made?.id}`, lounge);
    expect((await timer(made?.id ?? ""))?.action).toBe("forget");
  });
});

describe("a timer that is moved to another device", () => {
  it("keeps its id if the first device cannot have it", async () => {
    const id = await bookedFor(lounge);
    const change = { device_id: bedroom.id, state: "pending" };
    const [moved] = (await ask("PUT", `/shows/timers/${id}`, lounge, change)).read("timers").timers;
    expect(moved).toMatchObject({ id, device_id: bedroom.id, state: "waiting" });
  });

  it("gets a forget on the first device if that may have it, and is new on the other", async () => {
    const id = await bookedFor(lounge);
    await timersOf(lounge);
    await ask("PUT", `/shows/timers/${id}`, lounge, { state: "pending" });
    const change = { device_id: bedroom.id };
    const [moved] = (await ask("PUT", `/shows/timers/${id}`, lounge, change)).read("timers").timers;
    expect(moved).toMatchObject({ device_id: bedroom.id, action: "record", state: "waiting" });
    expect(await timer(id)).toMatchObject({ device_id: lounge.id, action: "forget", state: "waiting" });
    await ask("PUT", `/shows/timers/${id}`, lounge, { device_id: bedroom.id, state: "completed" });
    expect(await timer(id)).toBeUndefined();
    expect((await timersOf(bedroom)).map((one) => one.id)).toContain(moved?.id);
  });
});

describe("a repeated booking", () => {
  it.each([
    { show_id: SHOW_ID },
    { channel_id: 8, start_time: "2026-11-20T20:00:00+00:00", duration_minutes: 20, eit_id: 5 },
  ])("returns the existing timer: %j", async (what) => {
    const order = { ...what, device_id: lounge.id };
    const ids = new Set<string | undefined>();
    for (let times = 0; times < 4; times += 1) {
      const answer = await ask("POST", "/shows/timers", lounge, order);
      expect(answer.status).toBe(201);
      ids.add(answer.read("timers").timers[0]?.id);
    }
    expect(ids.size).toBe(1);
    const other = await ask("POST", "/shows/timers", lounge, { ...order, device_id: bedroom.id });
    expect(ids).not.toContain(other.read("timers").timers[0]?.id);
  });

  it("may have other padding, and creates a new timer after the first was deleted, has failed or has ended", async () => {
    const start_time = "2026-11-20T22:00:00+00:00";
    const order = { channel_id: 8, start_time, duration_minutes: 20, device_id: lounge.id };
    const post = async (more = {}) =>
      (await ask("POST", "/shows/timers", lounge, { ...order, ...more })).read("timers").timers[0];
    const first = await post();
    expect(await post({ "post-padding": 9 })).toMatchObject({ id: first?.id, "post-padding": 9 });
    await ask("PUT", `/shows/timers/${first?.id}`, lounge, { state: "failed" });
    const second = await post();
    await ask("DELETE", `/shows/timers/${second?.id}`, lounge);
    const third = await post();
    await ask("PUT", `/shows/timers/${third?.id}`, lounge, { state: "completed" });
    const fourth = await post();
    expect(new Set([first?.id, second?.id, third?.id, fourth?.id]).size).toBe(4);
  });
});

describe("the report of a box at each poll", () => {
  const say = async (id: string, state: string) =>
    (await ask("PUT", `/shows/timers/${id}`, lounge, { state, message: `it is ${state}` })).status;

  it("does not revert a running timer", async () => {
    const id = await bookedFor(lounge);
    await say(id, "running");
    expect(await say(id, "pending")).toBe(200);
    expect((await timer(id))?.state).toBe("running");
  });

  it("is new for a timer that could not be scheduled, until it is over", async () => {
    await using other = await hosted();
    const id = await other.book();
    const report = (state: string) =>
      other.ask({ method: "PUT", path: `/shows/timers/${id}`, text: JSON.stringify({ state }) });
    const state = async () => (await other.server.timers(other.email))[0]?.state;
    await report("failed");
    await report("pending");
    expect(await state()).toBe("pending");
    await report("failed");
    await other.clock.advance(3 * HOUR);
    await report("pending");
    expect(await state()).toBe("failed");
  });
});

describe("a login", () => {
  const stranger = { email_address: "new@example.org", password: "long enough" };

  it.each([
    [{ label: "Box", type_id: -1 }, "device.type_id"],
    [{ label: " ", type_id: 22 }, "device.label"],
  ])("creates no account if it is refused: %j", async (device, field) => {
    const refused = await login(stranger, device);
    expect([refused.status, refused.read("error").error.field]).toEqual([406, field]);
    expect((await guide.server.households()).map(({ email }) => email)).toEqual([guide.email]);
  });

  it.each([22, 30, 31, 36, 38, 4711])("accepts a box that reports type %d", async (type_id) => {
    const { id } = await signIn({ uid: `T:${type_id}`, label: "Box", type_id });
    const { devices, types } = (await ask("GET", `/devices/${id}`, lounge)).read("devices");
    expect([devices[0]?.type_id, types[0]?.id]).toEqual([type_id, type_id]);
    expect((await ask("GET", `/devices/types/${type_id}`, lounge)).status).toBe(200);
  });

  it("distinguishes boxes without a MAC address, and recognises one after logout", async () => {
    const order = { uid: "00:00:00:00:00:00", label: "Box", type_id: 22 };
    const [one, two] = [await signIn(order), await signIn(order)];
    expect(one.id).not.toBe(two.id);
    await ask("DELETE", "/logout", one);
    expect((await signIn(order)).id).toBe(one.id);
    expect((await signIn(order)).id).not.toBe(two.id);
  });
});
