import { z } from "zod";
import { PRIORITY_MAX } from "../../model/priority.ts";
import { MINUTE } from "../../model/time.ts";
import { type ApiRoute, route } from "../../web/route.ts";
import { At, Code, Count, list, Ms, Name, named, Text, Triplet } from "../../web/schemas.ts";
import type { DaemonApi } from "./daemon-api.ts";
import { DifferenceSchema, PlanSchema, WhatIfSchema } from "./plan-schema.ts";
import { RecordingSchema, RepeatSchema } from "./recording-schema.ts";
import { SnapshotSchema, TunerSchema } from "./snapshot-schema.ts";

const Done = named("Done", z.object({}));
const Id = z.strictObject({ id: Name });

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

const HistorySchema = named(
  "History",
  z.object({
    title: Text.exactOptional(),
    verdict: Text.exactOptional(),
    timeZone: Text.describe("The zone of times in sentences: the recorder's."),
    lines: list(
      z.object({
        at: At,
        fact: Text,
        facts: z.record(z.string(), Scalar).exactOptional(),
        text: Text,
      }),
    ),
    facts: list(
      z.object({
        at: At,
        fact: Text,
        timerId: Text.exactOptional(),
        recordingId: Text.exactOptional(),
        facts: z.record(z.string(), Scalar).exactOptional(),
      }),
    ),
  }),
);

const ServiceSchema = named(
  "KnownService",
  z.object({
    triplet: Triplet,
    name: Text,
    lcn: Count.exactOptional(),
    isRadio: z.literal(true).exactOptional(),
  }),
);

const ReachSchema = named(
  "Reach",
  z.object({
    channelId: Text,
    name: Text,
    number: Count.exactOptional(),
    service: Triplet.exactOptional(),
    by: z
      .enum(["assigned", "guide", "number", "name"])
      .exactOptional()
      .describe(
        "How its service was found: assigned by a person, named by the guide, or matched with the services of the tuners.",
      ),
    network: Text.exactOptional().describe("The broadcaster's group of channels."),
    isRadio: z.literal(true).exactOptional(),
    tuners: list(Text),
    why: Text.exactOptional().describe("Why no tuner receives it, as a sentence."),
    services: list(Triplet)
      .exactOptional()
      .describe("The services that the guide names, only if no tuner receives any of them."),
    candidates: list(ServiceSchema)
      .exactOptional()
      .describe("Services that may be this channel, the most likely first; only if no tuner receives it."),
  }),
);

const LogLineSchema = named(
  "LogLine",
  z.object({
    at: At,
    level: z.enum(["info", "warn", "error"]),
    message: Text,
    facts: z.record(z.string(), Scalar).exactOptional(),
  }),
);

const Stream = z.object({
  pid: Count,
  streamType: Count,
  kind: z.enum(["video", "audio", "subtitle", "teletext", "data"]),
  codec: Text,
  language: Text.exactOptional(),
});

const ProbeSchema = named(
  "ProbeReport",
  z.object({
    tunerId: Text,
    service: Text,
    openMs: Ms,
    payloadMs: Ms.exactOptional(),
    multiplex: Text.exactOptional(),
    tables: z
      .object({
        sid: Count,
        triplet: Triplet.exactOptional(),
        name: Text.exactOptional(),
        provider: Text.exactOptional(),
        serviceType: Count.exactOptional(),
        pmtPid: Count.exactOptional(),
        pcrPid: Count.exactOptional(),
        streams: list(Stream),
      })
      .exactOptional(),
    present: Text.exactOptional(),
    streamMs: Ms,
    bytes: Count,
    packets: Count,
    continuityErrors: Count,
    transportErrors: Count,
    scrambledPackets: Count,
    failure: z.object({ code: Code, text: Text }).exactOptional(),
  }),
);

const Minutes = z.int().min(0).max(1440);
const OverrideSchema = named(
  "Override",
  z.strictObject({
    priority: z.int().min(0).max(PRIORITY_MAX).nullable().exactOptional(),
    padding: z.strictObject({ beforeMinutes: Minutes, afterMinutes: Minutes }).nullable().exactOptional(),
  }),
);

