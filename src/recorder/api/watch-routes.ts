import { z } from "zod";
import { json } from "../../web/json.ts";
import { type ApiRoute, refused, route } from "../../web/route.ts";
import { list, named, Text } from "../../web/schemas.ts";
import type { DaemonApi } from "./daemon-api.ts";

/** Routes for monitors of the recorder: people's pages, service managers. */
export function watchRoutes(api: DaemonApi): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/metrics",
      summary: "Metrics for Prometheus, as in docs/dev/metrics.md",
      answer: "text/plain",
      handle: async () => {
        const { contentType, text } = await api.metrics();
        return { status: 200, headers: { "content-type": contentType }, body: text };
      },
    }),
    route({
      method: "GET",
      path: "/v1/events",
      summary:
        "Server-sent events: `snapshot`, the complete state, then every `change`; with Last-Event-ID, the missed changes (docs/dev/api.md)",
      answer: "text/event-stream",
      handle: ({ request }) => {
        const id = request.headers["last-event-id"];
        if (request.method === "HEAD") return { status: 200, headers: EVENT_STREAM };
        const body = api.events.listen(typeof id === "string" ? id : undefined, request.address);
        return body === undefined
          ? refused(429, "too-many", "Too many pages are open: close some of them.", {
              "retry-after": "10",
            })
          : { status: 200, headers: EVENT_STREAM, body };
      },
    }),
    route({
      method: "GET",
      path: "/healthz",
      summary: "The process answers",
      open: true,
      unmetered: true,
      answer: named("Health", z.object({ status: z.literal("live") })),
      handle: () => ({ status: "live" as const }),
    }),
    route({
      method: "GET",
      path: "/readyz",
      summary:
        "The recorder can record: the engine runs and its data folder is writable; otherwise 503 with the reason",
      open: true,
      unmetered: true,
      answer: "application/json",
      handle: () => {
        const why = api.unready();
        const lacks = api.lacks();
        const answer: z.input<typeof Readiness> = {
          ...(why === undefined ? { status: "ready" } : { status: "not-ready", why }),
          ...(lacks.length === 0 ? {} : { lacks }),
        };
        return json(why === undefined ? 200 : 503, answer);
      },
    }),
  ];
}

const EVENT_STREAM = {
  "content-type": "text/event-stream",
  // Some proxies would buffer the events.
  "x-accel-buffering": "no",
};

const Readiness = named(
  "Readiness",
  z.object({
    status: z.enum(["ready", "not-ready"]),
    why: Text.exactOptional(),
    lacks: list(z.enum(["secrets"])).exactOptional(),
  }),
);
