import { describe, expect, it } from "vitest";
import type { GuideTables, Token, User } from "../../src/guide-server/data/tables.ts";
import { addToken } from "../../src/guide-server/domain/accounts.ts";
import { DAY } from "../../src/model/time.ts";
import { storedText } from "./engines.ts";
import { type Hosted, hosted, NOW, PASSWORD } from "./hosted.ts";

interface Member {
  readonly email_address: string;
  readonly password: string;
  readonly region_id?: number;
}

async function login(guide: Hosted, member: Partial<Member>, device?: object) {
  const text = JSON.stringify({
    member: { email_address: guide.email, password: PASSWORD, ...member },
    ...(device === undefined ? {} : { device }),
  });
  return guide.ask({ method: "POST", path: "/login", anonymous: true, text });
}

const timersWith = async (guide: Hosted, token: string) =>
  (await guide.ask({ method: "GET", path: "/shows/timers", token })).status;

describe("a login", () => {
  it("gives a token that is valid until half a year after its last use", async () => {
    await using guide = await hosted();
    const { member, device } = (await login(guide, {})).read("login");
    expect(member).toMatchObject({
      id: "1",
      email_address: guide.email,
      token_expiry: "2027-05-19T09:00:00+00:00",
      region_id: 1,
      timezone: "Australia/Sydney",
    });
    expect(Buffer.from(member.token, "base64url")).toHaveLength(32);
    expect(device).toBeUndefined();
    for (const days of [170, 340, 510, 680]) {
      await guide.clock.advanceTo(NOW + days * DAY);
      expect(await timersWith(guide, member.token)).toBe(200);
    }
    await guide.clock.advanceTo(NOW + (680 + 180) * DAY);
    expect(await timersWith(guide, member.token)).toBe(401);
  });

  it("gives a token that no use brings back after its logout", async () => {
    await using guide = await hosted();
    const { token } = (await login(guide, {})).read("login").member;
    await guide.clock.advanceTo(NOW + 2 * DAY);
    expect(await timersWith(guide, token)).toBe(200);
    expect((await guide.ask({ method: "DELETE", path: "/logout", token })).status).toBe(200);
    await guide.clock.advanceTo(NOW + 4 * DAY);
    expect(await timersWith(guide, token)).toBe(401);
  });

  it("ignores the case of the e-mail address and of the device's uid", async () => {
    await using guide = await hosted();
    const again = await login(
      guide,
      { email_address: guide.email.toUpperCase() },
      { uid: "aa:bb", label: "Other", type_id: 2 },
    );
    expect(again.read("login").device).toEqual({
      id: guide.deviceId,
      uid: "AA:BB",
      label: "Lounge",
      type_id: 1,
    });
    const found = await guide.ask({ method: "GET", path: "/devices?uid=aa:BB" });
    expect(found.read("devices").devices).toMatchObject([{ id: guide.deviceId, uid: "AA:BB" }]);
    const added = await login(guide, {}, { uid: "CC", label: "Den", type_id: 2 });
    expect(added.read("login").device).toMatchObject({ uid: "CC", label: "Den", type_id: 2 });
  });

  it("knows a MAC address in every spelling, and gives a device the one of its first sign-in", async () => {
    await using guide = await hosted();
    const enter = async (uid: string) =>
      (await login(guide, {}, { uid, label: "Box", type_id: 2 })).read("login").device;
    const first = await enter("00:1A:2b:3c:4D:5e");
    for (const uid of ["00-1a-2b-3c-4d-5e", "001A2B3C4D5E", "001a.2b3c.4d5e", "00 1a 2b 3c 4d 5e"])
      expect(await enter(uid)).toEqual(first);
    expect(await enter("00-1a-2b-3c-4d-5f")).not.toMatchObject({ id: first?.id });
    const found = await guide.ask({ method: "GET", path: "/devices?uid=001a2b3c4d5e" });
    expect(found.read("devices").devices).toMatchObject([{ id: first?.id }]);
    // Something else than a MAC address keeps its separators.
    expect(await enter("box-1")).not.toMatchObject({ id: (await enter("box1"))?.id });
  });

  it("leaves two devices of one MAC address to the spellings that know them", async () => {
    await using guide = await hosted();
    const spellings = ["00:1a:2b:3c:4d:5e", "001A2B3C4D5E"];
    const ids: number[] = [];
    for (const uid of spellings)
      ids.push(await guide.server.addDevice(guide.email, { uid, label: "Box", type_id: 2 }));
    const enter = async (uid: string) =>
      (await login(guide, {}, { uid, label: "Box", type_id: 2 })).read("login").device?.id;
    for (const [at, uid] of spellings.entries()) expect(await enter(uid)).toBe(ids[at]);
    expect(await enter("00-1A-2B-3C-4D-5E")).toBe(ids[0]);
  });

  it("keeps up to fifty earlier tokens; then the oldest ends, the latest of each device last", () => {
    const tables = { tokens: new Map<string, Token>() } as unknown as GuideTables & {
      readonly tokens: Map<string, Token>;
    };
    const user = { id: "me", accountId: "1" } as User;
    const devices = [7, 8, 7];
    for (let at = 0; at < 60; at += 1) {
      for (const change of addToken(tables, user, { deviceId: devices[at], now: at }).changes) {
        if (change.kind === "remove") tables.tokens.delete(change.id);
        else tables.tokens.set(String(change.record.id), change.record as Token);
      }
    }
    const kept = [...tables.tokens.values()].map(({ createdAt }) => createdAt);
    expect(kept).toEqual([1, 2, ...Array.from({ length: 48 }, (_, index) => index + 12)]);
  });

  it("creates an account only if that is allowed and the data is valid", async () => {
    await using closed = await hosted();
    const fresh = { email_address: "new@example.org", password: "12345678" };
    expect((await login(closed, fresh)).status).toBe(401);
    await using open = await hosted({ allowSignUp: true });
    const refused = [
      { ...fresh, email_address: "nobody" },
      { ...fresh, password: "1234567" },
      { ...fresh, region_id: 99 },
    ];
    const fields = [];
    for (const member of refused) fields.push((await login(open, member)).read("error").error.field);
    expect(fields).toEqual(["member.email_address", "member.password", "member.region_id"]);
    const made = (await login(open, { ...fresh, region_id: 2 })).read("login").member;
    expect(made).toMatchObject({ region_id: 2, timezone: "AWST-8" });
    expect((await login(open, { ...fresh, password: "something else" })).status).toBe(401);
  });

  it("R-39 stores neither password nor token in plain text in any file of the server", async () => {
    await using guide = await hosted();
    const stored = await storedText(guide.folder);
    expect(stored).toContain(guide.email);
    expect(stored).not.toContain(PASSWORD);
    expect(stored).not.toContain(guide.token);
  });
});

describe("the API key", () => {
  it("may be anything if the server has none, and otherwise must match", async () => {
    await using guide = await hosted({ apiKey: "k3y&" });
    const status = async (path: string) => (await guide.ask({ method: "GET", path })).status;
    expect(await status("/regions")).toBe(200);
    expect(await status("/regions?api_key=x")).toBe(403);
    expect(await status("/devices?api_key=")).toBe(403);
    await using open = await hosted();
    expect((await open.ask({ method: "GET", path: "/regions?api_key=x" })).status).toBe(200);
  });
});
