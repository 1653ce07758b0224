import type { DurationMs } from "../../../../model/time.ts";
import type { Segment } from "./segments.ts";

/** Position on the timeline of a player, which leaves missing data out, of an instant on that of the recording. */
export function playerMsAt(
  segments: readonly Pick<Segment, "startMs" | "durationMs">[],
  atMs: DurationMs,
): DurationMs {
  const before = segments.filter(({ startMs }) => startMs <= atMs);
  const last = before.at(-1);
  const shownMs = before.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return last === undefined ? 0 : shownMs - Math.max(0, last.startMs + last.durationMs - atMs);
}
