import type { DurationMs } from "../../../../model/time.ts";

/** 33 bits, and half of it: a PTS that is ahead by more is behind. ISO/IEC 13818-1 §2.4.3.7. */
const WRAP = 2 ** 33;
const TICKS_PER_MS = 90;

/** Time from one PTS to another, at most 13 hours in either direction. */
export function ptsStepMs(from: number, to: number): DurationMs {
  const step = (((to - from) % WRAP) + WRAP) % WRAP;
  return (step >= WRAP / 2 ? step - WRAP : step) / TICKS_PER_MS;
}

/** A place on the screen for some time. */
interface Screen {
  readonly pts: number;
  /** It is shown no longer than this. */
  readonly timeoutMs?: DurationMs;
}

export interface Shown<S> {
  readonly screen: S;
  /** From the beginning of the segment, in whole milliseconds. */
  readonly fromMs: DurationMs;
  readonly toMs: DurationMs;
}

/**
 * When each screen is shown within a segment: until the next one, and no longer than its timeout.
 *
 * @param pts of the beginning of the segment
 */
export function shownWithin<S extends Screen>(
  screens: readonly S[],
  { pts, durationMs }: { readonly pts: number; readonly durationMs: DurationMs },
): readonly Shown<S>[] {
  const shown: Shown<S>[] = [];
  for (const [at, screen] of screens.entries()) {
    const next = screens[at + 1];
    const startMs = ptsStepMs(pts, screen.pts);
    const untilMs = Math.min(
      next === undefined ? durationMs : ptsStepMs(pts, next.pts),
      startMs + (screen.timeoutMs ?? Number.POSITIVE_INFINITY),
    );
    const fromMs = Math.round(Math.max(0, startMs));
    const toMs = Math.round(Math.min(durationMs, untilMs));
    if (toMs > fromMs) shown.push({ screen, fromMs, toMs });
  }
  return shown;
}
