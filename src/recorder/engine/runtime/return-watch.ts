import type { Clock } from "../../../kit/time/clock.ts";
import type { TunerDriver } from "../../../model/ports.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { TunerId } from "../../../model/tuner.ts";
import { RUNTIME_LIMITS } from "./limits.ts";

/**
 * Checks often whether the server of an unreachable tuner accepts connections again. A check is cheap; an attempt on
 * the tuner is not, so pauses between attempts grow.
 */
export class ReturnWatch {
  readonly #clock: Clock;
  readonly #onBack: (tunerId: TunerId) => Promise<void>;
  /** The end of the last window that needs each tuner. */
  readonly #wanted = new Map<TunerId, EpochMs>();

  constructor({
    clock,
    onBack,
  }: {
    readonly clock: Clock;
    /** Called once for each return of the server. */
    readonly onBack: (tunerId: TunerId) => Promise<void>;
  }) {
    this.#clock = clock;
    this.#onBack = onBack;
  }

  /**
   * Resolves when the server is back, when no window needs the tuner any more, or at once if this tuner is watched
   * already.
   */
  async waitForReturn(driver: TunerDriver, until: EpochMs, signal: AbortSignal): Promise<void> {
    if (driver.answers === undefined) return;
    const { id } = driver.facts;
    const isLookedFor = this.#wanted.has(id);
    this.#wanted.set(id, Math.max(until, this.#wanted.get(id) ?? 0));
    if (isLookedFor) return;
    let isBack = false;
    while (!isBack && !signal.aborted && this.#clock.now() < (this.#wanted.get(id) ?? 0)) {
      await this.#clock.sleep(RUNTIME_LIMITS.serverLookMs, signal).catch(() => {});
      isBack = !signal.aborted && (await driver.answers(signal));
    }
    this.#wanted.delete(id);
    if (isBack) await this.#onBack(id);
  }
}
