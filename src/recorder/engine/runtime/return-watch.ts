import type { Clock } from "../../../kit/time/clock.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { TunerDriver } from "../../../model/ports.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { TunerId } from "../../../model/tuner.ts";

/**
 * Looks often whether the server of a tuner that was unreachable accepts connections again. A look is cheap; trying the tuner is
 * not, so pauses between tries grow.
 */
export class ReturnWatch {
  readonly #clock: Clock;
  readonly #onBack: (tunerId: TunerId) => Promise<void>;
  /** Until when somebody wants each tuner. */
  readonly #wanted = new Map<TunerId, EpochMs>();

  constructor({
    clock,
    onBack,
  }: {
    readonly clock: Clock;
    /** The server is there again; called once for each time that it was missed. */
    readonly onBack: (tunerId: TunerId) => Promise<void>;
  }) {
    this.#clock = clock;
    this.#onBack = onBack;
  }

  /** Resolves when the server is back, when nobody wants the tuner any more, or at once if this tuner is watched already. */
  async miss(driver: TunerDriver, until: EpochMs, signal: AbortSignal): Promise<void> {
    if (driver.answers === undefined) return;
    const { id } = driver.facts;
    const isLookedFor = this.#wanted.has(id);
    this.#wanted.set(id, Math.max(until, this.#wanted.get(id) ?? 0));
    if (isLookedFor) return;
    let isBack = false;
    while (!isBack && !signal.aborted && this.#clock.now() < (this.#wanted.get(id) ?? 0)) {
      await this.#clock.sleep(LIMITS.serverLookMs, signal).catch(() => {});
      isBack = !signal.aborted && (await driver.answers(signal));
    }
    this.#wanted.delete(id);
    if (isBack) await this.#onBack(id);
  }
}
