import { type DurationMs, type EpochMs, formatTimeOfDay, MINUTE } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";

/** A recording in the chart. */
export interface Bar {
  /** Its label there. */
  readonly mark: string;
  readonly lane: string;
  readonly span: Window;
  readonly event: Window;
}

interface Axis {
  readonly start: EpochMs;
  readonly cellMs: DurationMs;
  readonly cells: number;
}

const CELLS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 240].map((minutes) => minutes * MINUTE);
const TICK_MS = 30 * MINUTE;

/**
 * Tuners over time: a line per tuner, or more if it records several at once; `=` is an event, `-` its padding, with the mark at
 * the event's start.
 */
export function pictureText(
  bars: readonly Bar[],
  {
    lanes,
    columnsMax,
    timeZone,
  }: { readonly lanes: readonly string[]; readonly columnsMax: number; readonly timeZone: string },
): string {
  const labelWidth = Math.max(...lanes.map((lane) => lane.length)) + 2;
  const axis = axisOf(bars, Math.max(24, columnsMax - labelWidth));
  const rows = lanes.flatMap((lane) =>
    rowsOf(
      bars.filter((bar) => bar.lane === lane),
      axis,
    ).map((row, at) => `${(at === 0 ? lane : "").padEnd(labelWidth)}${row}`),
  );
  return [`${"".padEnd(labelWidth)}${ticks(axis, timeZone)}`, ...rows].map((row) => row.trimEnd()).join("\n");
}

/** Starts at the half hour before the first bar, with the finest scale that fits. */
function axisOf(bars: readonly Bar[], cellsMax: number): Axis {
  const start = Math.floor(Math.min(...bars.map(({ span }) => span.start)) / TICK_MS) * TICK_MS;
  const lengthMs = Math.max(...bars.map(({ span }) => span.stop)) - start;
  const finest = CELLS_MS.find((cellMs) => Math.ceil(lengthMs / cellMs) <= cellsMax);
  const cellMs = finest ?? Math.ceil(lengthMs / cellsMax);
  return { start, cellMs, cells: Math.min(cellsMax, Math.ceil(lengthMs / cellMs)) };
}

const TICK_WIDTH = 7;

function ticks({ start, cellMs, cells }: Axis, timeZone: string): string {
  const everyMs = Math.ceil((TICK_WIDTH * cellMs) / TICK_MS) * TICK_MS;
  let text = "";
  for (let at = start; at < start + cells * cellMs; at += everyMs) {
    text = `${text.padEnd(Math.round((at - start) / cellMs))}${formatTimeOfDay(at, timeZone)}`;
  }
  return text;
}

/** The fewest rows in which no bars overlap. */
function rowsOf(bars: readonly Bar[], axis: Axis): readonly string[] {
  const rows: string[] = [];
  for (const bar of bars.toSorted((a, b) => a.span.start - b.span.start)) {
    const from = cellOf(bar.span.start, axis);
    const free = rows.findIndex((row) => row.length <= from);
    const at = free < 0 ? rows.length : free;
    rows[at] = (rows[at] ?? "").padEnd(from) + barText(bar, axis);
  }
  return rows.length === 0 ? [""] : rows;
}

function barText({ mark, span, event }: Bar, axis: Axis): string {
  const from = cellOf(span.start, axis);
  const until = Math.max(from + 1, cellOf(span.stop, axis));
  const begin = Math.min(until - 1, Math.max(from, cellOf(event.start, axis)));
  const end = Math.min(until, Math.max(begin + 1, cellOf(event.stop, axis)));
  const line = "-".repeat(begin - from) + "=".repeat(end - begin) + "-".repeat(until - end);
  // A cut mark could equal another recording's.
  const said = mark.length <= end - begin ? mark : "#".repeat(end - begin);
  return line.slice(0, begin - from) + said + line.slice(begin - from + said.length);
}

/** Rounded, so that adjacent bars touch in the chart. */
function cellOf(at: EpochMs, { start, cellMs }: Axis): number {
  return Math.round((at - start) / cellMs);
}
