import type { Report } from "../../../model/report.ts";
import type { TimerId } from "../../../model/timer.ts";
import { REPORT_CORE_LIMITS } from "./limits.ts";

/**
 * Adds reports at the end, in order. A report replaces the undelivered ones of its timer: the service needs the
 * latest, and the order per timer stays. It inherits their state if it has none of its own; an acknowledgement of
 * `forget` is never lost.
 */
export function enqueue(outbox: readonly Report[], reports: readonly Report[]): readonly Report[] {
  const timerIds = new Set(reports.map(({ timerId }) => timerId));
  const latest = new Map<TimerId, Report>();
  for (const report of [...outbox.filter(({ timerId }) => timerIds.has(timerId)), ...reports]) {
    const older = latest.get(report.timerId);
    latest.delete(report.timerId);
    latest.set(report.timerId, older === undefined ? report : replacing(older, report));
  }
  return [...outbox.filter(({ timerId }) => !timerIds.has(timerId)), ...latest.values()].slice(
    -REPORT_CORE_LIMITS.outboxSize,
  );
}

function replacing(older: Report, report: Report): Report {
  const state = report.state ?? older.state;
  const acknowledgesForget = report.acknowledgesForget || older.acknowledgesForget;
  return { ...report, acknowledgesForget, ...(state === undefined ? {} : { state }) };
}

/** Removes a delivered or given-up report. A report that was replaced meanwhile is not there any more. */
export function withoutReport(outbox: readonly Report[], seq: number): readonly Report[] {
  return outbox.filter((report) => report.seq !== seq);
}
