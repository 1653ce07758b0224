import { z } from "zod";
import { HEALING_STEPS } from "../../model/healing.ts";
import { ORIGINS } from "../../model/imported.ts";
import { FILE_VERDICTS, FLAW_KINDS } from "../../model/library.ts";
import { ProgrammeSchema } from "../../web/programme-schema.ts";
import {
  At,
  Code,
  Count,
  JobKind,
  list,
  Ms,
  named,
  State,
  Text,
  Triplet,
  Window,
} from "../../web/schemas.ts";

const Holders = list(z.object({ tunerId: Text, name: Text, window: Window }));
const NamedRepeat = z.object({ event: Window, channelName: Text });

const NamedRemedy = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("withdraw"), name: Text }),
  z.object({ kind: z.literal("raise-priority"), to: Count, loses: list(Text) }),
  z.object({ kind: z.literal("add-tuner"), like: Text }),
  z.object({ kind: z.literal("none") }),
  z.object({ kind: z.literal("repeat"), repeat: NamedRepeat }),
]);

const TrimNews = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("beginning"), from: At, holders: Holders }),
  z.object({
    kind: z.literal("padding"),
    beforeMs: Ms,
    afterMs: Ms,
    lateMs: Ms,
    before: Text.exactOptional(),
    after: Text.exactOptional(),
  }),
]);

const TroubleDetails = z
  .object({
    file: Text.exactOptional(),
    system: Text.exactOptional(),
    freeBytes: Count.exactOptional(),
    silentMs: Ms.exactOptional(),
    clockAheadMs: z.number().exactOptional(),
    message: Text.exactOptional(),
  })
  .describe("Values of the text, for other languages.");

const Trouble = z.object({
  code: Code,
  text: Text,
  details: TroubleDetails.exactOptional(),
  conflict: z.object({ holders: Holders, remedy: NamedRemedy.exactOptional() }).exactOptional(),
});

/** Another broadcast of the same episode. */
export const RepeatSchema = named(
  "Repeat",
  z.object({ showId: Text, channelId: Text, channelName: Text, service: Triplet, event: Window }),
);

const Healing = named(
  "Healing",
  z
    .object({
      repeat: RepeatSchema,
      by: z.enum(["person", "recorder"]),
      step: z.enum(HEALING_STEPS),
      since: At,
      text: Text,
      tried: list(Text),
      timerId: Text.exactOptional(),
      recordingId: Text.exactOptional(),
      failures: Count,
      trouble: Trouble.exactOptional(),
      nextTryAt: At.exactOptional(),
      isFinal: z.literal(true).exactOptional(),
    })
    .describe("The steps to record the event whole at a repeat."),
);

const IncompleteTrack = z.object({
  pid: Count,
  streamType: Count,
  kind: z.enum(["video", "audio", "subtitle", "teletext", "data"]),
  mayStill: z.literal(true).exactOptional(),
  isSupplement: z.literal(true).exactOptional(),
  codec: Text,
  language: Text.exactOptional(),
  isMain: z.boolean(),
  eventCoveredMs: Ms,
  missing: list(Window),
  neverSent: z.literal(true).exactOptional(),
});

const Verdict = z.enum(["perfect", "good", "damaged", "unusable"]);

const Evidence = named(
  "Evidence",
  z.object({
    file: Text.exactOptional(),
    bytes: Count,
    segments: Count,
    kept: list(Count).exactOptional(),
    keptBytes: z.record(z.string(), Count).exactOptional(),
    keptFrom: z.record(z.string(), Count).exactOptional(),
    foreign: list(Count).exactOptional(),
    eventMs: Ms,
    eventCoveredMs: Ms,
    windowMs: Ms,
    windowCoveredMs: Ms,
    firstAt: At.exactOptional(),
    lastAt: At.exactOptional(),
    continuityErrors: Count,
    tableErrors: Count.exactOptional(),
    transportErrors: Count,
    scrambledPackets: Count,
    clockBreaks: Count,
    damagedPackets: Count,
    junkBytes: Count,
    flawedMs: Ms.exactOptional(),
    sha256: Text.exactOptional(),
    modifiedAt: At.exactOptional(),
    verdict: Verdict.exactOptional(),
    plainName: z.literal(true).exactOptional(),
    gaps: list(Window.extend({ lacks: z.enum(["picture", "sound"]).exactOptional() })),
    hollow: list(
      z.object({ kind: z.enum(["picture", "sound"]), isUnchecked: z.literal(true).exactOptional() }),
    ).exactOptional(),
    incompleteTracks: list(IncompleteTrack).exactOptional(),
    clock: z.enum(["other-pcr", "timestamps", "none"]).exactOptional(),
  }),
);

const RuleOfTimer = z
  .object({
    id: Count,
    keep: Count.exactOptional(),
    priority: Count.exactOptional(),
    folder: Text.exactOptional(),
  })
  .describe("The rule that ordered it, and what the recording follows.");

