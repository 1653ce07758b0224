import type { Wish } from "../../model/plan.ts";
import { multiplexKey, tripletKey } from "../../model/service.ts";
import type { TunerFacts } from "../../model/tuner.ts";

/** Wishes and tuners without functions: as they can be handed to another thread. */
export interface Parcel {
  readonly wishes: readonly Wish[];
  readonly tuners: readonly (Omit<TunerFacts, "servicesAtOnce"> & {
    readonly atOnce: ReadonlyMap<string, number>;
  })[];
}

export function packed(wishes: readonly Wish[], tuners: readonly TunerFacts[]): Parcel {
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

export function unpackedTuners({ tuners }: Parcel): readonly TunerFacts[] {
  return tuners.map(({ atOnce, ...facts }) => ({
    ...facts,
    servicesAtOnce: (multiplex) => atOnce.get(multiplex) ?? 0,
  }));
}
