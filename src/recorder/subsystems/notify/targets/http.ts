import { createHttpClient } from "../../../../kit/http/http.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import { asOneLine } from "../../../../model/one-line.ts";
import type { TargetConfig } from "../config.ts";
import { documentOf, type Notification, type Target, type TargetCredentials } from "../target.ts";

type HttpConfig = Extract<TargetConfig, { readonly kind: "webhook" | "ntfy" }>;

const ANSWER_BYTES_MAX = 64 * 1024;
/** May be accepted later: after a permission was granted, or when the server has time. */
const LATER = new Set([401, 403, 408, 425, 429]);

/** A webhook, or ntfy, a webhook with its own format. */
export function httpTarget(config: HttpConfig, credentials: () => TargetCredentials | undefined): Target {
  const http = createHttpClient();
  const { id } = config;
  const failure = (code: "NOTIFY_UNREACHABLE" | "NOTIFY_REFUSED", what: string) =>
    new RecorderdError(code, `Target ${id}: ${what}.`, { target: id });
  return {
    id,
    async send(notification, signal) {
      const answer = await http.request(
        {
          method: "POST",
          url: new URL(config.url),
          headers: {
            "content-type": "application/json",
            "x-message-id": asOneLine(notification.id),
            ...authorization(credentials()),
          },
          body: Buffer.from(JSON.stringify(bodyOf(config, notification))),
          bodyBytesMax: ANSWER_BYTES_MAX,
        },
        signal,
      );
      if (answer.kind === "failed") throw failure("NOTIFY_UNREACHABLE", `no answer (${answer.code})`);
      const { status } = answer;
      if (status >= 200 && status < 300) return;
      const isFinal = status >= 400 && status < 500 && !LATER.has(status);
      const hint =
        status === 401 || status === 403
          ? `; recorderd notify login ${id} stores user and password or a token`
          : "";
      throw failure(isFinal ? "NOTIFY_REFUSED" : "NOTIFY_UNREACHABLE", `it answers ${status}${hint}`);
    },
    [Symbol.asyncDispose]: () => http.close(),
  };
}

function authorization(credentials: TargetCredentials | undefined): Readonly<Record<string, string>> {
  if (credentials === undefined) return {};
  const { user, password } = credentials;
  if (user === undefined) return { authorization: `Bearer ${password}` };
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}` };
}

/** @see docs.ntfy.sh, Publish as JSON: priorities from 1 to 5 */
function bodyOf(config: HttpConfig, notification: Notification): object {
  if (config.kind === "webhook") return documentOf(notification);
  const { kind, title, text } = notification;
  const isGood = kind === "completed" || kind === "test";
  return {
    topic: config.topic,
    title: asOneLine(title),
    message: text,
    tags: [kind],
    priority: isGood ? 3 : 4,
  };
}
