import { z } from "zod";
import { parseSchedule } from "../../kit/time/cron.ts";
import { RecorderdError } from "../../model/errors.ts";
import { isZone } from "../../model/zone.ts";

/** Messages state the expected value; mistakes.ts adds the path and the actual value. */
export const AbsolutePath = z.string().regex(/^\//, "expected an absolute path");
export const Seconds = z.int().min(0).max(86_400);

export const CronExpression = z.string().superRefine((expression, context) => {
  try {
    parseSchedule(expression);
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    context.addIssue({
      code: "custom",
      message: 'expected a cron expression that occurs, such as "*/5 * * * *"',
    });
  }
});

export const TimeZone = z.string().refine(isZone, "expected a time zone such as Europe/Berlin");
