import { type DurationMs, doublingPauseMs } from "../../../model/time.ts";
import type { TimerId, TimerList } from "../../../model/timer.ts";
import type { Change } from "../../sync/core/reconcile.ts";
import type { HandledForget } from "./document.ts";
import type { Draft } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";

type Malformed = Extract<Change, { readonly kind: "malformed" }>;

/**
 * The changes in a list that are new: every poll brings the full list, and each change is processed once.
 * Memory of entries that left the list is dropped, unless something depends on it.
 */
export function newChanges(draft: Draft, list: TimerList, changes: readonly Change[]): readonly Change[] {
  dropOldForgets(draft, list);
  const admitted = admitUnreadable(draft, changes);
  return changes.filter((change) => {
    if (change.kind === "malformed") return admitted.has(change);
    return change.kind !== "withdrawn" || isForgetDue(draft, change.timer.id);
  });
}

/** Counts a processed `forget`. The service lists it until it has seen the report. */
export function noteForget(draft: Draft, id: TimerId): HandledForget {
  const tellings = (forgetOf(draft, id)?.tellings ?? 0) + 1;
  const forget = { at: draft.now, tellings };
  draft.update({ forgets: { ...draft.document.forgets, [id]: forget } });
  return forget;
}

function forgetOf(draft: Draft, id: TimerId): HandledForget | undefined {
  return Object.hasOwn(draft.document.forgets, id) ? draft.document.forgets[id] : undefined;
}

function isForgetDue(draft: Draft, id: TimerId): boolean {
  const forget = forgetOf(draft, id);
  if (forget === undefined) return true;
  const isWaiting = draft.document.outbox.some(
    ({ timerId, acknowledgesForget }) => timerId === id && acknowledgesForget,
  );
  return !isWaiting && draft.now >= forget.at + repeatDelayMs(forget);
}

/** Doubles each time, so that an unresponsive service is not flooded. */
function repeatDelayMs({ tellings }: HandledForget): DurationMs {
  return doublingPauseMs(tellings, {
    firstMs: ENGINE_LIMITS.forgetAgainMsMin,
    maxMs: ENGINE_LIMITS.forgetAgainMsMax,
  });
}

function dropOldForgets(draft: Draft, { timers }: TimerList): void {
  const known = Object.entries(draft.document.forgets);
  if (known.length === 0) return;
  const listed = new Set(timers.flatMap(({ id, action }) => (action === "forget" ? [id] : [])));
  const kept = known.filter(([id]) => listed.has(id));
  if (kept.length < known.length) draft.update({ forgets: Object.fromEntries(kept) });
}

/**
 * Selects the unreadable entries to report, each once. Beyond the limit, new ones are ignored until others leave the
 * list.
 */
function admitUnreadable(draft: Draft, changes: readonly Change[]): ReadonlySet<Change> {
  const unreadable = changes.filter((change) => change.kind === "malformed");
  const known = draft.document.refusedEntries;
  const isKnown = ({ entry: { id } }: Malformed) => id !== undefined && Object.hasOwn(known, id);
  const fresh = unreadable.filter((change) => change.entry.id !== undefined && !isKnown(change));
  const otherwise = unreadable.filter(
    (change) => isKnown(change) && known[change.entry.id ?? ""] !== change.entry.reason,
  );
  return new Set([...otherwise, ...fresh.slice(0, roomFor(draft, unreadable, fresh.length))]);
}

function roomFor(draft: Draft, unreadable: readonly Malformed[], wanted: number): number {
  const known = Object.entries(draft.document.refusedEntries);
  if (known.length + wanted <= ENGINE_LIMITS.refusedEntries) return wanted;
  const listed = new Set(unreadable.map(({ entry }) => entry.id));
  const kept = known.filter(([id]) => listed.has(id));
  if (wanted > 0 && kept.length < known.length) draft.update({ refusedEntries: Object.fromEntries(kept) });
  return Math.max(0, ENGINE_LIMITS.refusedEntries - kept.length);
}
