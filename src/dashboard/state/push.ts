import { signal } from "@preact/signals";
import { ask } from "./api.ts";
import { reader, say } from "./language.ts";
import { goTo } from "./place.ts";

/** Whether this browser receives notifications, or why it cannot. */
export type PushState = "unknown" | "insecure" | "impossible" | "denied" | "off" | "on";

export const push = signal<PushState>("unknown");

/** The browser starts it for a message, also when no page is open. */
const WORKER = "/sw.js";

/** Finds the state. A browser that receives notifications tells the recorder its present language and zone. */
export async function loadPush(): Promise<void> {
  push.value = await stateOfBrowser();
  const subscription = push.value === "on" ? await subscriptionOfBrowser() : undefined;
  if (subscription !== undefined) await register(subscription);
}

async function stateOfBrowser(): Promise<PushState> {
  if (!isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis))
    return "impossible";
  if (Notification.permission === "denied") return "denied";
  return (await subscriptionOfBrowser()) === undefined ? "off" : "on";
}

async function subscriptionOfBrowser(): Promise<PushSubscription | undefined> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

/** @throws Error with the reason for the reader */
export async function turnPushOn(): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") {
    push.value = await stateOfBrowser();
    throw new Error(say("push-denied"));
  }
  const subscription = await subscribe();
  try {
    await register(subscription);
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
  push.value = "on";
}

async function subscribe(): Promise<PushSubscription> {
  const { publicKey } = await ask<{ readonly publicKey: string }>("GET", "/v1/push");
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // A former recorder's key would be refused.
  await (await pushManager.getSubscription())?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  return pushManager.subscribe(options).catch(() => {
    throw new Error(say("push-refused"));
  });
}

async function register(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const { language, timeZone } = reader();
  await ask("POST", "/v1/push/browsers", { endpoint, keys, language, timeZone });
}

export async function turnPushOff(): Promise<void> {
  const subscription = await subscriptionOfBrowser();
  // The recorder also learns it from the push service, should it not hear of it now.
  await subscription?.unsubscribe();
  push.value = "off";
  if (subscription !== undefined)
    await ask("POST", "/v1/push/browsers/remove", { endpoint: subscription.endpoint });
}

/** Shows what a notification is about when somebody presses it. */
export function followNotifications(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ readonly path: string }>) =>
    goTo(data.path),
  );
  navigator.serviceWorker.startMessages();
}
