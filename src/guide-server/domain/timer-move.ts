import type { EpochMs } from "../../model/time.ts";
import { type BookedTimer, type Change, type GuideTables, put } from "../data/tables.ts";
import { takeIds } from "./ids.ts";
import { endOf } from "./timer-lists.ts";

function isHeld({ action, servedAt, ...timer }: BookedTimer, now: EpochMs): boolean {
  return action === "record" && servedAt !== undefined && endOf(timer) > now;
}

/** Without a recorder that may hold it a timer is gone at once; else it is a forget until that one has acknowledged it. */
export function withdrawn(timer: BookedTimer, message: string, now: EpochMs): BookedTimer {
  return isHeld(timer, now)
    ? { ...timer, action: "forget", state: "waiting", acknowledged: false, message }
    : { ...timer, removedAt: now };
}

const MOVED = "Moved to another device: the recorder is to forget it.";

/** A timer as it was, and as a client has changed it. */
export interface Changed {
  readonly timer: BookedTimer;
  readonly next: BookedTimer;
}

interface Moves {
  readonly changes: readonly Change[];
  /** A timer as it was asked for, with another device → the one that this device gets. */
  readonly moves: ReadonlyMap<BookedTimer, BookedTimer>;
}

/**
 * Timers that go to another device, which has said nothing of them yet. A recorder knows a timer by its id: where the one before may hold
 * it, the id stays with the recorder that is to forget it, and the other one gets a timer with a new id.
 */
export function movedTimers(tables: GuideTables, pairs: readonly Changed[], now: EpochMs): Moves {
  const moving = pairs.filter(({ timer, next }) => next.deviceId !== timer.deviceId && endOf(timer) > now);
  const held = moving.filter(({ timer }) => isHeld(timer, now));
  const { ids, change } = takeIds(tables, "timer", held.length);
  const newIds = new Map(held.map(({ timer }, index) => [timer.id, String(ids[index] ?? 0)]));
  const moves = new Map(
    moving.map(({ timer, next }) => [next, afresh(next, newIds.get(timer.id) ?? timer.id)]),
  );
  const timers = [...held.map(({ timer }) => withdrawn(timer, MOVED, now)), ...moves.values()];
  return {
    changes: [...(held.length === 0 ? [] : [change]), ...timers.map((timer) => put("timers", timer))],
    moves,
  };
}

function afresh(timer: BookedTimer, id: string): BookedTimer {
  const { servedAt: _served, sentAt: _sent, acknowledged: _acknowledged, ...order } = timer;
  return { ...order, id, state: "waiting", told: [] };
}
