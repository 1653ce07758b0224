import type { Clock } from "../../../kit/time/clock.ts";
import type { TunerId } from "../../../model/tuner.ts";
import { RUNTIME_LIMITS } from "./limits.ts";

/** The ends of earlier uses of tuners, for those who open them next. Nobody waits longer than `RUNTIME_LIMITS.evictMs`. */
export class TunerReleases {
  readonly #clock: Clock;
  readonly #ofTuner = new Map<TunerId, Set<Promise<void>>>();
  /** Uses of an unknown tuner: all tuners wait for them. */
  readonly #ofAny = new Set<Promise<void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param gone must not reject */
  expect(gone: Promise<void>, tunerId?: TunerId): void {
    const ends = tunerId === undefined ? this.#ofAny : (this.#ofTuner.get(tunerId) ?? new Set());
    if (tunerId !== undefined) this.#ofTuner.set(tunerId, ends);
    const end = this.#patiently(gone).finally(() => {
      ends.delete(end);
      if (tunerId !== undefined && ends.size === 0) this.#ofTuner.delete(tunerId);
    });
    ends.add(end);
  }

  /** Resolves when the earlier uses of a tuner have ended, or their time is up. */
  async wait(tunerId: TunerId): Promise<void> {
    await Promise.all([...this.#ofAny, ...(this.#ofTuner.get(tunerId) ?? [])]);
  }

  async #patiently(gone: Promise<void>): Promise<void> {
    const over = new AbortController();
    const timeUp = this.#clock.sleep(RUNTIME_LIMITS.evictMs, over.signal).catch(() => {});
    await Promise.race([gone, timeUp]);
    over.abort();
  }
}
