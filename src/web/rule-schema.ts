import { z } from "zod";
import { QUALITIES, RULE_OUTCOMES } from "../model/rule.ts";
import { At, Count, list, Name, named, Text } from "./schemas.ts";

/*
 * The shapes of rules. The keeper of the rules checks their values: it names the field of a mistake, and its limits
 * may be narrower.
 */

const PartOfDay = named("PartOfDay", z.strictObject({ from: z.int(), until: z.int() }));
/** Many channels and genres at once are a mistake. */
const ENTRIES_MAX = 1000;
const Entered = z.string().max(1000);
const Numbers = z.array(z.int()).max(ENTRIES_MAX).readonly();

const orderFields = {
  name: Entered,
  isPaused: z.literal(true).exactOptional().describe("A paused rule keeps no timers ahead."),
  words: Entered.exactOptional().describe("Words, all of which must be in the text."),
  expression: Entered.exactOptional().describe("A regular expression in the syntax of RE2, in any case."),
  seriesId: Name.exactOptional(),
  genres: z
    .array(Entered)
    .max(ENTRIES_MAX)
    .readonly()
    .exactOptional()
    .describe("One of these: genres, or categories by their names in the guide."),
  within: z
    .literal("all")
    .exactOptional()
    .describe("Search title, subtitle and description; absent: the title."),
  without: Entered.exactOptional().describe("Words, none of which may be in the title or the description."),
  channelIds: Numbers.exactOptional(),
  weekdays: Numbers.exactOptional().describe("1 (Monday) to 7 (Sunday)."),
  between: PartOfDay.exactOptional().describe(
    "When the show begins, in minutes of the day in the region's time zone; half-open.",
  ),
  minMinutes: z.int().exactOptional(),
  maxMinutes: z.int().exactOptional(),
  newOnly: z
    .literal(true)
    .exactOptional()
    .describe("Only episodes that were not broadcast before, as far as the guide says."),
  airing: z
    .literal("first")
    .exactOptional()
    .describe("Only the first announced airing of an episode; absent: any, each episode once."),
  quality: z.enum(QUALITIES),
  keep: z.int().exactOptional().describe("The number of newest recordings to keep."),
  priority: z.int().exactOptional(),
  beforeMinutes: z.int().exactOptional(),
  afterMinutes: z.int().exactOptional(),
  folder: Entered.exactOptional().describe("Below the folder of recordings, its levels separated by `/`."),
};

export const RuleOrderSchema = named(
  "RuleOrder",
  z.strictObject({
    ...orderFields,
    deviceId: z
      .int()
      .exactOptional()
      .describe(
        "Device of the account that records; default: this recorder, or at a guide server the household's only device.",
      ),
  }),
);

const RuleSchema = named("Rule", z.object({ ...orderFields, id: Count, deviceId: Count, createdAt: At }));

const RuleMatchSchema = named(
  "RuleMatch",
  z.object({
    showId: Count,
    channelId: Count,
    title: Text,
    subtitle: Text.exactOptional(),
    start: At,
    stop: At,
    outcome: z.enum(RULE_OUTCOMES),
    isIdentified: z
      .boolean()
      .describe("Whether the guide identifies the episode: otherwise a repeat is recorded again."),
  }),
);

export const RulePreviewSchema = named(
  "RulePreview",
  z.object({
    matches: list(RuleMatchSchema).describe("By start; the first ones."),
    total: Count.describe("All matches."),
    records: Count.describe("Matches that are recorded."),
    unidentified: Count.describe("Recorded matches whose episode the guide does not identify."),
    countedUntil: At.exactOptional().describe(
      "Absent if all matches are counted; otherwise those that begin later are not.",
    ),
    displaced: list(z.object({ timerId: Text, title: Text, start: At, stop: At, lostMs: Count }))
      .exactOptional()
      .describe("Recordings that lose something because of this rule; only at a recorder."),
    unplaced: list(z.object({ showId: Count, title: Text, start: At }))
      .exactOptional()
      .describe("Recorded matches that get no tuner; only at a recorder."),
    needsBytes: Count.exactOptional().describe("Space that the recorded matches need; only at a recorder."),
    freeBytes: Count.exactOptional().describe(
      "Space that is free and not needed by other planned recordings.",
    ),
  }),
);

export const RulesSchema = named(
  "Rules",
  z.object({
    rules: list(RuleSchema),
    kept: z.enum(["service", "recorder"]).describe("Who keeps and expands the rules."),
  }),
);

export const RuleOrderedSchema = named(
  "RuleOrdered",
  z.object({ rule: RuleSchema, preview: RulePreviewSchema }),
);
