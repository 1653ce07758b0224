import { Readable } from "node:stream";
import type { WebAnswer, WebRefusal } from "../kit/http/web-server.ts";
import { jsonChunks } from "../kit/text/json-chunks.ts";
import { yieldToLoop } from "../kit/time/clock.ts";

/** Answers with JSON. A long text is written in chunks while it is read, so that other work is not delayed. */
export function json(status: number, body: unknown): WebAnswer {
  const headers = { "content-type": "application/json" };
  if (typeof body !== "object" || body === null) return { status, headers, body: JSON.stringify(body) };
  const pieces = jsonChunks(body);
  const first = pieces.next().value ?? "";
  const second = pieces.next().value;
  if (second === undefined) return { status, headers, body: first };
  return { status, headers, body: Readable.from(streamed([first, second], pieces)) };
}

async function* streamed(begun: readonly string[], more: Iterable<string>): AsyncGenerator<string> {
  yield* begun;
  for (const piece of more) {
    await yieldToLoop();
    yield piece;
  }
}

/** The answer to a request without a route. */
export function refusal(why: WebRefusal): WebAnswer {
  // Clients know one code for what cannot be read.
  if (why.kind === "unreadable") return json(why.status, { code: "malformed", message: why.reason });
  if (why.kind === "malformed") return json(400, { code: why.kind, message: why.reason });
  const [status, message] = REFUSALS[why.kind];
  const answer = json(status, { code: why.kind, message });
  return why.kind === "method" ? { ...answer, headers: { ...answer.headers, allow: why.allow } } : answer;
}

const REFUSALS: Readonly<
  Record<Exclude<WebRefusal["kind"], "malformed" | "unreadable">, readonly [number, string]>
> = {
  "no-route": [404, "There is nothing at this address: /v1/openapi.json lists every route."],
  method: [405, "This address does not support this method: the header Allow lists the methods."],
  "too-large": [413, "The request is too large."],
  "too-many": [429, "Too many long answers at once: try again soon."],
  failed: [500, "The recorder failed on this request: its log has details."],
};
