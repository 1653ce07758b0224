import { hashInTurn, isPassword } from "../../kit/http/password.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { type Refusal, unavailable } from "../refusal.ts";

/** The passwords of a guide server's users. */
export class Passwords {
  readonly #cost: number | undefined;

  /** @param cost the N of scrypt; absent: that of `hashPassword` */
  constructor(cost: number | undefined) {
    this.#cost = cost;
  }

  async hash(password: string): Promise<string | Refusal> {
    const hash = await hashInTurn(password, this.#cost);
    return hash === "busy" ? busy() : hash;
  }

  /** Takes as long without a stored hash as with one, so that timing does not reveal which users exist. */
  async matches(password: string, known: string | undefined): Promise<boolean | Refusal> {
    const matches = await isPassword(password, known, this.#cost);
    return matches === "busy" ? busy() : matches;
  }
}

function busy(): Refusal {
  return unavailable("Too many logins at once: try again soon.", SERVER_LIMITS.retryAfterMs);
}
