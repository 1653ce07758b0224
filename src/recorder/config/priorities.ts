import { z } from "zod";

const Id = z.union([z.int().min(0).transform(String), z.string().min(1).max(100)], {
  error: "expected an id of the service",
});
const TimeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time of day in quotes, such as "20:15"');
const Text = z.string().min(1).max(200);

const Match = z
  .strictObject({
    seriesId: Id.optional().describe("Series recording of the account that ordered the timer."),
    series: Id.optional().describe(
      "Series of the show in the guide, as in `recorderd guide shows --series`.",
    ),
    keywordId: Id.optional().describe("Keyword of the account that ordered the timer."),
    channel: Text.optional().describe("Name of the channel, or its id at the service."),
    title: Text.optional().describe("Title; * stands for any text; case does not matter."),
    time: z
      .strictObject({ from: TimeOfDay, until: TimeOfDay })
      .optional()
      .describe("The event begins at `from` or later and before `until`; the span may include midnight."),
  })
  .refine((match) => Object.values(match).some((one) => one !== undefined), {
    error: "expected series, seriesId, keywordId, channel, title or time",
  });

export const Priorities = z
  .array(
    z.strictObject({
      match: Match.describe("All conditions given here must match."),
      priority: z
        .int()
        .min(0)
        .max(100)
        .describe(
          "Priority: higher is more important. Without a match, the rule that ordered the timer decides, or it is 50.",
        ),
    }),
  )
  .max(500)
  .default([])
  .describe("Priorities for conflicts. The first rule that matches a timer applies.");
