import type { EpochMs } from "../../model/time.ts";
import { type BookedTimer, type Change, type GuideTables, put } from "../data/tables.ts";
import { takeIds } from "./ids.ts";
import { endOf } from "./timer-lists.ts";

function isHeld({ action, servedAt, ...timer }: BookedTimer, now: EpochMs): boolean {
  return action === "record" && servedAt !== undefined && endOf(timer) > now;
}

/** A timer that a recorder may hold becomes a forget until the recorder acknowledges it; any other is removed at once. */
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
  /** From the timer as the client changed it to the timer that the other device gets. */
  readonly moves: ReadonlyMap<BookedTimer, BookedTimer>;
}

/**
 * Moves timers to another device, which has reported nothing on them yet. A recorder knows a timer by its id. Where the first device may
 * hold the timer, the id stays there with the forget, and the other device gets a new id.
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
