import { LIMITS } from "../../../model/limits.ts";
import type { Report } from "../../../model/report.ts";
import type { TimerId } from "../../../model/timer.ts";

/**
 * Adds reports, one after the other, behind those that wait. A newer one takes the place of the undelivered ones of its timer: the service
 * needs the latest, and the order per timer stays. A state that the older one would have told is carried on when the
 * newer brings none; an acknowledgement of `forget` is never lost.
 */
export function enqueue(outbox: readonly Report[], reports: readonly Report[]): readonly Report[] {
  const told = new Set(reports.map(({ timerId }) => timerId));
  const latest = new Map<TimerId, Report>();
  for (const report of [...outbox.filter(({ timerId }) => told.has(timerId)), ...reports]) {
    const older = latest.get(report.timerId);
    latest.delete(report.timerId);
    latest.set(report.timerId, older === undefined ? report : inPlaceOf(older, report));
  }
  return [...outbox.filter(({ timerId }) => !told.has(timerId)), ...latest.values()].slice(
    -LIMITS.outboxSize,
  );
}

function inPlaceOf(older: Report, report: Report): Report {
  const state = report.state ?? older.state;
  const acknowledgesForget = report.acknowledgesForget || older.acknowledgesForget;
  return { ...report, acknowledgesForget, ...(state === undefined ? {} : { state }) };
}

/** Takes a report out, delivered or given up. A report that a newer one replaced meanwhile is not there any more. */
export function withoutReport(outbox: readonly Report[], seq: number): readonly Report[] {
  return outbox.filter((report) => report.seq !== seq);
}
