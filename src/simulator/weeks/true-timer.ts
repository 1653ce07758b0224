import type { Programme } from "../../model/programme.ts";
import type { Airing } from "../../model/repeat.ts";
import { DAY, type EpochMs } from "../../model/time.ts";
import type { ReportContent, Timer, TimerId, TimerList } from "../../model/timer.ts";
import type { Window } from "../../model/window.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { Booking } from "./script.ts";

/** An order as the recorder first received it in a well-formed list. */
interface Served {
  readonly at: EpochMs;
  readonly event: Window;
  readonly forget: boolean;
}

/** One timer at the service: the truth for every comparison. */
export interface TrueTimer {
  readonly booking: Booking;
  event: Window;
  forget: boolean;
  state: string;
  /** Dropped silently, listed under another id, removed as a processed `forget`, or cancelled by the recorder. */
  removed?: "gone" | "rekeyed" | "acknowledged" | "cancelled";
  /** Time at which the household forgets it, if already decided. */
  forgetAt?: EpochMs;
  /** Periods in which valid lists lacked it; the last one may still run. */
  readonly absences: { readonly from: EpochMs; to?: EpochMs }[];
  readonly reports: (ReportContent & { readonly at: EpochMs })[];
  readonly served: Served[];
}

export function isOver({ removed, state }: TrueTimer): boolean {
  return removed !== undefined || state === "completed" || state === "failed";
}

export function isListed(timer: TrueTimer, now: EpochMs): boolean {
  return timer.removed === undefined && (!isOver(timer) || timer.forget || now < timer.event.stop + DAY);
}

export function showOf({ timerId, event, repeats }: Booking): string {
  if (repeats === undefined) return `s${timerId}`;
  return `${showOf(repeats)}-${Math.round((event.start - repeats.event.start) / DAY)}`;
}

export function episodeOf({ timerId, channel, repeats }: Booking): Programme {
  if (repeats !== undefined) return episodeOf(repeats);
  return { subtitle: `The tale of ${timerId}`, seriesId: String(channel) };
}

/** Every episode is repeated one and two days later on its own channel; those with an even number are not in the guide. */
export function repeatsOf(booking: Booking): readonly Airing[] {
  const { name, channel, event, repeats } = booking;
  if (channel % 2 === 0 || repeats !== undefined) return [];
  return [1, 2].map((days) => ({
    showId: `${showOf(booking)}-${days}`,
    channelId: String(channel),
    title: name,
    event: { start: event.start + days * DAY, stop: event.stop + days * DAY },
    programme: episodeOf(booking),
  }));
}

export function wireTimer({ booking, event, forget, state }: TrueTimer): Timer {
  const { timerId, name, channel, beforeMinutes, afterMinutes } = booking;
  return {
    id: timerId,
    name,
    deviceId: "1",
    channelId: String(channel),
    showId: showOf(booking),
    event,
    action: forget ? "forget" : "record",
    state,
    ...withoutUndefined({ beforeMinutes, afterMinutes }),
    seriesRecordingId: "0",
    keywordId: "0",
  };
}

export function withOriginalOrder(timer: Timer): readonly Timer[] {
  return timer.action === "forget" ? [timer, { ...timer, action: "record" }] : [timer];
}

export function sameWindow(a: Window | undefined, b: Window | undefined): boolean {
  return a?.start === b?.start && a?.stop === b?.stop;
}

/** Notes what a served list says about each timer, and which ones it lacks. */
export function noteServed(
  timersById: ReadonlyMap<TimerId, TrueTimer>,
  { timers, malformed }: TimerList,
  now: EpochMs,
): void {
  const listed = new Set([...timers, ...malformed].map(({ id }) => id));
  const good = new Set(timers.map(({ id }) => id));
  for (const [id, { event, forget, served, absences }] of timersById) {
    const spell = absences.at(-1);
    if (!listed.has(id) && served.length > 0) {
      if (spell === undefined || spell.to !== undefined) absences.push({ from: now });
    } else if (spell !== undefined) {
      spell.to ??= now;
    }
    if (!good.has(id)) continue;
    const before = served.at(-1);
    const isBack = spell !== undefined && spell.to === now;
    const isNews = !sameWindow(before?.event, event) || before?.forget !== forget || isBack;
    if (isNews) served.push({ at: now, event, forget });
  }
}
