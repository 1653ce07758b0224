import type {
  ConflictNews,
  NamedHolder,
  NamedRemedy,
  NamedRepeat,
  TrimNews,
} from "../../../model/plan-news.ts";
import { DAY, type EpochMs, formatTimeOfDay } from "../../../model/time.ts";
import { lengthMs, type Window } from "../../../model/window.ts";
import type { Reader } from "../../../words/reader.ts";

/** The recordings that block each tuner, and the cheapest remedy. */
export function conflictWords({ holders, remedy }: ConflictNews, reader: Reader): string {
  const { say } = reader;
  const held = holdersWords(holders, reader);
  const why = held === "" ? say("report-conflict") : say("report-conflict-held", { held });
  return remedy === undefined ? why : sentences([why, remedyWords(remedy, reader)], reader);
}

/**
 * Names whole windows in a fixed order. The remaining part would change every second and cause a report each time.
 */
export function holdersWords(holders: readonly NamedHolder[], reader: Reader): string {
  const texts = holders.map(({ tunerId, name, window }) =>
    reader.say("report-holder", { tuner: tunerId, name, span: spanWords(window, reader) }),
  );
  return groups(texts.sort(), reader);
}

export function remedyWords(remedy: NamedRemedy, reader: Reader): string {
  const { say } = reader;
  switch (remedy.kind) {
    case "withdraw":
      return say("report-remedy-withdraw", { name: remedy.name });
    case "raise-priority": {
      const { to: priority, loses } = remedy;
      const names = items(
        loses.map((name) => titleWords(name, reader)),
        reader,
      );
      return loses.length === 0
        ? say("report-remedy-priority", { priority })
        : say("report-remedy-priority-loses", { priority, names });
    }
    case "add-tuner":
      return say("report-remedy-tuner", { tuner: remedy.like });
    case "none":
      return say("report-remedy-none");
    case "repeat":
      return say("report-remedy-repeat", airingValues(remedy.repeat, reader));
  }
}

/** The trimmed parts of a recording and the recordings that needed them. */
export function trimWords(news: TrimNews, reader: Reader): string {
  const { say } = reader;
  if (news.kind === "beginning") {
    const at = timeWords(news.from, reader);
    const held = holdersWords(news.holders, reader);
    return held === "" ? say("report-trim-start", { at }) : say("report-trim-start-held", { at, held });
  }
  const { beforeMs, afterMs, lateMs } = news;
  const [before, after] = [news.before, news.after].map((name) =>
    name === undefined ? say("report-another") : titleWords(name, reader),
  ) as [string, string];
  const parts = [
    ...(beforeMs > 0 ? [say("report-trim-before", { length: reader.duration(beforeMs), name: before })] : []),
    ...(afterMs > 0 ? [say("report-trim-after", { length: reader.duration(afterMs), name: after })] : []),
    ...(lateMs > 0 ? [say("report-trim-late", { length: reader.duration(lateMs), name: before })] : []),
  ];
  return say("report-trim", { parts: groups(parts, reader) });
}

/** Day, time and channel of another broadcast. */
export function airingValues({ event: { start }, channelName: channel }: NamedRepeat, reader: Reader) {
  const day = reader.say("report-day", { weekday: reader.weekday(start), date: reader.date(start) });
  return { day, time: timeWords(start, reader), channel };
}

/** `20:28`, or `20:28:05` off the full minute, in all languages; with the offset in an hour that happens twice. */
export function timeWords(at: EpochMs, { timeZone }: Reader): string {
  return formatTimeOfDay(at, timeZone);
}

/** `20:05–21:40`; with dates if the span is as long as a day, since times alone would read as a shorter one. */
export function spanWords(span: Window, reader: Reader): string {
  const isLong = lengthMs(span) >= DAY;
  const clock = (at: EpochMs) => `${isLong ? `${reader.date(at)} ` : ""}${timeWords(at, reader)}`;
  return `${clock(span.start)}–${clock(span.stop)}`;
}

function titleWords(name: string, { say }: Reader): string {
  return say("report-title", { name });
}

/** `a, b, c` */
export function items(parts: readonly string[], { say }: Reader): string {
  return parts.length === 0 ? "" : parts.reduce((before, next) => say("report-items", { before, next }));
}

/** `a; b; c`, of parts with commas. */
export function groups(parts: readonly string[], { say }: Reader): string {
  return parts.length === 0 ? "" : parts.reduce((before, next) => say("report-groups", { before, next }));
}

export function sentences(parts: readonly string[], { say }: Reader): string {
  return parts.length === 0 ? "" : parts.reduce((before, next) => say("report-sentences", { before, next }));
}
