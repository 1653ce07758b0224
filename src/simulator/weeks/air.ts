import type { Clock } from "../../kit/time/clock.ts";
import type { BroadcastEvent } from "../../model/inspection.ts";
import { sameTriplet, type Triplet } from "../../model/service.ts";
import { type DurationMs, type EpochMs, HOUR } from "../../model/time.ts";
import { lengthMs } from "../../model/window.ts";
import type { FaultStep } from "./script.ts";
import { CHANNELS } from "./setting.ts";
import { isOver, type TrueTimer } from "./true-timer.ts";

/** An event that is longer than announced. */
export interface Overrun {
  readonly timer: TrueTimer;
  readonly byMs: DurationMs;
  /** From then on EIT has the true duration; otherwise it stays present beyond its announced end. */
  readonly announcedAt: EpochMs;
}

interface AirParts {
  readonly clock: Clock;
  readonly timers: () => Iterable<TrueTimer>;
}

/** An event later than this may not overrun yet. */
const AHEAD_MS = 6 * HOUR;
/** The broadcast announces an event this long before and after it. */
const ANNOUNCED_MS = 2 * HOUR;
const EVENT_IDS = 0x8000;

/** The true broadcast and its EIT present/following, if it differs from the orders. */
export class Air {
  readonly overruns: Overrun[] = [];
  readonly #parts: AirParts;

  constructor(parts: AirParts) {
    this.#parts = parts;
  }

  /** Makes one current or coming event overrun, at most to twice its length. */
  runOn({ pick, byMs, announced }: Extract<FaultStep, { readonly kind: "overrun" }>): void {
    const { clock, timers } = this.#parts;
    const now = clock.now();
    const open = [...timers()].filter(
      (timer) =>
        !isOver(timer) &&
        !timer.forget &&
        timer.event.stop > now &&
        timer.event.start < now + AHEAD_MS &&
        this.overrunOf(timer.booking.timerId) === undefined,
    );
    const timer = open[pick % Math.max(1, open.length)];
    if (timer === undefined) return;
    const announcedAt = announced ? now : Number.POSITIVE_INFINITY;
    this.overruns.push({ timer, byMs: Math.min(byMs, lengthMs(timer.event)), announcedAt });
  }

  overrunOf(timerId: string): Overrun | undefined {
    return this.overruns.find(({ timer }) => timer.booking.timerId === timerId);
  }

  /** The events that a capture of the service reads now. */
  eventsOf(service: Triplet): readonly BroadcastEvent[] {
    const now = this.#parts.clock.now();
    const overrun = this.#onAir(service);
    if (overrun === undefined) return [];
    const { timer, byMs, announcedAt } = overrun;
    const { start } = timer.event;
    const told = lengthMs(timer.event) + (now >= announcedAt ? byMs : 0);
    const own = eventOf(service, { eventId: Number(timer.booking.timerId), start, durationMs: told });
    const stop = stopOf(overrun);
    const other = { eventId: EVENT_IDS, start: stop, durationMs: ANNOUNCED_MS };
    if (now < start) {
      const before = { eventId: EVENT_IDS, start: start - ANNOUNCED_MS, durationMs: ANNOUNCED_MS };
      return [eventOf(service, before), { ...own, which: "following" }];
    }
    return now < stop ? [own] : [eventOf(service, other)];
  }

  /** The next change of those events. */
  changesAt(service: Triplet): EpochMs {
    const now = this.#parts.clock.now();
    const overrun = this.#onAir(service);
    if (overrun === undefined) return Number.POSITIVE_INFINITY;
    return Math.min(...[overrun.timer.event.start, stopOf(overrun)].filter((at) => at > now));
  }

  #onAir(service: Triplet): Overrun | undefined {
    const now = this.#parts.clock.now();
    return this.overruns.find((overrun) => {
      const { booking, event } = overrun.timer;
      const isOnAir = now >= event.start - ANNOUNCED_MS && now < stopOf(overrun) + ANNOUNCED_MS;
      const own = CHANNELS.find(({ id }) => id === String(booking.channel))?.triplets[0];
      return isOnAir && own !== undefined && sameTriplet(own, service);
    });
  }
}

/** The true end. */
export function stopOf({ timer, byMs }: Overrun): EpochMs {
  return timer.event.stop + byMs;
}

function eventOf(
  service: Triplet,
  { eventId, start, durationMs }: Pick<BroadcastEvent, "eventId" | "start" | "durationMs">,
): BroadcastEvent {
  const id = eventId === EVENT_IDS ? eventId : eventId % EVENT_IDS;
  return {
    service,
    eventId: id,
    start,
    durationMs,
    title: `Event ${id}`,
    text: "",
    which: "present",
    runningStatus: 4,
  };
}
