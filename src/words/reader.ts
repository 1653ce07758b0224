import { DAY, type DurationMs, durationParts, type EpochMs, MINUTE, SECOND } from "../model/time.ts";
import type { Window } from "../model/window.ts";
import { isShownTwice } from "../model/zone.ts";
import { createSay, type Say } from "./catalogue.ts";
import { isolated } from "./isolated.ts";
import type { Language } from "./language.ts";

/** Days, seen from now, at the beginning of a text or alone. */
export interface Dates {
  /** `Today`, `Tomorrow`, `Yesterday`, or the day, with its year if it is far away. */
  day(at: EpochMs, now: EpochMs): string;
  /** `Today 20:15` */
  at(at: EpochMs, now: EpochMs): string;
  /** `Today 20:15–21:45` */
  when(window: Window, now: EpochMs): string;
}

/** The person a text is made for: language, form of dates and numbers, and time zone (decision 56). */
export interface Reader extends Dates {
  readonly language: Language;
  /** BCP 47: the language as it is spoken somewhere, such as `de-AT`. */
  readonly locale: string;
  readonly timeZone: string;
  readonly say: Say;
  /** `20:15`; `2:15 CEST` in the night in which clocks show it twice. */
  clock(at: EpochMs): string;
  /** `20:15:30` */
  exact(at: EpochMs): string;
  /** `20:15` of 1215 minutes since midnight, on any day in any zone. */
  timeOfDay(minutes: number): string;
  /** `Mon` of 1, to `Sun` of 7. */
  dayOfWeek(day: number): string;
  /** `26 Nov` */
  date(at: EpochMs): string;
  /** `Thu` */
  weekday(at: EpochMs): string;
  /** Days after other words, as in `It will be recorded: today 20:15`. */
  readonly inside: Dates;
  /** `20:15`, or `yesterday 20:15`, inside a sentence. */
  moment(at: EpochMs, now: EpochMs): string;
  /** `20:15–21:45` */
  span(window: Window): string;
  /** `1 h 30 min`, rounded to seconds. */
  duration(ms: DurationMs): string;
  /** `0.4 s`: below ten seconds, with tenths. */
  precise(ms: DurationMs): string;
  /** `1 hour 2 minutes 3 seconds`, for screen readers. */
  spoken(ms: DurationMs): string;
  /** `1.5 GB`, in powers of ten. */
  size(bytes: number): string;
  /** `8.4 Mb/s` of 8.4 million bits per second. */
  bitRate(bitsPerSecond: number): string;
  /** `12.5 %` of 0.125. */
  percent(share: number): string;
  number(value: number): string;
  /** `a, b and c` */
  list(parts: readonly string[]): string;
  /** `German` of `de`; `undefined` for a tag that names no language. */
  languageName(tag: string): string | undefined;
}

export interface ReaderFacts {
  readonly language: Language;
  /** BCP 47, for dates and numbers. */
  readonly locale: string;
  /** IANA name. */
  readonly timeZone: string;
  /** The language's catalogue. */
  readonly text: string;
}

