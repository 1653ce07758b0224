import type { Change, GuideTables, StoredTimer } from "./tables.ts";

/** Whether after the change an account's timers may differ from its rules. @param before the records before it */
export function unsettles({ timers }: Pick<GuideTables, "timers">, change: Change): boolean {
  if (change.table === "rules") return true;
  if (change.table !== "timers") return false;
  const before = timers.get(change.kind === "put" ? change.record.id : change.id);
  return comparisonKey(before) !== comparisonKey(change.kind === "put" ? change.record : undefined);
}

/** The fields of a timer that affect other timers. */
function comparisonKey(timer: StoredTimer | undefined): string {
  if (timer === undefined) return "";
  const { deviceId, showId, action, state, removedAt, episode } = timer;
  return JSON.stringify([deviceId, showId, action, state, removedAt !== undefined, episode]);
}
