import { yieldToLoop } from "../kit/time/clock.ts";
import type { Parts } from "./parts.ts";

/** The cost of a turn; a unit is about a microsecond of a slow machine. */
const TURN = 12_000;

/** The cost of an expansion for each show, as measured. */
export const EXPANSION_COST = 4;

/** Shares the loop with other work: long work spends its cost, and pauses when a turn is used up. */
export class LoopShare {
  #left = TURN;

  async spend(cost: number): Promise<void> {
    if (this.isTurnOver(cost)) await this.pause();
  }

  /** Spends without a promise, which costs more than small work: pause if it says so. */
  isTurnOver(cost: number): boolean {
    this.#left -= cost;
    return this.#left <= 0;
  }

  async pause(): Promise<void> {
    this.#left = TURN;
    await yieldToLoop();
  }

  /** Runs work in parts, with pauses between them. */
  async run<T>(parts: Parts<T>, costOfShow: number): Promise<T> {
    for (;;) {
      const { done, value } = parts.next();
      if (done === true) return value;
      if (this.isTurnOver(value * costOfShow)) await this.pause();
    }
  }
}
