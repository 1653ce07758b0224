import type { PlanRequest } from "../../../src/model/plan.ts";
import { tripletKey } from "../../../src/model/service.ts";
import type { TunerFacts } from "../../../src/model/tuner.ts";

/** Chance that is the same for the same seed (mulberry32). */
function chanceOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export interface Instance {
  readonly wishes: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
}

/** At most eight recordings, three tuners, three multiplexes of two services; instants are small integers. */
export function smallInstance(seed: number): Instance {
  const chance = chanceOf(seed);
  const warmUpMs = chance(3);
  const tuners = Array.from({ length: 1 + chance(3) }, (_, at): TunerFacts => {
    const most = [1, 2, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY][chance(4)] ?? 1;
    const services = new Set(SERVICES.filter(() => chance(4) > 0).map(tripletKey));
    return {
      id: `t${at}`,
      kind: "mock",
      services: chance(3) === 0 ? services : "any",
      servicesAtOnce: () => most,
      warmUpMs: chance(3) === 0 ? chance(3) : warmUpMs,
      ...(chance(6) === 0 ? { isDoubtful: true as const } : {}),
    };
  });
  const levels = 1 + chance(3);
  const span = 8 + chance(16);
  const wishes = Array.from({ length: 1 + chance(8) }, (_, at): PlanRequest => {
    const start = 10 + chance(span);
    const stop = start + 1 + chance(8);
    return {
      recordingId: `r${at}`,
      service: SERVICES[chance(SERVICES.length)] as PlanRequest["service"],
      event: { start, stop },
      window: { start: start - chance(3), stop: stop + chance(4) },
      priority: 50 + chance(levels),
      isLate: chance(6) === 0,
      lateMs: chance(4) === 0 ? 0 : 3,
      ...(chance(2) === 0 ? { previousTuner: `t${chance(tuners.length)}` } : {}),
      avoid: chance(8) === 0 ? [`t${chance(tuners.length)}`, `t${chance(tuners.length)}`] : [],
      ...(chance(4) === 0 ? { weak: { [`t${chance(tuners.length)}`]: 1 + chance(3) } } : {}),
    };
  });
  return { wishes: chance(3) === 0 ? running(wishes, tuners, chance) : wishes, tuners };
}

/** A small instance with up to two repeats of each request: some within the same hours, some when nothing else is on. */
export function withRepeats(seed: number): Instance {
  const { wishes, tuners } = smallInstance(seed);
  const chance = chanceOf(seed + 1);
  const repeatAt = (wish: PlanRequest, start: number) => {
    const event = { start, stop: start + wish.event.stop - wish.event.start };
    const service = SERVICES[chance(SERVICES.length)] as PlanRequest["service"];
    const repeat = { showId: `s${start}`, channelId: `${service.sid}`, channelName: "C", service, event };
    return { repeat, window: { start: event.start - chance(3), stop: event.stop + chance(4) } };
  };
  return {
    tuners,
    wishes: wishes.map((wish) => {
      const starts = Array.from({ length: chance(3) }, () => 11 + chance(60)).sort((a, b) => a - b);
      return starts.length === 0 ? wish : { ...wish, repeats: starts.map((at) => repeatAt(wish, at)) };
    }),
  };
}

const SERVICES: readonly PlanRequest["service"][] = Array.from({ length: 6 }, (_, at) => ({
  onid: 1,
  tsid: 1 + Math.floor(at / 2),
  sid: 1 + at,
}));

/** One that runs already, at the beginning of all: nothing could have begun before it. */
function running(
  wishes: readonly PlanRequest[],
  tuners: readonly TunerFacts[],
  chance: (below: number) => number,
): readonly PlanRequest[] {
  const [first, ...others] = wishes;
  if (first === undefined) return wishes;
  const now = 10;
  const stop = now + 1 + chance(8);
  const able = tuners.filter(({ services }) => services === "any" || services.has(tripletKey(first.service)));
  const holds = able[chance(Math.max(1, able.length))]?.id;
  if (holds === undefined) return wishes;
  const { previousTuner: _had, ...rest } = first;
  const event = { start: now, stop };
  return [
    { ...rest, runningOnTuner: holds, event, window: { start: now, stop: stop + chance(4) } },
    ...others,
  ];
}
