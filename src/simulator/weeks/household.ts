import { DAY, type EpochMs, HOUR, MINUTE } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import { type Chance, chanceOf } from "./chance.ts";
import type { Booking, Step } from "./script.ts";
import { CHANNELS } from "./setting.ts";

/** The bookings, moves and forgets of a household in some days: no faults. */
export function householdSteps(
  seed: number,
  { start, days }: { readonly start: EpochMs; readonly days: number },
): readonly Step[] {
  const chance = chanceOf(seed, "household");
  const steps: Step[] = [];
  let count = 0;
  for (let day = 0; day < days; day += 1) {
    const midnight = start + day * DAY;
    let seam: Window | undefined;
    for (let more = chance.int(2, 6); more > 0; more -= 1) {
      count += 1;
      const event = eventOf(chance, midnight, seam);
      seam = event;
      steps.push(...lifeOf(chance, { booking: bookingOf(chance, count, event), midnight: start }));
    }
  }
  return steps;
}

/** Evenings are crowded; one event in three follows the previous one directly. */
function eventOf(chance: Chance, midnight: EpochMs, seam: Window | undefined): Window {
  const lengthMs = chance.pick([15, 30, 30, 45, 60, 60, 90, 120]) * MINUTE;
  if (seam !== undefined && chance.percent(33)) return { start: seam.stop, stop: seam.stop + lengthMs };
  const hour = chance.percent(70) ? chance.int(17, 22) : chance.int(0, 23);
  const start = midnight + hour * HOUR + chance.int(0, 11) * 5 * MINUTE;
  return { start, stop: start + lengthMs };
}

function bookingOf(chance: Chance, count: number, event: Window): Booking {
  const padding = chance.percent(30)
    ? { beforeMinutes: chance.pick([0, 2, 5]), afterMinutes: chance.pick([0, 5, 10]) }
    : {};
  return {
    timerId: String(1000 + count),
    name: `Show ${count}`,
    channel: chance.int(1, CHANNELS.length),
    event,
    ...padding,
  };
}

/** One order from its booking to its last change. */
function lifeOf(
  chance: Chance,
  { booking, midnight }: { readonly booking: Booking; readonly midnight: EpochMs },
): readonly Step[] {
  const { timerId, event } = booking;
  const length = event.stop - event.start;
  const bookedAt = Math.max(midnight + MINUTE, event.start - aheadOf(chance, length));
  const steps: Step[] = [{ at: bookedAt, action: { kind: "book", booking } }];
  const between = (from: EpochMs, to: EpochMs) =>
    chance.int(0, Math.max(0, Math.floor((to - from) / MINUTE))) * MINUTE + Math.max(bookedAt, from) + 7;
  let current = event;
  const reschedule = (at: EpochMs, next: Window) => {
    current = next;
    steps.push({ at, action: { kind: "reschedule", timerId, event: next } });
  };
  if (chance.percent(12)) {
    const byMs = chance.pick([-30, -5, 5, 15, 60, 240]) * MINUTE;
    const moved = { start: event.start + byMs, stop: event.stop + byMs };
    reschedule(between(bookedAt, event.start), moved);
  }
  if (chance.percent(12)) {
    const stop = current.stop + chance.pick([-10, 5, 10, 30]) * MINUTE;
    const late = between(current.start, current.stop);
    if (stop > current.start + MINUTE)
      reschedule(Math.max(late, steps.at(-1)?.at ?? 0), { ...current, stop });
  }
  if (chance.percent(12)) {
    const at = chance.percent(50)
      ? between(bookedAt, current.start)
      : between(current.start, current.stop + HOUR);
    steps.push({ at: Math.max(at, steps.at(-1)?.at ?? 0), action: { kind: "forget", timerId } });
  }
  return steps;
}

/** Mostly days or hours ahead, sometimes during the event, rarely after it. */
function aheadOf(chance: Chance, lengthMs: number): number {
  if (chance.percent(10)) return -chance.int(0, Math.floor(lengthMs / MINUTE) - 1) * MINUTE;
  if (chance.percent(3)) return -lengthMs - chance.int(1, 60) * MINUTE;
  return chance.percent(50) ? chance.int(10, 180) * MINUTE : chance.int(4, 72) * HOUR;
}
