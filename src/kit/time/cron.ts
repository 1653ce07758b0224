import assert from "node:assert/strict";
import { createTask, type ParsedFields, validateDetailed } from "node-cron";
import { RecorderdError } from "../../model/errors.ts";
import { DAY, type EpochMs, HOUR, MINUTE, SECOND } from "../../model/time.ts";

/** A recurring time. Waiting is the caller's task, on the Clock. */
export interface Schedule {
  /** The schedule's first instant after `after`, on a full second. */
  next(after: EpochMs): EpochMs;
}

type Matcher = (at: EpochMs) => boolean;
/** Search steps that cannot jump over a match: no day is shorter, and no zone changes within a quarter of an hour. */
const DAY_STEP = 20 * HOUR;
const QUARTER = 15 * MINUTE;
/** A schedule without an instant in this time has none: 29 February falls on the same weekday after 40 years at the latest. */
const HORIZON = 41 * 366 * DAY;

/**
 * Reads a cron expression of five fields (minute, hour, day of month, month, weekday), six with seconds first, or `@hourly` and
 * the like. Day of month and weekday must both match. Fields are local time of `timeZone` (IANA name): a local time that is
 * skipped in spring does not occur that day; one that repeats in autumn occurs twice.
 *
 * @throws RecorderdError CONFIG_INVALID for an invalid expression, or one that never occurs
 */
export function parseSchedule(expression: string, timeZone = "UTC"): Schedule {
  const { fields, errors } = validateDetailed(expression);
  if (fields === undefined) {
    const why = errors.map(({ message }) => message).join("; ");
    throw invalid(expression, why);
  }
  const next = search(matchersOf(fields, timeZone));
  if (next(0) === undefined) throw invalid(expression, "no day matches it");
  return {
    next: (after) => {
      const at = next(after);
      assert(at !== undefined, `a schedule that occurs once does so again: ${expression}`);
      return at;
    },
  };
}

interface Matchers {
  readonly day: Matcher;
  readonly hour: Matcher;
  readonly minute: Matcher;
  readonly second: Matcher;
}

/** In UTC, plain numbers are compared here: node-cron would load Node's time zone tables, 8 MB of resident memory. */
function matchersOf(fields: ParsedFields, timeZone: string): Matchers {
  const { dayOfMonth, dayOfWeek } = fields;
  if (timeZone !== "UTC" || [...dayOfMonth, ...dayOfWeek].some((day) => typeof day === "string"))
    return matchersInZone(fields, timeZone);
  const day = (date: Date) =>
    fields.month.includes(date.getUTCMonth() + 1) &&
    dayOfMonth.includes(date.getUTCDate()) &&
    dayOfWeek.includes(date.getUTCDay());
  const hour = (date: Date) => day(date) && fields.hour.includes(date.getUTCHours());
  const minute = (date: Date) => hour(date) && fields.minute.includes(date.getUTCMinutes());
  return {
    day: (at) => day(new Date(at)),
    hour: (at) => hour(new Date(at)),
    minute: (at) => minute(new Date(at)),
    second: (at) => fields.second.includes(new Date(at).getUTCSeconds()),
  };
}

/** node-cron computes its next run from the system's clock only, but can test any instant. */
function matchersInZone(fields: ParsedFields, timeZone: string): Matchers {
  const day = `${fields.dayOfMonth.join()} ${fields.month.join()} ${fields.dayOfWeek.join()}`;
  const hour = `${fields.hour.join()} ${day}`;
  const minute = `${fields.minute.join()} ${hour}`;
  return {
    day: matcher(`* * * ${day}`, timeZone),
    hour: matcher(`* * ${hour}`, timeZone),
    minute: matcher(`* ${minute}`, timeZone),
    second: matcher(`${fields.second.join()} ${minute}`, timeZone),
  };
}

function matcher(expression: string, timeZone: string): Matcher {
  const task = createTask(expression, () => {}, { timezone: timeZone });
  // Removes the task from node-cron's list; a task that never started still matches.
  void task.destroy();
  return (at) => task.match(new Date(at));
}

function search(fits: Matchers): (after: EpochMs) => EpochMs | undefined {
  return (after) => {
    let at = (Math.floor(after / SECOND) + 1) * SECOND;
    const end = at + HORIZON;
    while (at < end) {
      if (!fits.day(at)) at = fits.day(at + DAY_STEP) ? following(at, QUARTER) : at + DAY_STEP;
      else if (!fits.hour(at)) at = following(at, QUARTER);
      else if (!fits.minute(at)) at = following(at, MINUTE);
      else if (!fits.second(at)) at += SECOND;
      else return at;
    }
    return undefined;
  };
}

function following(at: EpochMs, step: number): EpochMs {
  return (Math.floor(at / step) + 1) * step;
}

function invalid(expression: string, why: string): RecorderdError {
  return new RecorderdError(
    "CONFIG_INVALID",
    `"${expression}" is not a schedule (${why}): expected a cron expression such as "*/5 * * * *".`,
    { expression },
  );
}
