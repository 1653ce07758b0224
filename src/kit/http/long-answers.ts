import type { ServerResponse } from "node:http";

/** At once for each payer; browsers and set-top boxes ask for one after the other. */
const AT_ONCE = 2;
/** A further one is refused. */
const WAITING = 50;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Answers that take much memory, each until its client has read it: one payer has few at once, and the others wait. */
export class LongAnswers {
  readonly #lines = new Map<string, Line>();

  /** Waits for a place, which is free again when the response has ended. @returns whether there is one */
  async enter(payer: string, response: ServerResponse): Promise<boolean> {
    const line = this.#lines.get(payer) ?? { running: 0, waiting: [] };
    this.#lines.set(payer, line);
    if (line.running >= AT_ONCE) {
      if (line.waiting.length >= WAITING) return false;
      // A leaving answer gives its place to the next one.
      await new Promise<void>((resolve) => line.waiting.push(resolve));
    } else line.running += 1;
    if (response.destroyed || response.closed) this.#leave(payer, line);
    else response.once("close", () => this.#leave(payer, line));
    return true;
  }

  #leave(payer: string, line: Line): void {
    const next = line.waiting.shift();
    if (next !== undefined) return next();
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(payer);
  }
}
