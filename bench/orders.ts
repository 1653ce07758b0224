import type { PlanRequest } from "../src/model/plan.ts";
import { type Triplet, tripletKey } from "../src/model/service.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../src/model/time.ts";
import type { TunerFacts } from "../src/model/tuner.ts";
import type { Window } from "../src/model/window.ts";
import { chanceOf } from "../src/simulator/weeks/chance.ts";

/** 2026-11-16, a Monday, midnight UTC. */
const MONDAY = Date.UTC(2026, 10, 16);
const LENGTHS = [30, 30, 45, 45, 60, 60, 90, 120] as const;

interface Orders {
  readonly seed: number;
  readonly timers: number;
  readonly days: number;
  readonly multiplexes: number;
}

/** The orders of a household: seven of ten in the evening, at full five minutes, of series with priorities 40, 50 or 60. */
export function ordersOf({ seed, timers, days, multiplexes }: Orders): readonly PlanRequest[] {
  const chance = chanceOf(seed, "orders");
  return Array.from({ length: timers }, (_, index) => {
    const hour = chance.percent(70) ? chance.int(18, 22) : chance.int(0, 23);
    const minute = chance.pick([0, 0, 0, 5, 10, 15, 15, 20, 25, 30, 30, 35, 40, 45, 50, 55]);
    const start = MONDAY + chance.int(0, days - 1) * DAY + hour * HOUR + minute * MINUTE;
    const priority = chance.pick([40, 50, 50, 50, 50, 50, 60]);
    const service = serviceOf(chance.int(1, multiplexes), chance.int(1, 5));
    return wishOf(index, {
      service,
      priority,
      event: { start, stop: start + chance.pick(LENGTHS) * MINUTE },
    });
  });
}

/** So many timers around the clock that each overlaps another one, and on average `atOnce` run at a time. */
export function chainOf({
  seed,
  timers,
  atOnce,
  multiplexes,
}: Omit<Orders, "days"> & { readonly atOnce: number }): readonly PlanRequest[] {
  const chance = chanceOf(seed, "chain");
  const meanMinutes = LENGTHS.reduce((sum, length) => sum + length, 0) / LENGTHS.length;
  const slots = Math.ceil((timers * meanMinutes) / atOnce / 5);
  return Array.from({ length: timers }, (_, index) => {
    const start = MONDAY + chance.int(0, slots) * 5 * MINUTE;
    const event = { start, stop: start + chance.pick(LENGTHS) * MINUTE };
    const service = serviceOf(chance.int(1, multiplexes), chance.int(1, 5));
    return wishOf(index, { service, priority: chance.pick([40, 50, 50, 50, 50, 50, 60]), event });
  }).sort((a, b) => a.window.start - b.window.start);
}

/** How the sixty recordings of a worst evening and its eight tuners are drawn. */
export interface Worst {
  readonly seed: number;
  /** All alike, a few that are shared, or any of a hundred. */
  readonly priorities: "one priority" | "ties" | "distinct";
  /** All receive everything; or four of them the first half of the multiplexes and four the second, with two that both have; or each eight of its own of the twelve. */
  readonly tuners: "alike" | "two kinds" | "all different";
}

/** Sixty recordings in four hours, of half an hour to three hours, on twelve multiplexes. */
export function worstEvening({ seed, priorities, tuners }: Worst): {
  readonly wishes: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
} {
  const chance = chanceOf(seed, `evening ${priorities}`);
  const priority = () => {
    if (priorities === "one priority") return 50;
    return priorities === "ties" ? chance.pick([40, 50, 50, 60]) : chance.int(1, 100);
  };
  const wishes = Array.from({ length: 60 }, (_, index) => {
    const length = chance.int(6, 36) * 5;
    const start = MONDAY + 19 * HOUR + chance.int(0, (240 - length) / 5) * 5 * MINUTE;
    const service = serviceOf(chance.int(1, 12), chance.int(1, 5));
    return wishOf(index, { service, priority: priority(), event: { start, stop: start + length * MINUTE } });
  });
  const all = Array.from({ length: 12 }, (_, index) => index + 1);
  const received = (index: number) => {
    if (tuners === "alike") return all;
    if (tuners === "two kinds") return index < 4 ? all.slice(0, 7) : all.slice(5);
    return chance.shuffled(all).slice(0, 8);
  };
  return {
    wishes,
    tuners: tunersOf(8).map((tuner, index) => {
      const multiplexes = new Set(received(index));
      const own = wishes.filter(({ service }) => multiplexes.has(service.tsid));
      return { ...tuner, services: new Set(own.map(({ service }) => tripletKey(service))) };
    }),
  };
}

/** Tuners that receive as in a worst evening; of several kinds, each receives about two thirds of the multiplexes. */
export function tunersOfKinds(
  kinds: Worst["tuners"],
  {
    wishes,
    tuners,
    seed,
  }: { readonly wishes: readonly PlanRequest[]; readonly tuners: number; readonly seed: number },
): readonly TunerFacts[] {
  const chance = chanceOf(seed, `tuners ${kinds}`);
  const all = [...new Set(wishes.map(({ service }) => service.tsid))].sort((a, b) => a - b);
  const most = Math.ceil((all.length * 2) / 3);
  return tunersOf(tuners).map((tuner, index) => {
    if (kinds === "alike") return tuner;
    const half = index % 2 === 0 ? all.slice(0, most) : all.slice(-most);
    const received = new Set(kinds === "two kinds" ? half : chance.shuffled(all).slice(0, most));
    const own = wishes.filter(({ service }) => received.has(service.tsid));
    return { ...tuner, services: new Set(own.map(({ service }) => tripletKey(service))) };
  });
}

function serviceOf(multiplex: number, number: number): Triplet {
  return { onid: 0x1010, tsid: multiplex, sid: 10 * multiplex + number };
}

function wishOf(
  index: number,
  {
    service,
    priority,
    event,
  }: {
    readonly service: Triplet;
    readonly priority: number;
    readonly event: Window;
  },
): PlanRequest {
  return {
    recordingId: `r${String(index + 1).padStart(6, "0")}`,
    service,
    event,
    window: { start: event.start - MINUTE, stop: event.stop + 3 * MINUTE },
    priority,
    isLate: false,
    lateMs: 0.02 * (event.stop - event.start),
    avoid: [],
  };
}

export function tunersOf(count: number): readonly TunerFacts[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `tuner-${index + 1}`,
    kind: "mock",
    services: "any",
    servicesAtOnce: () => Number.POSITIVE_INFINITY,
    warmUpMs: 2 * SECOND,
  }));
}

/** A quarter of an hour later. */
export function later({ start, stop }: Window): Window {
  return { start: start + 15 * MINUTE, stop: stop + 15 * MINUTE };
}
