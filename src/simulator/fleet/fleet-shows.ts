import { type EpochMs, MINUTE } from "../../model/time.ts";
import { chanceOf } from "../weeks/chance.ts";
import type { Booking } from "../weeks/script.ts";
import { CHANNELS } from "../weeks/setting.ts";

/** Booked so long before it begins, at least: the fleet has seen it then, in spite of a fault. */
const AHEAD_MINUTES = [12, 30] as const;
const LENGTH_MINUTES = [5, 10, 15, 30, 60] as const;

/** Evenings are crowded: about seven shows in an hour, and else one. */
const PERCENT = { evening: 60, else: 8 } as const;
const EVENING = { from: 17, to: 23 } as const;

/** The bookings of a large household: no faults. */
export function fleetBookings(
  seed: number,
  { start, end }: { readonly start: EpochMs; readonly end: EpochMs },
): readonly { readonly at: EpochMs; readonly booking: Booking }[] {
  const chance = chanceOf(seed, "shows of a fleet");
  const bookings: { at: EpochMs; booking: Booking }[] = [];
  for (let at = start; at < end; at += 5 * MINUTE) {
    if (!chance.percent(isEvening(at) ? PERCENT.evening : PERCENT.else)) continue;
    const bookedAt = at + chance.int(0, 5 * MINUTE);
    const begin = Math.ceil(bookedAt / MINUTE + chance.int(...AHEAD_MINUTES)) * MINUTE;
    bookings.push({
      at: bookedAt,
      booking: {
        timerId: String(1001 + bookings.length),
        name: `Show ${1 + bookings.length}`,
        channel: chance.int(1, CHANNELS.length),
        event: { start: begin, stop: begin + chance.pick(LENGTH_MINUTES) * MINUTE },
      },
    });
  }
  return bookings;
}

function isEvening(at: EpochMs): boolean {
  const hour = new Date(at).getUTCHours();
  return hour >= EVENING.from && hour < EVENING.to;
}
