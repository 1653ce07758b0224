import { multiplexKey, parseTriplet } from "../../model/service.ts";
import { ServiceSet } from "../../model/service-set.ts";
import type { TunerFacts, TunerId } from "../../model/tuner.ts";

/** The facts of a tuner as JSON, for the leader. */
export interface TunerOffer extends Omit<TunerFacts, "services" | "servicesAtOnce"> {
  /** Equal on all nodes that reach the same tuner; absent: only this node has it. */
  readonly share?: string;
  readonly services: readonly string[] | "any";
  /** How many services it delivers at once, by multiplex; no entry: no limit. */
  readonly atOnce: Readonly<Record<string, number>>;
  /** The same for all other multiplexes; absent: no limit. */
  readonly atOnceElse?: number;
}

/** No broadcaster's multiplex. */
const ANY_MULTIPLEX = "0/0";

export function offerOf(facts: TunerFacts, share: string | undefined): TunerOffer {
  const { services, servicesAtOnce, ...rest } = facts;
  const keys = services === "any" ? [] : [...services.keys()];
  const multiplexes = new Set(keys.flatMap((key) => multiplexOf(key)));
  const otherwise = servicesAtOnce(ANY_MULTIPLEX);
  const limited = [...multiplexes]
    .map((multiplex) => [multiplex, servicesAtOnce(multiplex)] as const)
    .filter(([, count]) => Number.isFinite(count) && count !== otherwise);
  return {
    ...rest,
    ...(share === undefined ? {} : { share }),
    services: services === "any" ? "any" : keys,
    atOnce: Object.fromEntries(limited),
    ...(Number.isFinite(otherwise) ? { atOnceElse: otherwise } : {}),
  };
}

function multiplexOf(key: string): readonly string[] {
  const triplet = parseTriplet(key);
  return triplet === undefined ? [] : [multiplexKey(triplet)];
}

export function factsOf(offer: TunerOffer, id: TunerId): TunerFacts {
  const { share: _share, services, atOnce, atOnceElse = Number.POSITIVE_INFINITY, ...rest } = offer;
  const limits = new Map(Object.entries(atOnce));
  return {
    ...rest,
    id,
    services: services === "any" ? "any" : new ServiceSet(services),
    servicesAtOnce: (multiplex) => limits.get(multiplex) ?? atOnceElse,
  };
}