const SIZES = ["kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
const ALONE = ["yesterday", "today", "tomorrow"] as const;
const INSIDE = ["yesterday-inside", "today-inside", "tomorrow-inside"] as const;
const NEAR_MS = 180 * DAY;
const A_SUNDAY = Date.UTC(2026, 0, 4);
/** Below this, tenths of a second matter. */
const PRECISE_MS = 10 * SECOND;

/** @param facts the zone is read when a time is written: a browser takes long to tell it */
export function createReader(facts: ReaderFacts): Reader {
  const { language, locale, text } = facts;
  const say = createSay({ locale, text });
  const inZone = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: facts.timeZone, ...options });
  const dates = (options: Intl.DateTimeFormatOptions) => lazily(() => inZone(options));
  const amounts = (options: Intl.NumberFormatOptions) => lazily(() => new Intl.NumberFormat(locale, options));
  // A clock of twelve hours has no zero in front: `9:05 PM`.
  const times = (options: Intl.DateTimeFormatOptions) =>
    lazily(() => {
      const { hour12 } = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions();
      const hour = hour12 === true ? "numeric" : "2-digit";
      return inZone({ hour, minute: "2-digit", ...options });
    });
  const minutes = onceADay({});
  const seconds = onceADay({ second: "2-digit" });
  const timeOfDay = times({ timeZone: "UTC" });
  /** Times of day, with the zone's name for those that come twice in a night. */
  function onceADay(options: Intl.DateTimeFormatOptions): (at: EpochMs) => string {
    const [plain, named] = [times(options), times({ ...options, timeZoneName: "short" })];
    return (at) => (isShownTwice(at, facts.timeZone) ? named() : plain()).format(at);
  }
  const dayOfWeek = dates({ timeZone: "UTC", weekday: "short" });
  const near = dates({ weekday: "short", day: "numeric", month: "short" });
  const far = dates({ day: "numeric", month: "short", year: "numeric" });
  const dateOnly = dates({ day: "numeric", month: "short" });
  const weekdayOnly = dates({ weekday: "short" });
  const digits = lazily(
    () =>
      new Intl.DateTimeFormat("en-CA", {
        timeZone: facts.timeZone,
        year: "numeric",
        month: "2-digit",
        day: "2-digit",
      }),
  );
  const sizes = SIZES.map((unit) => ({
    small: amounts({ style: "unit", unit, maximumFractionDigits: 1 }),
    large: amounts({ style: "unit", unit, maximumFractionDigits: 0 }),
  }));
  const shares = amounts({ style: "percent", maximumFractionDigits: 1 });
  const numbers = amounts({});
  const rates = amounts({ style: "unit", unit: "megabit-per-second", maximumFractionDigits: 1 });
  const languages = lazily(() => new Intl.DisplayNames(locale, { type: "language", fallback: "none" }));
  const lists = lazily(() => new Intl.ListFormat(locale, { type: "conjunction" }));

  /** Days may have 23 or 25 hours: dates are compared, not instants. */
  const dayNumber = (at: EpochMs) => Math.round(Date.parse(digits().format(at)) / DAY);

  /** @param names of yesterday, today and tomorrow */
  function datesWith(names: typeof ALONE | typeof INSIDE): Dates {
    function day(at: EpochMs, now: EpochMs): string {
      const name = names[dayNumber(at) - dayNumber(now) + 1];
      if (name !== undefined) return say(name);
      return Math.abs(at - now) < NEAR_MS ? near().format(at) : far().format(at);
    }
    return {
      day,
      at: (at, now) => say("day-and-time", { day: day(at, now), time: minutes(at) }),
      when: (window, now) => say("day-and-time", { day: day(window.start, now), time: span(window) }),
    };
  }

  const inside = datesWith(INSIDE);
  const span = ({ start, stop }: Window) => `${minutes(start)}–${minutes(stop)}`;
  return {
    ...datesWith(ALONE),
    inside,
    language,
    locale,
    get timeZone() {
      return facts.timeZone;
    },
    say,
    clock: (at) => minutes(at),
    exact: (at) => seconds(at),
    timeOfDay: (value) => timeOfDay().format(value * MINUTE),
    dayOfWeek: (day) => dayOfWeek().format(A_SUNDAY + day * DAY),
    date: (at) => dateOnly().format(at),
    weekday: (at) => weekdayOnly().format(at),
    moment: (at, now) => (dayNumber(at) === dayNumber(now) ? minutes(at) : inside.at(at, now)),
    span,
    duration: (ms) => durationText(ms, say),
    precise: (ms) =>
      Math.abs(ms) < PRECISE_MS
        ? say("seconds", { seconds: Math.round(Math.abs(ms) / 100) / 10 })
        : durationText(ms, say),
    spoken: (ms) => spokenText(ms, locale),
    size: (bytes) => {
      const step = bytes < 1000 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(bytes) / 3) - 1);
      const value = bytes / 1000 ** (step + 1);
      return sizes[step]?.[value < 100 ? "small" : "large"]().format(value) ?? "";
    },
    bitRate: (bitsPerSecond) => rates().format(bitsPerSecond / 1e6),
    percent: (share) => shares().format(share),
    number: (value) => numbers().format(value),
    list: (parts) => lists().format(parts.map(isolated)),
    languageName: (tag) => nameOrNone(languages(), tag),
  };
}

/** Makes it on first use: Node's tables of zones and units take megabytes. */
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function durationText(ms: DurationMs, say: Say): string {
  const texts = {
    days: (days: number) => say("days", { days }),
    hours: (hours: number) => say("hours", { hours }),
    minutes: (minutes: number) => say("minutes", { minutes }),
    seconds: (seconds: number) => say("seconds", { seconds }),
  };
  return durationParts(ms)
    .map(({ unit, value }) => texts[unit](value))
    .reduce((larger, smaller) => say("larger-and-smaller", { larger, smaller }));
}

function spokenText(ms: DurationMs, locale: string): string {
  const parts = durationParts(ms).map(({ unit, value }) =>
    new Intl.NumberFormat(locale, { style: "unit", unit: unit.slice(0, -1), unitDisplay: "long" }).format(
      value,
    ),
  );
  return new Intl.ListFormat(locale, { type: "unit", style: "narrow" }).format(parts);
}

function nameOrNone(names: Intl.DisplayNames, tag: string): string | undefined {
  try {
    return names.of(tag);
  } catch {
    // A broadcaster may send letters that are no tag.
    return undefined;
  }
}
