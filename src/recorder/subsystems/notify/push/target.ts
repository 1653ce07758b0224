import { createHash } from "node:crypto";
import type { RequestOptions } from "web-push";
import type { HttpClient } from "../../../../kit/http/http.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import { SECOND } from "../../../../model/time.ts";
import type { Notification, Target } from "../target.ts";
import type { Browser, Push } from "./file.ts";
import { PUSH_LIMITS } from "./limits.ts";

/** Apple's service requires a contact; it sends nothing there. */
const CONTACT = "mailto:recorderd@example.org";
const ANSWER_BYTES_MAX = 16 * 1024;
/** The browser has left, or was asked to forget the recorder (RFC 8030 §7.3). */
const GONE = [404, 410];
const LATER = [408, 425, 429];

export interface PushTargetParts {
  readonly browser: Browser;
  readonly keys: Push["keys"];
  readonly http: HttpClient;
  /** The browser is gone for good. */
  readonly onGone: () => Promise<void>;
}

/** No id of the configuration contains a colon. Nothing of the address shows in it: ids are logged. */
export function pushTargetId({ endpoint }: Pick<Browser, "endpoint">): string {
  return `browser:${createHash("sha256").update(endpoint).digest("base64url").slice(0, 12)}`;
}

/** Sends notifications to a browser, through its push service (RFC 8030), encrypted for it (RFC 8291). */
export function pushTarget({ browser, keys, http, onGone }: PushTargetParts): Target {
  const id = pushTargetId(browser);
  const failure = (code: "NOTIFY_UNREACHABLE" | "NOTIFY_REFUSED", what: string) =>
    new RecorderdError(code, `The browser's push service: ${what}.`, { target: id });
  return {
    id,
    async send(notification, signal) {
      const { url, headers, body } = await requestFor(browser, notification, keys);
      const answer = await http.request(
        { method: "POST", url, headers, body, bodyBytesMax: ANSWER_BYTES_MAX },
        signal,
      );
      if (answer.kind === "failed") throw failure("NOTIFY_UNREACHABLE", `no answer (${answer.code})`);
      const { status } = answer;
      if (status >= 200 && status < 300) return;
      if (GONE.includes(status)) {
        await onGone();
        throw failure("NOTIFY_REFUSED", "the browser no longer receives notifications");
      }
      const isFinal = status < 500 && !LATER.includes(status);
      throw failure(isFinal ? "NOTIFY_REFUSED" : "NOTIFY_UNREACHABLE", `it answers ${status}`);
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function requestFor(browser: Browser, notification: Notification, keys: Push["keys"]) {
  const { default: webPush } = await import("web-push");
  const options: RequestOptions = {
    vapidDetails: { subject: CONTACT, ...keys },
    contentEncoding: "aes128gcm",
    TTL: PUSH_LIMITS.keptMs / SECOND,
    // A telephone that sleeps is woken for these.
    urgency: notification.kind === "completed" ? "normal" : "high",
    // A message that was sent twice replaces itself.
    topic: createHash("sha256").update(notification.id).digest("base64url").slice(0, 32),
  };
  const { endpoint, headers, body } = webPush.generateRequestDetails(
    browser,
    payloadOf(notification),
    options,
  );
  return { url: new URL(endpoint), headers: headersOf(headers), body: body ?? Buffer.alloc(0) };
}

/** undici counts the bytes itself. */
function headersOf(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.toLowerCase() === "content-length" ? [] : [[name.toLowerCase(), String(value)]],
    ),
  );
}

/** The message for `sw.js` of the dashboard. */
function payloadOf({ id, title, text, recordingId }: Notification): string {
  const lines =
    text.length <= PUSH_LIMITS.textLength ? text : `${text.slice(0, PUSH_LIMITS.textLength).toWellFormed()}…`;
  return JSON.stringify({ id, title, text: lines, ...(recordingId === undefined ? {} : { recordingId }) });
}
