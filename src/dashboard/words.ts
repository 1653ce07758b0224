import type { Healing } from "../model/healing.ts";
import type { RecordingState } from "../model/recording.ts";
import { DAY } from "../model/time.ts";

/** Times in the viewer's zone and language. */
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const CLOCK_EXACT = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const DAY_NAME = new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", month: "short" });
const DAY_FAR = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const DAY_KEY = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit" });

export function clockText(at: number): string {
  return CLOCK.format(at);
}

export function exactText(at: number): string {
  return CLOCK_EXACT.format(at);
}

/** `Today`, `Tomorrow`, `Yesterday`, or the day. */
export function dayText(at: number, now: number): string {
  const key = DAY_KEY.format(at);
  if (key === DAY_KEY.format(now)) return "Today";
  if (key === DAY_KEY.format(noonOf(now, 1))) return "Tomorrow";
  if (key === DAY_KEY.format(noonOf(now, -1))) return "Yesterday";
  return Math.abs(at - now) < 180 * DAY ? DAY_NAME.format(at) : DAY_FAR.format(at);
}

/** Days may have 23 or 25 hours. */
function noonOf(at: number, daysLater: number): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater, 12).getTime();
}

export function whenText({ start, stop }: { readonly start: number; readonly stop: number }, now: number) {
  return `${dayText(start, now)} ${clockText(start)}–${clockText(stop)}`;
}

export function sizeText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step > 0 && value < 100 ? value.toFixed(1) : Math.round(value)} ${units[step]}`;
}

/** Six styles of a state: meaning never depends on colour alone. */
export type Tone = "plain" | "planned" | "busy" | "good" | "warn" | "bad";

interface StateWords {
  readonly text: string;
  readonly tone: Tone;
  readonly mark: string;
}

const STATES: Readonly<Record<RecordingState, StateWords>> = {
  planned: { text: "planned", tone: "planned", mark: "○" },
  conflicted: { text: "conflict", tone: "warn", mark: "!" },
  tuning: { text: "tuning", tone: "busy", mark: "◌" },
  waiting: { text: "trying again", tone: "warn", mark: "↻" },
  recording: { text: "recording", tone: "busy", mark: "●" },
  closing: { text: "closing", tone: "busy", mark: "◐" },
  completed: { text: "completed", tone: "good", mark: "✓" },
  partial: { text: "partial", tone: "warn", mark: "◑" },
  failed: { text: "failed", tone: "bad", mark: "✕" },
  missed: { text: "missed", tone: "bad", mark: "✕" },
  cancelled: { text: "cancelled", tone: "plain", mark: "–" },
};

export function stateWords(state: RecordingState): StateWords {
  return STATES[state];
}

/** The state of a repeat, in a sentence. */
export function repeatStepText({ step, text, trouble }: Healing): string {
  switch (step) {
    case "booking":
      return `Its repeat is being booked${trouble === undefined ? "" : `, again: ${trouble.text}`}`;
    case "booked":
    case "cancelling":
    case "moved":
      return `Repeat booked. ${text}`;
    case "dropping":
    case "needless":
      return "It is complete: its repeat is not needed";
    case "healed":
      return "Recorded whole at its repeat";
    case "given-up":
      return trouble === undefined
        ? "Its repeat did not replace it"
        : `No repeat was booked: ${trouble.text}`;
  }
}
