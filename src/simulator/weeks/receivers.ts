import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { TunerDriver, TunerSession } from "../../model/ports.ts";
import { multiplexKey, type Triplet } from "../../model/service.ts";
import { type EpochMs, SECOND } from "../../model/time.ts";
import type { TunerFacts, TunerId } from "../../model/tuner.ts";
import type { ChanceNow } from "./chance.ts";
import type { FaultStep } from "./script.ts";

/** One service that a tuner delivers, from request to release. */
export interface Use {
  readonly id: number;
  readonly tunerId: TunerId;
  readonly multiplex: string;
  readonly from: EpochMs;
  to?: EpochMs;
  /** A capture reads from it, even after the daemon is gone. */
  read: boolean;
  /** The number of the daemon run that opened it. */
  readonly life: number;
}

export interface ReceiverWatch {
  tuning(tuner: TunerFacts, service: Triplet): void;
  /** A tuner is asked for more than it can deliver. */
  overloaded(tunerId: TunerId, text: string): void;
}

type Trouble = Extract<FaultStep, { readonly kind: "tuner-trouble" | "no-data" }>;

interface ReceiverParts {
  readonly tuners: readonly TunerFacts[];
  readonly clock: Clock;
  readonly chance: ChanceNow;
  readonly watch: ReceiverWatch;
}

/** The physical tuners with their occupancy and faults. They outlive the daemon. */
export class Receivers {
  readonly uses: Use[] = [];
  /** Past and present faults by tuner, with their start. */
  readonly troubles: (Trouble & { readonly from: EpochMs; readonly tunerId: TunerId })[] = [];
  readonly #parts: ReceiverParts;
  /** Ended runs of the daemon. */
  readonly #gone = new Set<number>();

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
  }

  trouble(action: Trouble): void {
    const { tuners, clock } = this.#parts;
    const tunerId = tuners[action.tuner % tuners.length]?.id ?? "";
    this.troubles.push({ ...action, from: clock.now(), tunerId });
  }

  held(): readonly Use[] {
    return this.uses.filter(({ to }) => to === undefined);
  }

  release(id: number): void {
    const use = this.uses[id];
    if (use !== undefined && use.to === undefined) use.to = this.#parts.clock.now();
  }

  /** The daemon is gone: its tuners become free, at once or when the capture that reads from them ends. */
  abandon(life: number): void {
    this.#gone.add(life);
    for (const use of this.held()) if (use.life === life && !use.read) this.release(use.id);
  }

  /** The reading capture has ended. A live daemon disposes of the session itself. */
  readNoMore(id: number): void {
    const use = this.uses[id];
    if (use === undefined) return;
    use.read = false;
    if (this.#gone.has(use.life)) this.release(id);
  }

  deliversData(tunerId: TunerId): boolean {
    return this.#now(tunerId, "no-data") === undefined;
  }

  drivers(life: number): readonly TunerDriver[] {
    return this.#parts.tuners.map((facts) => ({
      facts,
      open: (service, signal) => this.#open(facts, { service, life, signal }),
      async [Symbol.asyncDispose]() {},
    }));
  }

  async #open(
    facts: TunerFacts,
    {
      service,
      life,
      signal,
    }: { readonly service: Triplet; readonly life: number; readonly signal: AbortSignal },
  ): Promise<TunerSession> {
    const { clock, chance, watch } = this.#parts;
    const { id: tunerId } = facts;
    const multiplex = multiplexKey(service);
    watch.tuning(facts, service);
    const holders = this.held().filter((use) => use.tunerId === tunerId);
    const other = holders.find((use) => use.multiplex !== multiplex);
    if (other !== undefined)
      watch.overloaded(tunerId, `${tunerId} was tuned to ${multiplex} while it held ${other.multiplex}`);
    if (holders.length >= facts.servicesAtOnce(multiplex)) {
      watch.overloaded(tunerId, `${tunerId} had to deliver more than ${holders.length} services`);
    }
    const use: Use = { id: this.uses.length, tunerId, multiplex, from: clock.now(), read: false, life };
    this.uses.push(use);
    try {
      await clock.sleep(chance(`tuning ${tunerId}`).int(200, 1500), signal);
      const trouble = this.#now(tunerId, "tuner-trouble");
      if (trouble?.kind === "tuner-trouble") {
        if (trouble.code === "TUNER_NO_LOCK") await clock.sleep(60 * SECOND, signal);
        throw new RecorderdError(trouble.code, `${tunerId} is out of order.`, { tunerId });
      }
    } catch (error) {
      this.release(use.id);
      throw error;
    }
    return {
      source: { url: `sim://${tunerId}/${use.id}`, programme: "single" },
      explain: async () =>
        this.deliversData(tunerId)
          ? undefined
          : new RecorderdError("STREAM_NO_DATA", `Nothing comes from ${tunerId}.`, { tunerId }),
      [Symbol.asyncDispose]: async () => this.release(use.id),
    };
  }

  #now(tunerId: TunerId, kind: Trouble["kind"]): Trouble | undefined {
    const now = this.#parts.clock.now();
    return this.troubles.find((each) => each.kind === kind && each.tunerId === tunerId && now < each.until);
  }
}
