import { z } from "zod";
import { WORK_KINDS, type WorkKind } from "../../model/set-aside.ts";
import { At, Code, Count, list, Ms, named, Text, Triplet, Use } from "../../web/schemas.ts";
import { PlanSchema, SpaceSchema } from "./plan-schema.ts";
import { DamagedFileSchema, RecordingSchema } from "./recording-schema.ts";

const Failure = z.object({ since: At, code: Code, text: Text });

const Lease = z.object({
  id: Text,
  use: Use,
  tunerId: Text,
  service: Triplet,
  since: At,
  until: At,
});

export const TunerSchema = named(
  "Tuner",
  z.object({
    id: Text,
    kind: Text,
    state: z.enum(["free", "tuning", "receiving", "lent"]),
    multiplex: Text.exactOptional(),
    services: list(Text),
    recordings: list(Text),
    leases: list(Lease),
    heldUntil: At.exactOptional(),
    reception: z
      .object({
        at: At,
        input: Text.exactOptional(),
        isLocked: z.boolean().exactOptional(),
        strengthPercent: Count.exactOptional(),
        strengthDbm: Count.exactOptional(),
        qualityPercent: Count.exactOptional(),
        snrDb: Count.exactOptional(),
        errorFreePercent: Count.exactOptional(),
        uncorrectedBlocks: Count.exactOptional(),
        users: Count.exactOptional(),
      })
      .exactOptional(),
    trouble: z.object({ code: Code, at: At }).exactOptional(),
    quarantine: z.object({ since: At, code: Code, triedAgainAt: At }).exactOptional(),
    isDrained: z.literal(true).exactOptional(),
    health: list(
      z.object({
        multiplex: Text,
        tries: Count,
        failures: Count,
        lockMs: Ms.exactOptional(),
        errorsPerMillion: Count.exactOptional(),
        at: At,
        weakness: Count,
      }),
    ),
  }),
);

const GuideStatus = named(
  "GuideStatus",
  z.object({
    lastGoodAt: At.exactOptional(),
    nextAt: At.exactOptional(),
    failure: Failure.exactOptional(),
    signInNeeded: z.boolean(),
    quarantine: z.object({ since: At, listed: Count, held: Count }).exactOptional(),
    reportsWaiting: Count,
    reportsSince: At.exactOptional(),
  }),
);

const ClockStatus = named(
  "ClockStatus",
  z.object({
    trusted: z.boolean(),
    holds: z.boolean(),
    text: Text.exactOptional(),
    kernel: z.enum(["synchronised", "unsynchronised", "silent"]),
    aheadSeconds: z.object({ guide: Count.exactOptional(), broadcast: Count.exactOptional() }),
  }),
);

const Stray = z.object({ attemptId: Text, endedAt: At });
const Site = z.object({
  lastGoodAt: At.exactOptional(),
  failure: Failure.exactOptional(),
  announcements: list(z.object({ id: Text, title: Text, at: At, link: Text })),
});

const SetAsideSchema = z.object({
  kind: z.enum(Object.keys(WORK_KINDS) as [WorkKind, ...WorkKind[]]),
  subject: Text,
  at: At,
  times: Count,
  until: At,
});

const FleetNode = z.object({
  name: Text,
  version: Text,
  state: z.enum(["leader", "standby", "away"]),
  isDrained: z.boolean(),
});

export const SnapshotSchema = named(
  "Snapshot",
  z
    .object({
      at: At,
      version: Text,
      startedAt: At,
      guide: GuideStatus,
      clock: ClockStatus,
      store: Failure.extend({
        code: z.enum(["DISK_FULL", "DISK_LOW", "STORE_WRITE_FAILED"]),
      }).exactOptional(),
      secrets: Failure.extend({ usesEarlier: z.boolean() }).exactOptional(),
      handedOverSecrets: Text.exactOptional(),
      strays: list(Stray).exactOptional(),
      nextWakeAt: At.exactOptional(),
      power: z
        .object({
          wakeAlarmAt: At.exactOptional(),
          alarm: z.enum(["set", "not-set"]).exactOptional(),
          failed: z.object({ wantedAt: At, cameAt: At }).exactOptional(),
          awake: z.boolean().exactOptional(),
        })
        .exactOptional(),
      broadcastGuide: z
        .object({
          isTaken: z.boolean(),
          broughtAt: At.exactOptional(),
          idleAt: At.exactOptional(),
          events: Count,
        })
        .exactOptional(),
      damagedFiles: list(DamagedFileSchema).exactOptional(),
      nodes: list(FleetNode).exactOptional(),
      setAside: list(SetAsideSchema).exactOptional(),
      site: Site.exactOptional(),
      space: SpaceSchema.exactOptional(),
      tuners: list(TunerSchema),
      recordings: list(RecordingSchema),
      plan: PlanSchema,
    })
    .describe("The complete state, from which all views are computed."),
);
