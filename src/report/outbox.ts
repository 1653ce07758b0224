import { LIMITS } from "../model/limits.ts";
import type { Report } from "../model/report.ts";

/**
 * Adds a report behind those that wait. A newer one takes the place of the undelivered ones of its timer: the service
 * needs the latest, and the order per timer stays. A state that the older one would have told is carried on when the
 * newer brings none; an acknowledgement of `forget` is never lost.
 */
export function enqueue(outbox: readonly Report[], report: Report): readonly Report[] {
  const older = outbox.filter(({ timerId }) => timerId === report.timerId);
  const state = report.state ?? older.findLast((waiting) => waiting.state !== undefined)?.state;
  const acknowledgesForget = report.acknowledgesForget || older.some((waiting) => waiting.acknowledgesForget);
  const next: Report = { ...report, acknowledgesForget, ...(state === undefined ? {} : { state }) };
  const rest = outbox.filter(({ timerId }) => timerId !== report.timerId);
  return [...rest, next].slice(-LIMITS.outboxSize);
}

/** Takes a report out, delivered or given up. A report that a newer one replaced meanwhile is not there any more. */
export function withoutReport(outbox: readonly Report[], seq: number): readonly Report[] {
  return outbox.filter((report) => report.seq !== seq);
}