/** Routes for the daemon's state, plan, history and changes to them. */
export function daemonRoutes(api: DaemonApi): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/snapshot",
      summary: "The complete state, from which all views are computed",
      answer: SnapshotSchema,
      handle: () => api.snapshot(),
    }),
    route({
      method: "GET",
      path: "/v1/timers",
      summary: "The recording of each timer, including ended ones of the last 30 days",
      answer: named("Timers", list(RecordingSchema)),
      handle: () => api.snapshot().recordings,
    }),
    route({
      method: "GET",
      path: "/v1/plan",
      summary: "The plan of all open recordings, its conflicts and its proven quality",
      answer: PlanSchema,
      handle: () => api.snapshot().plan,
    }),
    route({
      method: "GET",
      path: "/v1/tuners",
      summary: "The state and the reception of each tuner",
      answer: named("Tuners", list(TunerSchema)),
      handle: () => api.snapshot().tuners,
    }),
    route({
      method: "GET",
      path: "/v1/tuners/channels",
      summary: "The channels of the guide, which tuners receive each, and why none does",
      answer: named("Reaches", list(ReachSchema)),
      handle: () => api.reach(),
    }),
    route({
      method: "PUT",
      path: "/v1/tuners/channels/:id",
      summary:
        "Assign a service to a channel of the guide, on this recorder; null: recorderd chooses it. Takes effect at once",
      params: Id,
      body: named("Assignment", z.strictObject({ service: Triplet.nullable() })),
      answer: named("Reaches", list(ReachSchema)),
      handle: async ({ params, body: { service } }) => {
        await api.assign(params.id, service ?? undefined);
        return api.reach();
      },
    }),
    route({
      method: "GET",
      path: "/v1/timers/:id/why",
      summary: "The history of a timer from the ledger, as sentences and as facts",
      params: Id,
      answer: HistorySchema,
      handle: ({ params }) => api.history(params.id),
    }),
    route({
      method: "POST",
      path: "/v1/timers/:id/override",
      summary:
        "Override a timer's priority and padding on this recorder; takes precedence over rules and account; null removes the override",
      params: Id,
      body: OverrideSchema,
      answer: RecordingSchema,
      handle: ({ params, body: { padding, ...rest } }) => {
        const ms = padding && {
          beforeMs: padding.beforeMinutes * MINUTE,
          afterMs: padding.afterMinutes * MINUTE,
        };
        return api.setTimerOverride(params.id, { ...rest, ...(ms === undefined ? {} : { padding: ms }) });
      },
    }),
    route({
      method: "POST",
      path: "/v1/timers/:id/repeat",
      summary:
        "Book the repeat that the plan offers for a timer in conflict, then cancel the timer; a repeated request is safe",
      params: Id,
      answer: RepeatSchema,
      handle: ({ params }) => api.repeat(params.id),
    }),
    route({
      method: "GET",
      path: "/v1/logs",
      summary: "The latest lines of the log, the oldest first",
      answer: named("LogLines", list(LogLineSchema)),
      handle: () => api.logLines(),
    }),
    route({
      method: "POST",
      path: "/v1/sync",
      summary: "Poll the guide service for its timers at once",
      status: 202,
      answer: Done,
      handle: () => {
        api.syncNow();
        return {};
      },
    }),
    route({
      method: "POST",
      path: "/v1/replan",
      summary: "Replan",
      status: 202,
      answer: Done,
      handle: async () => {
        await api.replan();
        return {};
      },
    }),
    route({
      method: "POST",
      path: "/v1/what-if",
      summary: "The difference that a change would make to the plan; changes nothing",
      body: WhatIfSchema,
      answer: DifferenceSchema,
      handle: ({ body }) => api.whatIf(body),
    }),
    route({
      method: "POST",
      path: "/v1/tuners/probe",
      summary: "Probe for a few seconds whether a service can be received",
      body: named("ProbeOrder", z.strictObject({ service: Triplet, tunerId: Name.exactOptional() })),
      answer: ProbeSchema,
      handle: ({ body }) => api.probe(body),
    }),
  ];
}
