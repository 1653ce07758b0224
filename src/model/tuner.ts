import type { KnownService } from "./channel-match.ts";
import type { MultiplexKey, Triplet, TripletKey } from "./service.ts";
import type { DurationMs } from "./time.ts";

export type TunerId = string;

/** The plan's view of one tuner: it can hold one multiplex at a time. */
export interface TunerFacts {
  readonly id: TunerId;
  readonly kind: string;
  /** The services it can deliver. `any` if the driver finds out only by asking or tuning. Keys are as in a `ServiceSet`. */
  readonly services: Pick<ReadonlySet<TripletKey>, "has" | "keys"> | "any";
  /** Services that it, its server or its channel list names; a name may be empty. Absent if nothing is listed. */
  readonly offers?: readonly KnownService[];
  /** Multiplexes that it can tune and whose services are unknown (`unknownMultiplex`). Absent: none. */
  readonly unknown?: readonly Triplet[];
  /** How many services of its multiplex it can deliver at once. */
  readonly servicesAtOnce: (multiplex: MultiplexKey) => number;
  /** The time before a window's start at which it is opened, so that the first byte of the window is on disk in time. */
  readonly warmUpMs: DurationMs;
  /** Another node of the fleet has it: only recordings use it. */
  readonly isElsewhere?: true;
  /** Only drained nodes of the fleet have it. It delivers nothing new; running captures move to other tuners. */
  readonly isDrained?: true;
  /** Its services come from several servers: one that is away says nothing about the others. */
  readonly hasSeveralServers?: true;
  /** It does not work: recordings get it only if no other tuner is free, and do not count as recorded. */
  readonly isDoubtful?: true;
}

/** The reception of one tuner, as its device or server reports it. Fields that it does not report are absent. */
export interface Reception {
  /** Its own name for the tuner. */
  readonly input?: string;
  readonly isLocked?: boolean;
  /** 0 to 100 on the device's own scale: not comparable between kinds. */
  readonly strengthPercent?: number;
  readonly strengthDbm?: number;
  /** 0 to 100 on the device's own scale. */
  readonly qualityPercent?: number;
  readonly snrDb?: number;
  /** 0 to 100; 100: nothing needs correction. */
  readonly errorFreePercent?: number;
  /** Uncorrectable blocks since it was tuned. */
  readonly uncorrectedBlocks?: number;
  /** The number of its users, including the recorder. */
  readonly users?: number;
}

/** The longest tuning time of these tuners. */
export function warmUpMost(tuners: readonly Pick<TunerFacts, "warmUpMs">[]): DurationMs {
  return Math.max(0, ...tuners.map(({ warmUpMs }) => warmUpMs));
}

export function canReceive(tuner: TunerFacts, service: TripletKey): boolean {
  return tuner.services === "any" || tuner.services.has(service);
}
