import type { PlanRequest } from "../../model/plan.ts";
import { multiplexKey, tripletKey } from "../../model/service.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import type { ChainLink } from "./solve-group.ts";

/** Plan requests and tuners without functions, for transfer to another thread. */
export interface PlanningMessage {
  readonly requests: readonly PlanRequest[];
  readonly tuners: readonly (Omit<TunerFacts, "servicesAtOnce"> & {
    readonly atOnce: ReadonlyMap<string, number>;
  })[];
  readonly links?: readonly ChainLink[];
}

export function toMessage(
  requests: readonly PlanRequest[],
  tuners: readonly TunerFacts[],
  links?: readonly ChainLink[],
): PlanningMessage {
  const serviceKeys = [...new Set(requests.map(({ service }) => tripletKey(service)))];
  const multiplexes = [...new Set(requests.map(({ service }) => multiplexKey(service)))];
  return {
    requests,
    ...(links === undefined ? {} : { links }),
    tuners: tuners.map(({ id, kind, services, warmUpMs, isDoubtful, servicesAtOnce }) => ({
      id,
      kind,
      services: services === "any" ? services : new Set(serviceKeys.filter((one) => services.has(one))),
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
