import type { DurationMs } from "../../../../model/time.ts";
import { stampStepMs } from "../../../../mpeg-ts/streams/pes.ts";

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
    const startMs = stampStepMs(pts, screen.pts);
    const untilMs = Math.min(
      next === undefined ? durationMs : stampStepMs(pts, next.pts),
      startMs + (screen.timeoutMs ?? Number.POSITIVE_INFINITY),
    );
    const fromMs = Math.round(Math.max(0, startMs));
    const toMs = Math.round(Math.min(durationMs, untilMs));
    if (toMs > fromMs) shown.push({ screen, fromMs, toMs });
  }
  return shown;
}
