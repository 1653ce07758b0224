import { signal } from "@preact/signals";
import type { Progress, ProgressReport, RecordingProgress } from "../../model/progress.ts";
import { ask } from "./api.ts";

/** The viewer's positions by recording, as far as they are loaded. */
export const progress = signal<ReadonlyMap<string, Progress>>(new Map());

/** Loads the positions again: the viewer may have continued on another device. */
export async function loadProgress(): Promise<void> {
  const all = await ask<readonly RecordingProgress[]>("GET", "/v1/progress").catch(() => undefined);
  if (all !== undefined) progress.value = new Map(all.map((each) => [each.recordingId, each]));
}

/** Reports a position. A report that does not arrive is followed by the next one. */
export async function reportProgress(recordingId: string, report: ProgressReport): Promise<void> {
  const path = `/v1/recordings/${encodeURIComponent(recordingId)}/progress`;
  const stored = await ask<Progress>("PUT", path, report, { keepalive: true }).catch(() => undefined);
  if (stored !== undefined) progress.value = new Map([...progress.value, [recordingId, stored]]);
}

/** The share of a recording that the viewer has seen; `undefined` if it is not begun, or finished. */
export function unfinishedShare(of: Progress | undefined): number | undefined {
  if (of === undefined || of.isFinished || of.seconds <= 0 || of.durationSeconds <= 0) return undefined;
  return Math.min(1, of.seconds / of.durationSeconds);
}
