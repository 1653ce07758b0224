import { type Clock, systemClock, yieldToLoop } from "../kit/time/clock.ts";
import type { Steps } from "../model/steps.ts";
import type { DurationMs } from "../model/time.ts";

/** Other work waits for so long, and for the step that is under way then. */
const TURN_MS: DurationMs = 8;

/** Steps between two looks at the clock, which costs more than a step. */
const STEPS_A_LOOK = 16;

/** Shares the loop with other work: long work pauses between its steps when its turn is over. */
export class LoopShare {
  readonly #clock: Pick<Clock, "monotonicMs">;
  #sinceMs: DurationMs;

  constructor(clock: Pick<Clock, "monotonicMs"> = systemClock()) {
    this.#clock = clock;
    this.#sinceMs = clock.monotonicMs();
  }

  /** Asks without a promise, which costs more than a small step: pause if it says so. */
  get isTurnOver(): boolean {
    return this.#clock.monotonicMs() - this.#sinceMs >= TURN_MS;
  }

  async pause(): Promise<void> {
    await yieldToLoop();
    this.#sinceMs = this.#clock.monotonicMs();
  }

  /** Pauses if the turn is over. */
  async rest(): Promise<void> {
    if (this.isTurnOver) await this.pause();
  }

  /** Runs work to its end, with pauses between its steps. */
  async run<T>(steps: Steps<T>): Promise<T> {
    for (let count = 1; ; count += 1) {
      const { done, value } = steps.next();
      if (done === true) return value;
      if (count % STEPS_A_LOOK === 0 && this.isTurnOver) await this.pause();
    }
  }
}
