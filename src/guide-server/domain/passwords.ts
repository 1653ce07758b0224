import { hashPassword, isPassword } from "../../kit/password.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { type Refusal, unavailable } from "../refusal.ts";

/** Hashes passwords, a few at a time: each takes memory and a thread. */
export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  hash(password: string): Promise<string | Refusal> {
    return this.#inTurn(() => hashPassword(password));
  }

  /** With no hash to compare with it takes as long as with one, so that nobody learns whether there is one. */
  matches(password: string, known: string | undefined): Promise<boolean | Refusal> {
    return this.#inTurn(async () => {
      if (known !== undefined) return isPassword(password, known);
      await hashPassword(password);
      return false;
    });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T | Refusal> {
    if (this.#running >= SERVER_LIMITS.passwordsAtOnce) {
      if (this.#waiting.length >= SERVER_LIMITS.passwordsWaiting) {
        return unavailable("Too many logins at once: try again soon.", SERVER_LIMITS.retryAfterMs);
      }
      // Who is woken takes the place of who wakes it: the count stays.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
