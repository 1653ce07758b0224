import { z } from "zod";
import { PRIORITY_MAX } from "../../model/priority.ts";
import { At, Count, list, Ms, Name, named, Text, Window } from "../../web/schemas.ts";
import { RepeatSchema } from "./recording-schema.ts";

const Holder = z.object({ recordingId: Text, tunerId: Text });

const Placement = named(
  "Placement",
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("placed"),
      recordingId: Text,
      tunerId: Text,
      span: Window,
      begin: At,
      seamMs: Ms,
      isHope: z.literal(true).exactOptional(),
    }),
    z.object({ kind: z.literal("conflict"), recordingId: Text, capable: z.boolean() }),
  ]),
);

const Remedy = named(
  "Remedy",
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("raise-priority"),
      recordingId: Text,
      to: Count,
      loses: list(Text),
      partly: list(Text).exactOptional(),
    }),
    z.object({ kind: z.literal("withdraw"), recordingId: Text, other: Text }),
    z.object({ kind: z.literal("add-tuner"), recordingId: Text, like: Text }),
    z.object({ kind: z.literal("none"), recordingId: Text }),
    z.object({ kind: z.literal("repeat"), recordingId: Text, repeat: RepeatSchema }),
  ]),
);

const Proof = named(
  "Proof",
  z.object({
    recordingIds: list(Text),
    proven: z.enum(["all", "padding", "events", "none"]),
    worth: z.object({
      priorities: list(Count),
      whole: list(Count),
      partMs: list(Ms),
      hope: Count,
      avoided: Count,
      weak: Count,
      paddingMs: Ms,
      stayed: Count,
      tunings: Count,
      order: Count,
    }),
    provisional: z.boolean().exactOptional(),
    wholeAtMost: list(Count).exactOptional(),
  }),
);

const Lack = named(
  "Conflict",
  z.object({ recordingId: Text, holders: list(Holder), remedies: list(Remedy) }),
);

export const PlanSchema = named(
  "Plan",
  z.object({ placements: list(Placement), conflicts: list(Lack), groups: list(Proof) }),
);

export const WhatIfSchema = named(
  "WhatIf",
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("without-tuner"), tunerId: Name }),
    z.strictObject({ kind: z.literal("padding"), minutes: z.int().min(0).max(1440) }),
    z.strictObject({
      kind: z.literal("priority"),
      timerId: Name,
      priority: z.int().min(0).max(PRIORITY_MAX),
    }),
    z.strictObject({
      kind: z.literal("add"),
      channel: Name.describe("Name or id of the channel."),
      start: z.int().min(0),
      minutes: z.int().min(1).max(1440),
    }),
    z.strictObject({
      kind: z.literal("disk"),
      freeBytes: z.int().min(0).describe("On the disk of recordings."),
    }),
  ]),
);

export const SpaceSchema = named(
  "Space",
  z.object({
    level: z.enum(["enough", "low", "full", "offline"]),
    freeBytes: Count,
    totalBytes: Count,
    lowBytes: Count,
    stopBytes: Count,
    reservedBytes: Count,
    bytesPerSecond: Count,
    fills: z.object({ at: At, by: z.enum(["plan", "pace"]) }).exactOptional(),
  }),
);

export const DifferenceSchema = named(
  "Difference",
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("difference"),
      won: list(Text),
      lost: list(z.object({ recordingId: Text, holders: list(Holder) })),
      moved: list(z.object({ recordingId: Text, from: Text, to: Text })),
      space: z.object({ before: SpaceSchema, after: SpaceSchema }).exactOptional(),
      added: z.object({ placement: Placement, holders: list(Holder) }).exactOptional(),
    }),
    z.object({ kind: z.literal("unknown"), text: Text }),
  ]),
);
