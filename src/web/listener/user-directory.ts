import { createHash } from "node:crypto";
import { isPassword } from "../../kit/http/password.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { LIMITS } from "../../model/limits.ts";
import type { EpochMs } from "../../model/time.ts";

/** Who may come in, as it is now. */
export interface UserDirectory {
  /** Whether there is anybody at all. */
  readonly canSignIn: boolean;
  /** Takes as long for a name that is not known. @returns `busy` where too many wait to be told */
  isRight(user: string, password: string): Promise<boolean | "busy">;
  /** What changes with somebody's password; absent where there is nobody of that name. */
  hashOf(user: string): string | undefined;
  /** @param sha256 of the token, in hex */
  nameOfToken(sha256: string): string | undefined;
}

/** As the file of secrets has them. */
export interface WebSecrets {
  readonly users?: readonly { readonly name: string; readonly passwordHash: string }[] | undefined;
  readonly tokens?: readonly { readonly name: string; readonly sha256: string }[] | undefined;
}

/** Those of the file of secrets. A password that was right is right for a while: players show it with every request. */
export class SecretsUserDirectory implements UserDirectory {
  readonly #secrets: () => WebSecrets;
  readonly #clock: Clock;
  readonly #verified = new Map<string, EpochMs>();

  constructor(secrets: () => WebSecrets, clock: Clock) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  get canSignIn(): boolean {
    const { users = [], tokens = [] } = this.#secrets();
    return users.length + tokens.length > 0;
  }

  hashOf(user: string): string | undefined {
    return this.#secrets().users?.find(({ name }) => name === user)?.passwordHash;
  }

  nameOfToken(wanted: string): string | undefined {
    return this.#secrets().tokens?.find(({ sha256 }) => sha256 === wanted)?.name;
  }

  async isRight(user: string, password: string): Promise<boolean | "busy"> {
    const hash = this.hashOf(user);
    const key = createHash("sha256")
      .update(JSON.stringify([user, password, hash]))
      .digest("hex");
    if ((this.#verified.get(key) ?? 0) > this.#clock.now()) return true;
    const isRight = await isPassword(password, hash);
    if (isRight !== true) return isRight;
    this.#verified.set(key, this.#clock.now() + LIMITS.passwordMs);
    forgetOldest(this.#verified, LIMITS.sessions);
    return true;
  }
}

export function forgetOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