const Attempt = z.object({
  number: Count,
  tunerId: Text,
  startedAt: At,
  flowingAt: At.exactOptional(),
  endedAt: At.exactOptional(),
  cause: z.union([Code, z.literal("asked")]).exactOptional(),
  begun: z.literal(false).exactOptional(),
  boot: Text.exactOptional(),
  steppedMs: Ms.exactOptional(),
  segment: z.object({ id: Text, bytes: Count, modifiedAt: At }).exactOptional(),
});

export const RecordingSchema = named(
  "Recording",
  z
    .object({
      id: Text,
      timerId: Text,
      name: Text,
      renamed: Text.exactOptional(),
      showId: Text.exactOptional(),
      programme: ProgrammeSchema.exactOptional(),
      channelId: Text,
      channelName: Text,
      service: Triplet.exactOptional(),
      event: Window,
      padding: z.object({ beforeMs: Ms, afterMs: Ms }),
      window: Window,
      followed: z
        .object({
          eventId: Count,
          announcedStop: At,
          seen: z.enum(["following", "present", "over"]),
          overAt: At.exactOptional(),
        })
        .exactOptional(),
      priority: Count,
      rule: RuleOfTimer.exactOptional(),
      override: z
        .object({
          priority: Count.exactOptional(),
          padding: z.object({ beforeMs: Ms, afterMs: Ms }).exactOptional(),
        })
        .exactOptional(),
      state: State,
      tunerId: Text.exactOptional(),
      trim: z.object({ span: Window, text: Text, news: TrimNews.exactOptional() }).exactOptional(),
      doubt: Text.exactOptional(),
      trouble: Trouble.exactOptional(),
      withdrawn: z.boolean(),
      reported: z
        .object({
          state: z.enum(["waiting", "pending", "running", "completed", "failed"]).exactOptional(),
          message: Text,
        })
        .exactOptional(),
      reportPending: z.literal(true).exactOptional(),
      attempts: list(Attempt),
      nextTryAt: At.exactOptional(),
      evidence: Evidence.exactOptional(),
      repeats: list(RepeatSchema).exactOptional(),
      healing: Healing.exactOptional(),
      unwanted: z.literal(true).exactOptional(),
      heals: Text.exactOptional(),
      clockHoldReason: Text.exactOptional(),
      sidecarDue: z.literal(true).exactOptional(),
      closing: z
        .object({
          since: At,
          blocker: z
            .object({ since: At, code: Code, text: Text, details: TroubleDetails.exactOptional() })
            .exactOptional(),
        })
        .exactOptional(),
      endedAt: At.exactOptional(),
    })
    .describe("The work on one timer, and its result."),
);

const flaw = {
  kind: z.enum(FLAW_KINDS),
  by: z.enum(["look", "reading"]),
  since: At,
  bytes: Count.exactOptional(),
};
const Flaw = named("FileFlaw", z.object(flaw));

export const DamagedFileSchema = named(
  "DamagedFile",
  z.object({ recordingId: Text, timerId: Text, name: Text, file: Text, wasBytes: Count, ...flaw }),
);

export const EntrySchema = named(
  "LibraryEntry",
  z
    .object({
      recordingId: Text,
      timerId: Text.describe("Empty if another recorder recorded it."),
      name: Text,
      subtitle: Text.exactOptional(),
      channelName: Text,
      service: Triplet.exactOptional(),
      series: Text.exactOptional(),
      guideSeries: Text.exactOptional(),
      rule: z.object({ id: Count, keep: Count.exactOptional() }).exactOptional(),
      event: Window,
      state: State,
      verdict: Verdict.exactOptional(),
      endedAt: At,
      firstAt: At.exactOptional(),
      file: Text,
      bytes: Count,
      sha256: Text.exactOptional(),
      modifiedAt: At.exactOptional(),
      outgoing: z.object({ file: Text, bytes: Count }).exactOptional(),
      imported: z
        .object({
          from: z.enum(ORIGINS),
          id: Text,
          description: Text.exactOptional(),
          resumeSeconds: Count.exactOptional(),
        })
        .exactOptional()
        .describe("Another recorder recorded it, and has its file: it is never changed or removed here."),
      made: list(Text),
      protected: z.boolean(),
      watched: z.boolean(),
      heals: Text.exactOptional(),
      goneSince: At.exactOptional(),
      flaw: Flaw.exactOptional(),
      checked: z.object({ at: At, verdict: z.enum(FILE_VERDICTS) }).exactOptional(),
      deleted: z
        .object({ at: At, actor: z.enum(["retention", "person", "repeat"]), reason: Text, done: z.boolean() })
        .exactOptional(),
    })
    .describe("A recording with a file on the disk, now or earlier."),
);

export const JobSchema = named(
  "Job",
  z.object({
    id: Count,
    kind: JobKind,
    recordingId: Text,
    state: z.enum(["waiting", "running", "done", "failed"]),
    tries: Count,
    text: Text.exactOptional(),
    orderedAt: At,
    asked: z.literal(true).exactOptional(),
    nextTryAt: At.exactOptional(),
    endedAt: At.exactOptional(),
    name: Text,
    progress: Count.exactOptional(),
  }),
);
