import type { PlanRequest } from "../../model/plan.ts";
import { multiplexKey, tripletKey } from "../../model/service.ts";
import type { TunerFacts } from "../../model/tuner.ts";

/** Wishes and tuners without functions: as they can be handed to another thread. */
export interface PlanningMessage {
  readonly wishes: readonly PlanRequest[];
  readonly tuners: readonly (Omit<TunerFacts, "servicesAtOnce"> & {
    readonly atOnce: ReadonlyMap<string, number>;
  })[];
}

export function toMessage(wishes: readonly PlanRequest[], tuners: readonly TunerFacts[]): PlanningMessage {
  const asked = [...new Set(wishes.map(({ service }) => tripletKey(service)))];
  const multiplexes = [...new Set(wishes.map(({ service }) => multiplexKey(service)))];
  return {
    wishes,
    tuners: tuners.map(({ id, kind, services, warmUpMs, isDoubtful, servicesAtOnce }) => ({
      id,
      kind,
      services: services === "any" ? services : new Set(asked.filter((one) => services.has(one))),
      warmUpMs,
      ...(isDoubtful === undefined ? {} : { isDoubtful }),
      atOnce: new Map(multiplexes.map((one) => [one, servicesAtOnce(one)])),
    })),
  };
}

export function tunersOf({ tuners }: PlanningMessage): readonly TunerFacts[] {
  return tuners.map(({ atOnce, ...facts }) => ({
    ...facts,
    servicesAtOnce: (multiplex) => atOnce.get(multiplex) ?? 0,
  }));
}
