import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from "../model/time.ts";
import type { Window } from "../model/window.ts";
import { createSay, type Say } from "./catalogue.ts";
import type { Language } from "./language.ts";

/** The person a text is made for: language, form of dates and numbers, and time zone (decision 56). */
export interface Reader {
  readonly language: Language;
  readonly timeZone: string;
  readonly say: Say;
  /** `20:15` */
  clock(at: EpochMs): string;
  /** `20:15:30` */
  exact(at: EpochMs): string;
  /** `Today`, `Tomorrow`, `Yesterday`, or the day, with its year if it is far away. */
  day(at: EpochMs, now: EpochMs): string;
  /** `Today 20:15` */
  at(at: EpochMs, now: EpochMs): string;
  /** `Today 20:15–21:45` */
  when(window: Window, now: EpochMs): string;
  /** `20:15–21:45` */
  span(window: Window): string;
  /** `1 h 30 min`, rounded to seconds. */
  duration(ms: DurationMs): string;
  /** `1.5 GB`, in powers of ten. */
  size(bytes: number): string;
  /** `12.5 %` of 0.125. */
  percent(share: number): string;
  number(value: number): string;
  /** `a, b and c` */
  list(parts: readonly string[]): string;
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
const NEAR_MS = 180 * DAY;

export function createReader({ language, locale, timeZone, text }: ReaderFacts): Reader {
  const say = createSay({ locale, text });
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const minutes = dates({ hour: "2-digit", minute: "2-digit" });
  const seconds = dates({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const near = dates({ weekday: "short", day: "numeric", month: "short" });
  const far = dates({ day: "numeric", month: "short", year: "numeric" });
  const digits = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const sizes = SIZES.map((unit) => ({
    small: new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 1 }),
    large: new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: 0 }),
  }));
  const shares = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const numbers = new Intl.NumberFormat(locale);
  const lists = new Intl.ListFormat(locale, { type: "conjunction" });

  /** Days may have 23 or 25 hours: dates are compared, not instants. */
  const dayNumber = (at: EpochMs) => Math.round(Date.parse(digits.format(at)) / DAY);

  function day(at: EpochMs, now: EpochMs): string {
    switch (dayNumber(at) - dayNumber(now)) {
      case 0:
        return say("today");
      case 1:
        return say("tomorrow");
      case -1:
        return say("yesterday");
      default:
        return Math.abs(at - now) < NEAR_MS ? near.format(at) : far.format(at);
    }
  }

  const span = ({ start, stop }: Window) => `${minutes.format(start)}–${minutes.format(stop)}`;
  return {
    language,
    timeZone,
    say,
    clock: (at) => minutes.format(at),
    exact: (at) => seconds.format(at),
    day,
    at: (at, now) => say("day-and-time", { day: day(at, now), time: minutes.format(at) }),
    when: (window, now) => say("day-and-time", { day: day(window.start, now), time: span(window) }),
    span,
    duration: (ms) => durationText(ms, say),
    size: (bytes) => {
      const step = bytes < 1000 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(bytes) / 3) - 1);
      const value = bytes / 1000 ** (step + 1);
      return sizes[step]?.[value < 100 ? "small" : "large"].format(value) ?? "";
    },
    percent: (share) => shares.format(share),
    number: (value) => numbers.format(value),
    list: (parts) => lists.format(parts),
  };
}

function durationText(ms: DurationMs, say: Say): string {
  const whole = Math.round(Math.abs(ms) / SECOND) * SECOND;
  const [hours, minutes, seconds] = [
    Math.floor(whole / HOUR),
    Math.floor((whole % HOUR) / MINUTE),
    (whole % MINUTE) / SECOND,
  ];
  const parts = [
    hours > 0 ? say("hours", { hours }) : "",
    minutes > 0 ? say("minutes", { minutes }) : "",
    seconds > 0 || whole === 0 ? say("seconds", { seconds }) : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}
