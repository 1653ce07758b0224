import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Hosted, hosted, PASSWORD, SHOW_ID } from "./hosted.ts";
import { addUser, askPages, PAGES, type SessionOf, signIn } from "./household.ts";

let guide: Hosted;
beforeAll(async () => {
  guide = await hosted({ pages: PAGES });
});
afterAll(() => guide[Symbol.asyncDispose]());

const isGood = async (session: SessionOf) =>
  (await guide.ask({ method: "GET", path: "/devices", ...session })).status === 200;
const pathOf = (name: string) => `/v1/users/${encodeURIComponent(name)}`;
const get = (path: string, session: SessionOf = guide) => askPages(guide, session, { method: "GET", path });
const put = (
  name: string,
  {
    session = guide,
    ...json
  }: { readonly session?: SessionOf; readonly rights?: string; readonly password?: string },
) => askPages(guide, session, { method: "PUT", path: pathOf(name), json });
const remove = (name: string, session: SessionOf = guide) =>
  askPages(guide, session, { method: "DELETE", path: pathOf(name) });
const post = (order: object) =>
  askPages(guide, guide, {
    method: "POST",
    path: "/v1/users",
    json: { password: PASSWORD, rights: "member", ...order },
  });

describe("the sessions of a user", () => {
  it("end at once when the user is removed", async () => {
    const [box, phone] = [await addUser(guide, "carla", "member"), await signIn(guide, "carla")];
    expect([await isGood(box), await isGood(phone)]).toEqual([true, true]);
    expect((await remove("carla")).status).toBe(200);
    expect([await isGood(box), await isGood(phone)]).toEqual([false, false]);
    await expect(signIn(guide, "carla")).rejects.toThrow("401");
  });

  it.each([
    ["another password", { password: "another password" }],
    ["other rights", { rights: "owner" }],
  ])("end at once when the user gets %s, and no others end", async (_what, change) => {
    const [dora, emil] = [await addUser(guide, "dora", "member"), await addUser(guide, "emil", "member")];
    expect((await put("dora", change)).status).toBe(200);
    expect([await isGood(dora), await isGood(emil)]).toEqual([false, true]);
    const again = await signIn(guide, "dora", "password" in change ? change.password : PASSWORD);
    expect(await isGood(again)).toBe(true);
    for (const name of ["dora", "emil"]) await remove(name);
  });

  it("continue if the user does not change", async () => {
    const session = await addUser(guide, "finn", "viewer");
    expect((await put("finn", { rights: "viewer" })).status).toBe(200);
    expect(await isGood(session)).toBe(true);
    await remove("finn");
  });

  it("do not begin with a password that changes during the login", async () => {
    // scrypt takes its time: the removal is there before the login is through.
    await using slow = await hosted({ pages: PAGES, passwordCost: 2 ** 15 });
    await addUser(slow, "gesa", "member");
    const removing = { method: "DELETE", path: pathOf("gesa") } as const;
    const login = signIn(slow, "gesa");
    const [outcome] = await Promise.allSettled([login, askPages(slow, slow, removing)]);
    if (outcome.status === "fulfilled")
      expect((await slow.ask({ method: "GET", path: "/devices", ...outcome.value })).status).toBe(401);
    else expect(String(outcome.reason)).toContain("401");
  });

  it("are bound to the user: a token does not work with another name", async () => {
    const session = await addUser(guide, "hanna", "member");
    expect(await isGood({ ...session, email: guide.email })).toBe(false);
    expect(await isGood({ ...session, email: " HANNA" })).toBe(true);
    await remove("hanna");
  });
});

const user = (name: string) => ({ name, password: PASSWORD, rights: "member" });

describe("a household", () => {
  it("keeps an owner: the last one can be neither removed nor demoted", async () => {
    expect([
      (await remove(guide.email)).status,
      (await put(guide.email, { rights: "member" })).status,
    ]).toEqual([409, 409]);
    const ida = await addUser(guide, "ida", "owner");
    expect((await put(guide.email, { rights: "viewer", session: ida })).status).toBe(200);
    expect([await isGood(guide), (await remove("ida", ida)).status]).toEqual([false, 409]);
    // Back as it was, for the tests that follow.
    expect((await put(guide.email, { rights: "owner", session: ida })).status).toBe(200);
    const session = await signIn(guide, guide.email);
    expect((await remove("ida", session)).status).toBe(200);
    const { ask } = guide;
    guide = { ...guide, ...session, ask: (order) => ask({ token: session.token, ...order }) };
  });

  it("has at most twenty users, and names are unique on the server", async () => {
    const refused = async (order: object) => (await post(order)).body;
    expect(await refused({ name: "Kim", password: "short" })).toMatchObject({
      code: "GUIDE_NOT_ACCEPTABLE",
      message: expect.stringContaining("8 to 200"),
    });
    for (const name of ["two words", "a/b", "\u202e", guide.email.toUpperCase()]) {
      expect([name, (await post({ name })).status]).toEqual([name, 409]);
    }
    for (let count = 1; count < 20; count += 1) await guide.server.addUser(guide.email, user(`Kim-${count}`));
    expect(await refused({ name: "kim-20" })).toMatchObject({
      message: "A household can have at most 20 users.",
    });
    for (let count = 1; count < 20; count += 1) await guide.server.removeUser(`kim-${count}`);
  });

  it("can neither see nor change another household", async () => {
    await guide.server.addAccount({ email: "other@example.org", password: PASSWORD });
    const other = await signIn(guide, "other@example.org");
    expect((await get(pathOf(guide.email), other)).status).toBe(404);
    expect((await remove(guide.email, other)).status).toBe(404);
    expect((await put(guide.email, { rights: "viewer", session: other })).status).toBe(404);
    expect((await get("/v1/users", other)).body).toMatchObject({ users: [{ name: other.email }] });
    expect((await post({ name: other.email })).status).toBe(409);
  });
});

describe("timers and rules", () => {
  it("remember who booked them, even after another user changes them or the user is gone", async () => {
    const lena = await addUser(guide, "lena", "member");
    const book = async (path: string, order: object) =>
      guide.ask({
        method: "POST",
        path,
        text: JSON.stringify({ device_id: guide.deviceId, ...order }),
        ...lena,
      });
    const [timer] = (await book("/shows/timers", { show_id: SHOW_ID })).read("timers").timers;
    await book("/series/recordings", { series_id: "s3" });
    await book("/keywords", { keyword: "harbour" });
    await guide.ask({
      method: "PUT",
      path: `/shows/timers/${timer?.id}`,
      text: JSON.stringify({ message: "moved" }),
    });
    const again = { series_id: "s3", device_id: guide.deviceId };
    await guide.ask({ method: "POST", path: "/series/recordings", text: JSON.stringify(again) });

    const one = (await get(pathOf("lena"))).body;
    expect(one).toMatchObject({
      user: { name: "lena", rights: "member", sessions: 1, timers: 1, rules: 2, isSelf: false },
      bookings: [
        { kind: "timer", id: timer?.id },
        { kind: "series", name: "Not yet" },
        { kind: "keyword", name: "harbour" },
      ],
    });
    expect((await get(pathOf(guide.email))).body).toMatchObject({
      user: { rights: "owner", timers: 0, rules: 0, isSelf: true },
      bookings: [],
    });

    await remove("lena");
    const { timers } = (await guide.ask({ method: "GET", path: "/shows/timers" })).read("timers");
    expect(timers.map(({ id }) => id)).toContain(timer?.id);
  });
});
