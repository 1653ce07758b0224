import { yieldToLoop } from "../../kit/time/clock.ts";

/** The cost of a turn; a unit is about a microsecond of a slow machine. */
const TURN = 12_000;

/** Shares the loop with other work: long work spends its cost, and pauses when a turn is used up. */
export class LoopShare {
  #left = TURN;

  async spend(cost: number): Promise<void> {
    this.#left -= cost;
    if (this.#left > 0) return;
    this.#left = TURN;
    await yieldToLoop();
  }
}
