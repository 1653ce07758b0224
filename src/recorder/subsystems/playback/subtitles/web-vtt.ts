import type { DurationMs } from "../../../../model/time.ts";
import type { TeletextScreen } from "../../../../mpeg-ts/teletext/page.ts";
import type { TeletextColour, TeletextLine, TeletextRun } from "../../../../mpeg-ts/teletext/rows.ts";
import type { Shown } from "./shown.ts";

/** Classes of the default colours, WebVTT §5. White is that of text without a class. */
const CLASSES: Readonly<Record<TeletextColour, string | undefined>> = {
  black: "black",
  red: "red",
  green: "lime",
  yellow: "yellow",
  blue: "blue",
  magenta: "magenta",
  cyan: "cyan",
  white: undefined,
};

/** Rows of a page of teletext below the header, and columns. */
const ROWS = 24;
const COLUMNS = 40;
/** Texts that end below this row are at the bottom, where players put texts without a line. */
const LOWER_ROWS = 16;
/** A text whose middle is this near to that of the page is centred. */
const CENTRE_COLUMNS = 4;

/**
 * A segment of subtitles in WebVTT. RFC 8216 §3.5.
 *
 * @param pts that the times count from: 33 bits, in ticks of 90 kHz
 */
export function webVttSegment(cues: readonly Shown<TeletextScreen>[], pts: number): string {
  const head = `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${pts},LOCAL:00:00:00.000\n`;
  return [head, ...cues.filter(({ screen }) => screen.lines.length > 0).map(cueText)].join("\n");
}

function cueText({ screen: { lines }, fromMs, toMs }: Shown<TeletextScreen>): string {
  const text = lines.map(({ runs }) => runs.map(runText).join("")).join("\n");
  return `${timeText(fromMs)} --> ${timeText(toMs)}${settingsOf(lines)}\n${text}\n`;
}

function runText({ text, colour }: TeletextRun): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const name = CLASSES[colour];
  return name === undefined ? escaped : `<c.${name}>${escaped}</c>`;
}

function timeText(ms: DurationMs): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  const rest = String(ms % 1000).padStart(3, "0");
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}.${rest}`;
}

/** The place of a text as on the page: upper texts by their line, texts at a side by their column. */
function settingsOf(lines: readonly TeletextLine[]): string {
  const first = lines[0]?.row ?? ROWS;
  const last = lines.at(-1)?.row ?? ROWS;
  const left = Math.min(...lines.map(({ firstColumn }) => firstColumn));
  const right = Math.max(...lines.map(({ lastColumn }) => lastColumn)) + 1;
  const asideColumns = (left + right) / 2 - COLUMNS / 2;
  const line = last < LOWER_ROWS ? ` line:${percent(first - 1, ROWS)}` : "";
  if (Math.abs(asideColumns) <= CENTRE_COLUMNS) return line;
  return asideColumns < 0
    ? `${line} align:start position:${percent(left, COLUMNS)}`
    : `${line} align:end position:${percent(right, COLUMNS)}`;
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)}%`;
}
