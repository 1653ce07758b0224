import { silentLog } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import { type Channel, type Triplet, tripletKey } from "../../model/service.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import type { LeaseDesk } from "../../recorder/engine/runtime/lease-desk.ts";
import { GATHER_LIMITS } from "../../recorder/subsystems/gather/limits.ts";
import { Tour } from "../../recorder/subsystems/gather/tour.ts";

export interface GatheringParts {
  readonly desk: LeaseDesk;
  readonly channels: () => readonly Channel[];
  readonly tuners: readonly TunerFacts[];
  readonly clock: Clock;
  readonly onListened: (service: Triplet) => void;
}

/** A tuner that can receive every service. */
const ALL = { has: () => true, keys: () => new Set<string>().keys() };

/**
 * Simulates the gathering of EPG data on idle tuners, as far as it affects others: a tuner is leased for a minute, and released
 * on request.
 */
export function idleTunerTour({ desk, channels, tuners, clock, onListened }: GatheringParts): Tour {
  return new Tour({
    isWanted: () => true,
    services: () => channels().flatMap(({ triplets }) => triplets),
    tuners: () => tuners.map((facts) => (facts.services === "any" ? { ...facts, services: ALL } : facts)),
    listen: async (service, signal) => {
      const forMs = MODEL_LIMITS.tuneMs + GATHER_LIMITS.idleListenMs;
      await using lease = await desk.take({ use: "gathering", service, forMs }, signal);
      await clock.sleep(GATHER_LIMITS.idleListenMs, AbortSignal.any([signal, lease.ended]));
      onListened(service);
      return new Set([tripletKey(service)]);
    },
    clock,
    chance: () => 0.5,
    log: silentLog,
    limits: GATHER_LIMITS,
  });
}
