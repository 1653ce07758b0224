import { hashInTurn, isPassword } from "../../kit/http/password.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { type Refusal, unavailable } from "../refusal.ts";

export async function passwordHash(password: string): Promise<string | Refusal> {
  const hash = await hashInTurn(password);
  return hash === "busy" ? busy() : hash;
}

/** Takes as long without a stored hash as with one, so that timing does not reveal which users exist. */
export async function passwordMatches(
  password: string,
  known: string | undefined,
): Promise<boolean | Refusal> {
  const matches = await isPassword(password, known);
  return matches === "busy" ? busy() : matches;
}

function busy(): Refusal {
  return unavailable("Too many logins at once: try again soon.", SERVER_LIMITS.retryAfterMs);
}
