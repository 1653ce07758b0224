import type { KnownService } from "./channel-match.ts";
import type { MultiplexKey, Triplet, TripletKey } from "./service.ts";
import type { DurationMs } from "./time.ts";

export type TunerId = string;

/** The plan's view of one tuner: it can hold one multiplex at a time. */
export interface TunerFacts {
  readonly id: TunerId;
  readonly kind: string;
  /** The services it can deliver. `any` where the driver finds out only by asking or tuning. Keys are as in a `ServiceSet`. */
  readonly services: Pick<ReadonlySet<TripletKey>, "has" | "keys"> | "any";
  /** Services that it, its server or its channel list names; a name may be empty. Absent where nothing is listed. */
  readonly offers?: readonly KnownService[];
  /** Multiplexes that it can tune and whose services are unknown (`unknownMultiplex`). Absent: none. */
  readonly unknown?: readonly Triplet[];
  /** How many services of its multiplex it can deliver at once. */
  readonly servicesAtOnce: (multiplex: MultiplexKey) => number;
  /** How long before the start of a window it is opened, so that the first byte of the window is on disk in time. */
  readonly warmUpMs: DurationMs;
  /** Another node of the fleet has it: only recordings use it. */
  readonly isElsewhere?: true;
  /** Only drained nodes of the fleet have it. It delivers no service any more; what runs there moves to another tuner. */
  readonly isDrained?: true;
  /** It does not work: what is given to it is not counted as recorded, and given to it only where no other tuner is free. */
  readonly isDoubtful?: true;
}

/** The reception of one tuner, as its device or server reports it. Fields that it does not report are absent. */
export interface Reception {
  /** Its own name for the tuner. */
  readonly input?: string;
  readonly isLocked?: boolean;
  /** 0 to 100 on the device's own scale, which no two kinds have in common. */
  readonly strengthPercent?: number;
  readonly strengthDbm?: number;
  /** 0 to 100 on the device's own scale. */
  readonly qualityPercent?: number;
  readonly snrDb?: number;
  /** 0 to 100; what is received needs no repair any more at 100. */
  readonly errorFreePercent?: number;
  /** That could not be repaired, since it was tuned. */
  readonly uncorrectedBlocks?: number;
  /** How many take something from it, the recorder among them. */
  readonly users?: number;
}

/** The longest time that one of the tuners takes to tune. */
export function warmUpMost(tuners: readonly Pick<TunerFacts, "warmUpMs">[]): DurationMs {
  return Math.max(0, ...tuners.map(({ warmUpMs }) => warmUpMs));
}

export function canReceive(tuner: TunerFacts, service: TripletKey): boolean {
  return tuner.services === "any" || tuner.services.has(service);
}
