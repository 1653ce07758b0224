import type { EpochMs } from "../../model/time.ts";
import { type BookedTimer, type Change, type GuideTables, put } from "../data/tables.ts";
import { takeIds } from "./ids.ts";
import { endOf } from "./timer-lists.ts";

/** Without a recorder that may hold it a timer is gone at once; else it is a forget until that one has acknowledged it. */
export function withdrawn(timer: BookedTimer, message: string, now: EpochMs): BookedTimer {
  const held = timer.action === "record" && timer.servedAt !== undefined && endOf(timer) > now;
  return held
    ? { ...timer, action: "forget", state: "waiting", acknowledged: false, message }
    : { ...timer, removedAt: now };
}

const MOVED = "Moved to another device: the recorder is to forget it.";

interface Moves {
  readonly changes: readonly Change[];
  /** A timer as it was asked for, with another device → the one that this device gets. */
  readonly moves: ReadonlyMap<BookedTimer, BookedTimer>;
}

/**
 * Timers that go to another device while the one before may hold them. A recorder knows a timer by its id, so the id stays with the
 * recorder that is to forget it, and the other one gets a timer with a new id, of which nobody has said anything yet.
 */
export function movedTimers(
  tables: GuideTables,
  pairs: readonly { readonly timer: BookedTimer; readonly next: BookedTimer }[],
  now: EpochMs,
): Moves {
  const left = pairs.flatMap(({ timer, next }) => {
    const before = withdrawn(timer, MOVED, now);
    const isMove = next.deviceId !== timer.deviceId && before.action !== timer.action;
    return isMove ? [{ before, next }] : [];
  });
  if (left.length === 0) return { changes: [], moves: new Map() };
  const { ids, change } = takeIds(tables, "timer", left.length);
  const moves = new Map(left.map(({ next }, index) => [next, afresh(next, String(ids[index] ?? 0))]));
  const timers = [...left.map(({ before }) => before), ...moves.values()];
  return { changes: [change, ...timers.map((timer) => put("timers", timer))], moves };
}

function afresh(timer: BookedTimer, id: string): BookedTimer {
  const { servedAt: _served, sentAt: _sent, acknowledged: _acknowledged, ...order } = timer;
  return { ...order, id, state: "waiting", told: [] };
}
