import type { MultiplexKey, TripletKey } from "./service.ts";
import type { DurationMs } from "./time.ts";

export type TunerId = string;

/** What the plan needs to know of one tuner: one thing that can hold one multiplex at a time. */
export interface TunerFacts {
  readonly id: TunerId;
  readonly kind: string;
  /** The services it can deliver. `any` where the driver finds out only by asking or tuning. */
  readonly services: Pick<ReadonlySet<TripletKey>, "has"> | "any";
  /** How many services of its multiplex it can deliver at once. */
  readonly servicesAtOnce: (multiplex: MultiplexKey) => number;
  /** How long before the start of a window it is opened, so that the first byte of the window is on disk in time. */
  readonly warmUpMs: DurationMs;
  /** It does not work: what is given to it is not counted as recorded, and given to it only where no other tuner is free. */
  readonly isDoubtful?: true;
}

export function canReceive(tuner: TunerFacts, service: TripletKey): boolean {
  return tuner.services === "any" || tuner.services.has(service);
}
