import type { WebAnswer } from "../kit/web-server.ts";

export function json(status: number, body: unknown): WebAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
