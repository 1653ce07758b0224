import type { WebAnswer, WebRefusal } from "../kit/web-server.ts";

export function json(status: number, body: unknown): WebAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** The answer to what no route has answered. */
export function refusal(why: WebRefusal): WebAnswer {
  const [status, message] = REFUSALS[why.kind];
  const answer = json(status, { code: why.kind, message });
  return why.kind === "method" ? { ...answer, headers: { ...answer.headers, allow: why.allow } } : answer;
}

const REFUSALS: Readonly<Record<WebRefusal["kind"], readonly [number, string]>> = {
  "no-route": [404, "There is nothing at this address: /v1/openapi.json tells of all there is."],
  method: [405, "This address is not asked like that: the header Allow says how."],
  "too-large": [413, "The request is too large."],
  malformed: [400, "The request is malformed."],
  failed: [500, "The recorder failed at this: its log says more."],
};
