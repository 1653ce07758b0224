import { lackOf } from "../../../model/inspection.ts";
import { type FigureFacts, FLAWS } from "../../../model/report-facts.ts";
import type { Window } from "../../../model/window.ts";
import type { Key } from "../../../words/catalogue.ts";
import type { Reader } from "../../../words/reader.ts";
import { items, spanWords } from "./plan-words.ts";

const FLAW_TEXTS = {
  continuityErrors: "report-flaw-continuity",
  tableErrors: "report-flaw-tables",
  transportErrors: "report-flaw-transport",
  scrambledPackets: "report-flaw-scrambled",
  clockBreaks: "report-flaw-clock",
  damagedPackets: "report-flaw-damaged",
  junkBytes: "report-flaw-junk",
} as const satisfies Record<(typeof FLAWS)[number], Key>;

/** `97 % of the event, 3.00 GB, missing 21:06–21:07` */
export function figureWords(figures: FigureFacts, reader: Reader): string {
  const { say } = reader;
  const { eventPercent: share, bytes, hasPlainName } = figures;
  const wrong = flawWords(figures, reader);
  const known = items(
    [
      ...(share === undefined ? [] : [say("report-share", { share })]),
      sizeWords(bytes, reader),
      ...(wrong === "" ? [say("report-no-errors")] : [wrong]),
    ],
    reader,
  );
  const withClock = share === undefined ? say("report-no-clock", { figures: known }) : known;
  return hasPlainName ? items([withClock, say("report-plain-name")], reader) : withClock;
}

/** All flaws of a recording; empty if there are none. */
export function flawWords({ flaws, gaps, hollow = [], tracks }: FigureFacts, reader: Reader): string {
  const { say } = reader;
  const counts = FLAWS.flatMap((flaw) => {
    const count = flaws[flaw];
    return count === undefined ? [] : [say(FLAW_TEXTS[flaw], { count })];
  });
  return items(
    [
      ...counts,
      ...gapWords(gaps, reader),
      ...hollow.map(({ kind, isUnchecked }) =>
        say(isUnchecked === true ? `report-hollow-${kind}-unchecked` : `report-hollow-${kind}`),
      ),
      ...tracks.map((track) => trackWords(track, reader)),
    ],
    reader,
  );
}

const GAP_TEXTS = [
  { lacks: undefined, key: "report-gap" },
  { lacks: "picture", key: "report-gap-picture" },
  { lacks: "sound", key: "report-gap-sound" },
] as const;

/** `missing 20:05:10–20:05:12, no picture 20:14:30–20:45:00 (sound present)` */
function gapWords(gaps: FigureFacts["gaps"], reader: Reader): readonly string[] {
  return GAP_TEXTS.flatMap(({ lacks, key }) => {
    const spans = gaps.filter((gap) => gap.lacks === lacks);
    return spans.length === 0 ? [] : [reader.say(key, { spans: spansWords(spans, reader) })];
  });
}

function trackWords(track: FigureFacts["tracks"][number], reader: Reader): string {
  const { language, codec, kind, missing, neverSent } = track;
  const name = [language, codec].filter(Boolean).join(", ");
  const which = lackOf(kind);
  if (neverSent === true) return reader.say(`report-track-${which}-never`, { name });
  return reader.say(`report-track-${which}`, { name, spans: spansWords(missing, reader) });
}

function spansWords(spans: readonly Window[], reader: Reader): string {
  return items(
    spans.map((span) => spanWords(span, reader)),
    reader,
  );
}

function sizeWords(bytes: number, { say }: Reader): string {
  return bytes >= 1e9
    ? say("report-gigabytes", { size: bytes / 1e9 })
    : say("report-megabytes", { size: bytes / 1e6 });
}
