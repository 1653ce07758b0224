import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import type { KnownService } from "../../../model/channel-match.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { TunerDriver } from "../../../model/ports.ts";
import type { Triplet } from "../../../model/service.ts";
import type { TunerFacts, TunerId } from "../../../model/tuner.ts";
import { RUNTIME_LIMITS } from "./limits.ts";

/** A tuner of the plan. */
export interface PoolTuner {
  readonly driver: TunerDriver;
  /** The same tuner, opened on this machine; absent: only another node of the fleet has it. */
  readonly here?: TunerDriver;
}

/** Makes the tuners of the plan from those of this recorder. */
export type Arrange = (own: readonly TunerDriver[]) => readonly PoolTuner[];

const ownAlone: Arrange = (own) => own.map((driver) => ({ driver, here: driver }));

/** All tuners. A server that was away at the start adds its tuners when it answers. */
export class TunerPool {
  readonly #arrange: Arrange;
  readonly #own: TunerDriver[];
  readonly #drivers = new Map<TunerId, TunerDriver>();
  readonly #here = new Map<TunerId, TunerDriver>();
  /** Drivers whose server has not listed its tuners yet. */
  readonly #late: Set<TunerDriver>;
  #facts: readonly TunerFacts[] = [];

  constructor(drivers: readonly TunerDriver[], arrange = ownAlone) {
    this.#arrange = arrange;
    this.#own = [...drivers];
    this.#late = new Set(drivers.filter(({ askAgain }) => askAgain !== undefined));
    this.rearrange();
  }

  /** The tuners of other nodes have changed. */
  rearrange(): void {
    this.#drivers.clear();
    const all = this.#arrange(this.#own);
    for (const { driver, here } of all) {
      this.#drivers.set(driver.facts.id, driver);
      if (here !== undefined) this.#here.set(driver.facts.id, here);
    }
    this.#facts = all.map(({ driver }) => driver.facts);
  }

  get drivers(): ReadonlyMap<TunerId, TunerDriver> {
    return this.#drivers;
  }

  /** Tuners that this machine can open. */
  get here(): ReadonlyMap<TunerId, TunerDriver> {
    return this.#here;
  }

  /** In the order of the configuration; the same array while nothing changes. */
  get facts(): readonly TunerFacts[] {
    return this.#facts;
  }

  /**
   * Stores the services that a tuner received while it was open for `heard`. @returns whether it receives more than
   * was known
   */
  async learn(
    tunerId: TunerId,
    { heard, services }: { readonly heard: Triplet; readonly services: readonly KnownService[] },
  ): Promise<boolean> {
    const isNews = (await this.#drivers.get(tunerId)?.learn?.(heard, services)) ?? false;
    if (isNews) this.rearrange();
    return isNews;
  }

  /** Reads servers and lists again: they may name more services by now. An unreadable one stays as it was. */
  async lookAgain(log: Log, signal: AbortSignal): Promise<void> {
    const look = async (driver: TunerDriver) => {
      try {
        return (await driver.lookAgain?.(signal)) ?? false;
      } catch (error) {
        if (signal.aborted) return false;
        if (!(error instanceof RecorderdError)) throw error;
        const { code, message: text } = error;
        log.info("the list of services of a tuner cannot be refreshed", {
          tunerId: driver.facts.id,
          code,
          text,
        });
        return false;
      }
    };
    const drivers = [...this.#own];
    const news = await Promise.all(drivers.map(look));
    if (!news.includes(true)) return;
    this.rearrange();
    const changed = drivers.filter((_, at) => news[at]).map(({ facts }) => facts.id);
    log.info("the services of tuners have changed", { tunerIds: changed.join(", ") });
  }

  /**
   * Asks the missing servers until all have listed their tuners, and calls `onMore` after each answer. A server that
   * comes back is asked at once; one that is reachable and silent is asked again after growing pauses.
   */
  async run(
    {
      clock,
      log,
      onMore,
    }: { readonly clock: Clock; readonly log: Log; readonly onMore: () => Promise<void> },
    signal: AbortSignal,
  ): Promise<void> {
    const ask = async (driver: TunerDriver) => {
      let wasAway = driver.answers !== undefined;
      for (let pauseMs: number = RUNTIME_LIMITS.askAgainMsMin; !signal.aborted; wasAway = false) {
        if (await waitFor(driver, { clock, signal, pauseMs, wasAway }))
          pauseMs = RUNTIME_LIMITS.askAgainMsMin;
        else pauseMs = Math.min(RUNTIME_LIMITS.askAgainMsMax, 2 * pauseMs);
        const more = signal.aborted ? undefined : await driver.askAgain?.(signal);
        if (more === undefined || signal.aborted) continue;
        this.#late.delete(driver);
        this.#add(driver, more);
        log.info("a tuner's server answers now", { tunerId: driver.facts.id, count: 1 + more.length });
        await onMore();
        return;
      }
    };
    await Promise.all(Array.from(this.#late, ask));
  }

  #add(driver: TunerDriver, more: readonly TunerDriver[]): void {
    this.#own.splice(this.#own.indexOf(driver) + 1, 0, ...more);
    this.rearrange();
  }
}

/**
 * Waits for the pause. @returns true, before its end, if the server was unreachable before or meanwhile and is back
 */
async function waitFor(
  driver: TunerDriver,
  {
    clock,
    signal,
    pauseMs,
    wasAway: wasAwayBefore,
  }: {
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly pauseMs: number;
    readonly wasAway: boolean;
  },
): Promise<boolean> {
  const { answers } = driver;
  if (answers === undefined) {
    await clock.sleep(pauseMs, signal).catch(() => {});
    return false;
  }
  const until = clock.monotonicMs() + pauseMs;
  let wasAway = wasAwayBefore;
  while (!signal.aborted && (wasAway || clock.monotonicMs() < until)) {
    await clock.sleep(RUNTIME_LIMITS.serverLookMs, signal).catch(() => {});
    const isThere = !signal.aborted && (await answers(signal));
    if (isThere && wasAway) return true;
    wasAway = !isThere;
  }
  return false;
}
