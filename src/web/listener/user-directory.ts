import { createHash } from "node:crypto";
import { forgetOldest } from "../../kit/forget-oldest.ts";
import { isPassword } from "../../kit/http/password.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { EpochMs } from "../../model/time.ts";
import { WEB_LIMITS } from "../limits.ts";

/** The users and tokens that may sign in now. */
export interface UserDirectory {
  /** Whether any user exists. */
  readonly canSignIn: boolean;
  /** Takes equally long for an unknown name. @returns `busy` while too many checks are waiting */
  isRight(user: string, password: string): Promise<boolean | "busy">;
  /** A value that changes with the user's password; absent for an unknown user. */
  hashOf(user: string): string | undefined | Promise<string | undefined>;
  /** @param sha256 of the token, in hex */
  nameOfToken(sha256: string): string | undefined | Promise<string | undefined>;
}

/** The content of the secrets file. */
export interface WebSecrets {
  readonly users?: readonly { readonly name: string; readonly passwordHash: string }[] | undefined;
  readonly tokens?: readonly { readonly name: string; readonly sha256: string }[] | undefined;
}

/** The users of the secrets file. A correct password is cached for a while: players send it with every request. */
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
    this.#verified.set(key, this.#clock.now() + WEB_LIMITS.passwordMs);
    forgetOldest(this.#verified, WEB_LIMITS.sessions);
    return true;
  }
}
