import type { CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tripletKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { soon } from "../main-job/recorder.ts";
import { pushServiceForTests, type TestPushService } from "../recorder/subsystems/notify/push-service.ts";
import { goTo, openPage, violations } from "./browser.ts";
import { type Household, openHousehold } from "./household.ts";

/** A service that the guide does not know: the tuner receives nothing that can be ordered. */

const ELSEWHERE = {
  service: tripletKey({ onid: 1, tsid: 1, sid: 60_000 }),
  url: "http://127.0.0.1:9/none.ts",
};

let push: TestPushService;
let household: Household;

beforeAll(async () => {
  push = await pushServiceForTests();
  household = await openHousehold(1, undefined, {
    pushService: push.service,
    tuners: [{ kind: "url", id: "url-1", services: [ELSEWHERE] }],
  });
});

afterAll(async () => {
  await household[Symbol.asyncDispose]();
  await push[Symbol.asyncDispose]();
});

/** Chromium's own push service is on the internet: the page gets the subscription of ours instead. */
async function subscribeAtOurs(page: Page): Promise<void> {
  const { subscription } = push;
  await page.addInitScript(`
    let current = null;
    const subscription = {
      ...${JSON.stringify(subscription)},
      toJSON: () => (${JSON.stringify(subscription)}),
      unsubscribe: async () => { current = null; return true; },
    };
    PushManager.prototype.subscribe = async (options) => {
      window.askedFor = options;
      current = subscription;
      return subscription;
    };
    PushManager.prototype.getSubscription = async () => current;
  `);
}

/** Hands a message to the page's service worker, as Chromium does with one that its push service sent. */
async function deliver(devTools: CDPSession, origin: string, message: unknown): Promise<void> {
  const registered = new Promise<string>((resolve) =>
    devTools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    }),
  );
  await devTools.send("ServiceWorker.enable");
  const data = JSON.stringify(message);
  await devTools.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registered, data });
}

/**
 * Chromium without windows shows no notification and always answers that they are denied. So the page gets the answer that
 * they are allowed, and the worker notes what it would show. A whole Chromium (CHROMIUM) really shows them.
 */
async function allowNotifications(page: Page): Promise<void> {
  await page.context().grantPermissions(["notifications"]);
  await page.addInitScript(`if (Notification.permission !== "granted") {
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = async () => "granted";
  }`);
}

const NOTE_SHOWN = `if (Notification.permission !== "granted") {
  const shown = [];
  registration.showNotification = async (title, { tag, ...options }) => {
    shown.push({ title, ...options, close: () => {} });
  };
  registration.getNotifications = async () => shown;
}`;
const SHOWN =
  "registration.getNotifications().then((all) => all.map(({ title, body }) => ({ title, body })))";
/** Without a real press, the browser lets no worker bring a window to the front. */
const CLICK = `WindowClient.prototype.focus = async () => {};
registration.getNotifications().then(([notification]) => {
  const event = new ExtendableEvent("notificationclick");
  Object.defineProperty(event, "notification", { value: notification });
  dispatchEvent(event);
})`;

it("a browser that asks for notifications shows one when a recording fails, and a click opens the recording", async () => {
  const { browser, base, recorder, world } = household;
  const { page } = await openPage(browser, { base });
  await allowNotifications(page);
  await subscribeAtOurs(page);
  await page.goto("/");
  await goTo(page, "More");
  await page.getByRole("button", { name: "Notify this browser" }).click();
  await page.getByText("This device now receives notifications. A test is on its way.").waitFor();
  expect(push.received.map(({ message }) => message.title)).toEqual(["Test of recorderd"]);
  expect(await page.evaluate("askedFor.userVisibleOnly")).toBe(true);
  await page.getByRole("button", { name: "Stop notifications here" }).waitFor();
  expect(await violations(page)).toEqual([]);

  const show = { channel: 1, title: "Late film", start: soon(), durationMs: 2 * SECOND };
  const timerId = await world.world.book(show, world.deviceId);
  const { id } = await recorder.until(timerId, ({ state }) => state === "missed");
  const told = () => push.received.find(({ message }) => message.id === `ended-${id}`)?.message;
  await expect.poll(told).toMatchObject({ title: "Not recorded: Late film" });

  const [worker = expect.fail("the page has no worker")] = page.context().serviceWorkers();
  await worker.evaluate(NOTE_SHOWN);
  await deliver(await page.context().newCDPSession(page), base, told());
  await expect
    .poll(() => worker.evaluate(SHOWN))
    .toEqual([{ title: "Not recorded: Late film", body: told()?.text }]);
  await worker.evaluate(CLICK);
  await page.getByRole("dialog", { name: "Late film" }).waitFor();
  await page.close();
});

it("a browser that was told to stop is sent nothing", async () => {
  const { browser, base } = household;
  const { page } = await openPage(browser, { base });
  await allowNotifications(page);
  await subscribeAtOurs(page);
  await page.goto("/more");
  await page.getByRole("button", { name: "Notify this browser" }).click();
  await page.getByRole("button", { name: "Stop notifications here" }).click();
  await page.getByText("This browser no longer receives notifications.").waitFor();
  await page.getByRole("button", { name: "Notify this browser" }).waitFor();
  await page.close();
});

it("a page without https says why it cannot notify", async () => {
  const { browser, base } = household;
  const { page } = await openPage(browser, { base });
  await page.addInitScript("Object.defineProperty(globalThis, 'isSecureContext', { value: false })");
  await page.goto("/more");
  await page.getByText("Browsers can receive notifications only over a secure connection (https).").waitFor();
  await page.close();
});
