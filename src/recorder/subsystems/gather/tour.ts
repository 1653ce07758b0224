import assert from "node:assert/strict";
import type { Log } from "../../../kit/log.ts";
import { backOffMs } from "../../../kit/time/back-off.ts";
import { type Chance, type Clock, waitWithin } from "../../../kit/time/clock.ts";
import { type ErrorCode, RecorderdError } from "../../../model/errors.ts";
import {
  isUnknownMultiplex,
  type MultiplexKey,
  multiplexKey,
  sameTriplet,
  type Triplet,
  type TripletKey,
  tripletKey,
} from "../../../model/service.ts";
import type { DurationMs } from "../../../model/time.ts";
import type { TunerFacts } from "../../../model/tuner.ts";
import type { GATHER_LIMITS } from "./limits.ts";

/** Codes of tuners that receive nothing. */
const NOTHING_THERE: ReadonlySet<ErrorCode> = new Set([
  "TUNER_NO_LOCK",
  "TUNER_SERVICE_UNKNOWN",
  "STREAM_NO_DATA",
]);

export type TourLimits = Pick<
  Readonly<Record<keyof typeof GATHER_LIMITS, number>>,
  "idleLookMs" | "idleAgainMs" | "idleBusyMs" | "idleFailedMs" | "idleBackOffMsMax"
>;

export interface TourParts {
  /** Whether gathered data is wanted now. */
  readonly isWanted: () => boolean;
  /** Services of the guide's channels, and others that need more data. */
  readonly services: () => readonly Triplet[];
  readonly tuners: () => readonly TunerFacts[];
  /**
   * Tunes an idle tuner to a service and listens until all of its data has come.
   *
   * @returns the services with data
   * @throws RecorderdError TUNER_BUSY when no tuner is idle, or it was needed meanwhile, TUNER_IN_USE when another program has it; others on failure
   */
  readonly listen: (service: Triplet, signal: AbortSignal) => Promise<ReadonlySet<TripletKey>>;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly limits: TourLimits;
}

/** A multiplex with channels of the guide. */
interface TourStop {
  readonly multiplex: MultiplexKey;
  /** The remaining services of this round. */
  readonly left: readonly Triplet[];
  /** On the monotonic clock. */
  readonly dueMs: DurationMs;
}

/** The result of listening: the remaining services of the multiplex, its next due time, and a pause for all. */
interface Outcome extends Pick<TourStop, "left"> {
  readonly againMs: DurationMs;
  readonly pauseMs: DurationMs;
}

/**
 * Listens with idle tuners to each multiplex of the guide's channels in turn, and to each again after some hours.
 */
export class Tour {
  readonly #parts: TourParts;
  #stops: ReadonlyMap<MultiplexKey, TourStop> = new Map();
  /** Failures in a row. */
  #failures = 0;

  constructor(parts: TourParts) {
    this.#parts = parts;
  }

  /** Runs until the signal is aborted. Never rejects for failures of tuners. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, isWanted, limits } = this.#parts;
    for (let pauseMs: DurationMs = limits.idleLookMs; !signal.aborted; ) {
      await waitWithin(signal, (over) => clock.sleep(pauseMs, over).catch(() => {}));
      if (!signal.aborted) pauseMs = isWanted() ? await this.#goOn(signal) : limits.idleLookMs;
    }
  }

  /** @returns the pause before the next turn */
  async #goOn(signal: AbortSignal): Promise<DurationMs> {
    const { clock, services, tuners, limits } = this.#parts;
    this.#stops = stopsOf(services(), tuners(), this.#stops);
    const [next] = [...this.#stops.values()].sort((a, b) => a.dueMs - b.dueMs);
    if (next === undefined || next.dueMs > clock.monotonicMs()) return limits.idleLookMs;
    const { left, againMs, pauseMs } = await this.#visit(next, signal);
    const dueMs = clock.monotonicMs() + againMs;
    this.#stops = new Map([...this.#stops, [next.multiplex, { ...next, left, dueMs }]]);
    return pauseMs;
  }

  async #visit({ multiplex, left: [service, ...rest] }: TourStop, signal: AbortSignal): Promise<Outcome> {
    const { listen, chance, log, limits } = this.#parts;
    const { idleLookMs, idleAgainMs, idleBackOffMsMax: maxMs } = limits;
    assert(service !== undefined, "a round of no services does not begin");
    try {
      const told = await listen(service, signal);
      this.#failures = 0;
      log.debug("EIT data was read on an idle tuner", { multiplex, services: told.size });
      // A whole multiplex has data of all its services, a single service of itself; a silent one is skipped in this
      // round.
      const left = rest.filter((each) => !told.has(tripletKey(each)));
      return { left, againMs: told.size > 0 && left.length > 0 ? 0 : idleAgainMs, pauseMs: 0 };
    } catch (error) {
      if (signal.aborted) return { left: [service, ...rest], againMs: 0, pauseMs: 0 };
      if (!(error instanceof RecorderdError)) throw error;
      const { code, message: text } = error;
      if (code === "TUNER_BUSY" || code === "TUNER_IN_USE")
        return { left: [service, ...rest], againMs: limits.idleBusyMs, pauseMs: idleLookMs };
      // Most entries in a list of frequencies are empty.
      if (isUnknownMultiplex(service) && NOTHING_THERE.has(code))
        return { left: rest, againMs: idleAgainMs, pauseMs: 0 };
      this.#failures += 1;
      const facts = { service: tripletKey(service), code, text };
      log.info("EIT data could not be read on an idle tuner", facts);
      const pauseMs = backOffMs({ failures: this.#failures, firstMs: idleLookMs, maxMs }, chance);
      return { left: rest, againMs: limits.idleFailedMs, pauseMs };
    }
  }
}

/** The received services by multiplex; new ones are due at once. */
function stopsOf(
  services: readonly Triplet[],
  tuners: readonly TunerFacts[],
  before: ReadonlyMap<MultiplexKey, TourStop>,
): ReadonlyMap<MultiplexKey, TourStop> {
  const isReceived = (service: Triplet) =>
    tuners.some(({ services }) => services !== "any" && services.has(tripletKey(service)));
  const found = new Map<MultiplexKey, Triplet[]>();
  for (const service of services.filter(isReceived)) {
    const multiplex = multiplexKey(service);
    found.set(multiplex, [...(found.get(multiplex) ?? []), service]);
  }
  return new Map(
    [...found].map(([multiplex, own]) => {
      const known = before.get(multiplex);
      const left = known?.left.filter((one) => own.some((each) => sameTriplet(each, one))) ?? [];
      const dueMs = known?.dueMs ?? Number.NEGATIVE_INFINITY;
      return [multiplex, { multiplex, left: left.length === 0 ? own : left, dueMs }];
    }),
  );
}
