import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import type { News } from "../../../../src/model/news.ts";
import { SECOND } from "../../../../src/model/time.ts";
import { stateInFolder } from "../../../../src/recorder/store/state-store.ts";
import { PUSH_LIMITS } from "../../../../src/recorder/subsystems/notify/push/limits.ts";
import { openPush, type PushPart } from "../../../../src/recorder/subsystems/notify/push/open.ts";
import { isPushService } from "../../../../src/recorder/subsystems/notify/push/services.ts";
import { worded } from "../../../../src/recorder/subsystems/notify/wording.ts";
import { temporaryFolder } from "../../../main-job/recorder.ts";
import { outOfPatience } from "../../../patience.ts";
import { claimsOf, pushServiceForTests, type TestPushService } from "./push-service.ts";

const clock = systemClock();
const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

async function setting() {
  const folder = await temporaryFolder();
  const push = await pushServiceForTests();
  open.push(folder, push);
  return { folder: folder.path, push };
}

async function part(folder: string, { service }: TestPushService): Promise<PushPart> {
  const opened = await openPush({
    state: stateInFolder(folder),
    onChange: () => {},
    clock,
    log: silentLog,
    service,
  });
  open.push(opened);
  return opened;
}

function order({ subscription }: TestPushService, language: "en" | "de" = "en") {
  return { ...subscription, language, timeZone: "Asia/Tokyo" };
}

const FAILED: News = {
  id: "ended-1",
  kind: "failed",
  at: Date.parse("2026-11-20T20:15:00Z"),
  facts: {
    is: "missed",
    name: "Spätfilm",
    channelName: "Das Erste",
    event: { start: Date.parse("2026-11-20T19:15:00Z"), stop: Date.parse("2026-11-20T20:15:00Z") },
  },
  recordingId: "r-1",
};

async function send(opened: PushPart, news: News): Promise<void> {
  for (const { target, reader } of opened.receivers()) {
    const notification = worded(news, { reader: await reader(), now: news.at });
    await target.send(notification, outOfPatience());
  }
}

describe("notifications to a browser", () => {
  it("begin with a test, and are signed with the key that the browser knows", async () => {
    const { folder, push } = await setting();
    const { api } = await part(folder, push);
    const publicKey = await api.publicKey();
    await api.add(order(push));
    expect(push.received.map(({ message }) => message.title)).toEqual(["Test of recorderd"]);
    const headers = push.received[0]?.headers ?? {};
    const { aud, exp } = claimsOf(String(headers["authorization"]), publicKey);
    expect(aud).toBe(new URL(push.subscription.endpoint).origin);
    expect(exp * SECOND).toBeGreaterThan(Date.now());
    expect(exp * SECOND).toBeLessThanOrEqual(Date.now() + 24 * 3600 * SECOND);
    expect(headers).toMatchObject({ ttl: "86400", urgency: "high", "content-encoding": "aes128gcm" });
  });

  it("have the language and the zone of the browser's reader, also after a restart", async () => {
    const { folder, push } = await setting();
    const first = await part(folder, push);
    await first.api.add(order(push, "de"));
    const second = await part(folder, push);
    await send(second, FAILED);
    const { message } = push.received.at(-1) ?? {};
    expect(message).toMatchObject({
      id: "ended-1",
      recordingId: "r-1",
      title: "Nicht aufgenommen: Spätfilm",
    });
    // 19:15 in UTC.
    expect(message?.text).toMatch(/04:15.*Das Erste/);
  });

  it("take a text of any length", async () => {
    const { folder, push } = await setting();
    const { api, receivers } = await part(folder, push);
    await api.add(order(push));
    const [receiver] = receivers();
    const notification = worded(FAILED, {
      reader: await (receiver ?? expect.fail("no receiver")).reader(),
      now: FAILED.at,
    });
    await receiver?.target.send({ ...notification, text: "あ".repeat(5000) }, outOfPatience());
    expect(push.received.at(-1)?.message.text).toHaveLength(PUSH_LIMITS.textLength + 1);
  });

  it("are kept from others: the file is the owner's, and neither address nor keys are in an id", async () => {
    const { folder, push } = await setting();
    const { api, receivers } = await part(folder, push);
    await api.add(order(push));
    const file = join(folder, "push.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toContain(push.subscription.endpoint);
    const [{ target } = { target: { id: "" } }] = receivers();
    expect(target.id).toMatch(/^browser:[\w-]{12}$/);
    expect(push.subscription.endpoint).not.toContain(target.id.slice("browser:".length));
  });

  it.each([404, 410])("end when the browser has left (%i)", async (status) => {
    const { folder, push } = await setting();
    const opened = await part(folder, push);
    await opened.api.add(order(push));
    push.answerWith(status);
    await expect(send(opened, FAILED)).rejects.toMatchObject({ code: "NOTIFY_REFUSED" });
    expect(opened.receivers()).toEqual([]);
    expect((await part(folder, push)).receivers()).toEqual([]);
  });

  it.each([
    [429, "NOTIFY_UNREACHABLE"],
    [503, "NOTIFY_UNREACHABLE"],
    [403, "NOTIFY_REFUSED"],
  ])("status %i of the push service is %s, and the browser stays", async (status, code) => {
    const { folder, push } = await setting();
    const opened = await part(folder, push);
    await opened.api.add(order(push));
    push.answerWith(status);
    await expect(send(opened, FAILED)).rejects.toMatchObject({ code });
    expect(opened.receivers()).toHaveLength(1);
  });

  it("are not turned on by a browser that gets no test", async () => {
    const { folder, push } = await setting();
    const opened = await part(folder, push);
    push.answerWith(403);
    await expect(opened.api.add(order(push))).rejects.toMatchObject({ code: "NOTIFY_REFUSED" });
    expect(opened.receivers()).toEqual([]);
  });

  it("change language without another test, and go to a browser once", async () => {
    const { folder, push } = await setting();
    const opened = await part(folder, push);
    await opened.api.add(order(push));
    await opened.api.add(order(push, "de"));
    expect(push.received).toHaveLength(1);
    await send(opened, FAILED);
    expect(push.received.map(({ message }) => message.title)).toEqual([
      "Test of recorderd",
      "Nicht aufgenommen: Spätfilm",
    ]);
    await opened.api.remove(push.subscription.endpoint);
    expect(opened.receivers()).toEqual([]);
  });

  it("are for nobody when their file is damaged, and can be turned on again", async () => {
    const { folder, push } = await setting();
    await writeFile(join(folder, "push.json"), "{");
    const opened = await part(folder, push);
    expect(opened.receivers()).toEqual([]);
    await opened.api.add(order(push));
    expect(opened.receivers()).toHaveLength(1);
  });
});

describe("the address of a browser", () => {
  it.each([
    "https://fcm.googleapis.com/fcm/send/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://web.push.apple.com/abc",
    "https://wns2-par02p.notify.windows.com/w/?token=abc",
  ])("is of a known push service: %s", (address) => expect(isPushService(new URL(address))).toBe(true));

  it.each([
    "https://192.168.1.1/fcm/send/abc",
    "https://localhost/abc",
    "http://fcm.googleapis.com/fcm/send/abc",
    "https://fcm.googleapis.com:8443/abc",
    "https://fcm.googleapis.com.example.org/abc",
    "https://evilpush.apple.com.attacker.test/",
    "https://xpush.apple.com/abc",
    "https://fcm.googleapis.com@192.168.1.1/abc",
    "https://user:pw@fcm.googleapis.com/abc",
  ])("is refused: %s", (address) => expect(isPushService(new URL(address))).toBe(false));
});
