import type { EpochMs } from "../../model/time.ts";
import { type Change, type GuideTables, put, type StoredTimer } from "../data/tables.ts";
import { takeIds } from "./ids.ts";
import { endOf } from "./timer-lists.ts";

function mayBeOnRecorder({ action, servedAt, ...timer }: StoredTimer, now: EpochMs): boolean {
  return action === "record" && servedAt !== undefined && endOf(timer) > now;
}

/**
 * Turns a timer that a recorder may have into a forget until the recorder acknowledges it; any other timer is
 * removed at once.
 */
export function withdrawTimer(timer: StoredTimer, message: string, now: EpochMs): StoredTimer {
  return mayBeOnRecorder(timer, now)
    ? { ...timer, action: "forget", state: "waiting", acknowledged: false, message }
    : { ...timer, removedAt: now };
}

const MOVED = "Moved to another device: the recorder must forget it.";

/** A timer before and after a client's change. */
export interface TimerEdit {
  readonly timer: StoredTimer;
  readonly next: StoredTimer;
}

interface Moves {
  readonly changes: readonly Change[];
  /** Maps the timer as the client changed it to the timer that the other device gets. */
  readonly moves: ReadonlyMap<StoredTimer, StoredTimer>;
}

/**
 * Moves timers to another device and drops their reports. A recorder knows a timer by its id. If the first device
 * may have the timer, the id stays there with the forget, and the other device gets a new id.
 */
export function movedTimers(tables: GuideTables, pairs: readonly TimerEdit[], now: EpochMs): Moves {
  const moving = pairs.filter(({ timer, next }) => next.deviceId !== timer.deviceId && endOf(timer) > now);
  const onRecorder = moving.filter(({ timer }) => mayBeOnRecorder(timer, now));
  const { ids, change } = takeIds(tables, "timer", onRecorder.length);
  const newIds = new Map(onRecorder.map(({ timer }, index) => [timer.id, String(ids[index] ?? 0)]));
  const moves = new Map(
    moving.map(({ timer, next }) => [next, withNewId(next, newIds.get(timer.id) ?? timer.id)]),
  );
  const timers = [...onRecorder.map(({ timer }) => withdrawTimer(timer, MOVED, now)), ...moves.values()];
  return {
    changes: [...(onRecorder.length === 0 ? [] : [change]), ...timers.map((timer) => put("timers", timer))],
    moves,
  };
}

function withNewId(timer: StoredTimer, id: string): StoredTimer {
  const { servedAt: _served, sentAt: _sent, acknowledged: _acknowledged, ...order } = timer;
  return { ...order, id, state: "waiting", told: [] };
}
