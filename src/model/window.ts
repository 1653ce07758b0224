import type { DurationMs, EpochMs } from "./time.ts";

/** A span of time, half-open: `start` belongs to it, `stop` does not. */
export interface Window {
  readonly start: EpochMs;
  readonly stop: EpochMs;
}

/** A time without a running daemon. */
export interface Outage extends Window {
  /** The machine slept; otherwise the daemon was off. */
  readonly asleep: boolean;
  /** The start of the machine at which its end was read, and whether its beginning was read at the same one. */
  readonly boot: string;
  readonly sameBoot: boolean;
}

/** Extra time around an event. */
export interface Padding {
  readonly beforeMs: DurationMs;
  readonly afterMs: DurationMs;
}

export function padded(event: Window, padding: Padding): Window {
  return { start: event.start - padding.beforeMs, stop: event.stop + padding.afterMs };
}

export function lengthMs({ start, stop }: Window): DurationMs {
  return Math.max(0, stop - start);
}

export function overlaps(a: Window, b: Window): boolean {
  return a.start < b.stop && b.start < a.stop;
}

export function contains(window: Window, at: EpochMs): boolean {
  return window.start <= at && at < window.stop;
}

/** The common part of two windows; empty (length 0) when they do not overlap. */
export function intersection(a: Window, b: Window): Window {
  const start = Math.max(a.start, b.start);
  return { start, stop: Math.max(start, Math.min(a.stop, b.stop)) };
}

/** The union of `spans` as sorted, disjoint windows; touching ones are merged. */
export function merged(spans: readonly Window[]): readonly Window[] {
  // Nearly all lists hold one window, and each look at a growing file makes some of them.
  if (spans.length === 1) return spans.every(({ start, stop }) => stop > start) ? spans : [];
  const sorted = spans.filter((span) => span.stop > span.start).sort((a, b) => a.start - b.start);
  const out: Window[] = [];
  for (const span of sorted) {
    const last = out.at(-1);
    if (last !== undefined && span.start <= last.stop) {
      out[out.length - 1] = { start: last.start, stop: Math.max(last.stop, span.stop) };
    } else {
      out.push(span);
    }
  }
  return out;
}

/** The common part of two lists, in order; each list sorted by start, without overlaps. */
export function shared(a: readonly Window[], b: readonly Window[]): readonly Window[] {
  const found: Window[] = [];
  for (let inA = 0, inB = 0; ; ) {
    const [one, other] = [a[inA], b[inB]];
    if (one === undefined || other === undefined) return found;
    const both = intersection(one, other);
    if (both.stop > both.start) found.push(both);
    if (one.stop < other.stop) inA += 1;
    else inB += 1;
  }
}

export function longest<T extends Window>(windows: readonly T[], count: number): readonly T[] {
  if (windows.length <= count) return windows;
  const chosen = new Set([...windows].sort((a, b) => lengthMs(b) - lengthMs(a)).slice(0, count));
  return windows.filter((window) => chosen.has(window));
}

/** All of them together; they do not overlap. */
export function totalMs(spans: readonly Window[]): DurationMs {
  return spans.reduce((sum, span) => sum + lengthMs(span), 0);
}

/** The milliseconds of `window` that `spans` cover. */
export function coveredMs(window: Window, spans: readonly Window[]): DurationMs {
  return merged(spans).reduce((sum, span) => sum + lengthMs(intersection(window, span)), 0);
}

/** The parts of `window` that no span covers, in order. */
export function uncovered(window: Window, spans: readonly Window[]): readonly Window[] {
  const gaps: Window[] = [];
  let at = window.start;
  for (const span of merged(spans)) {
    const inside = intersection(window, span);
    if (lengthMs(inside) === 0) continue;
    if (inside.start > at) gaps.push({ start: at, stop: inside.start });
    at = Math.max(at, inside.stop);
  }
  if (at < window.stop) gaps.push({ start: at, stop: window.stop });
  return gaps;
}
