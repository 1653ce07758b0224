import { createHash } from "node:crypto";
import type { Clock } from "../../kit/clock.ts";
import { hashPassword, isPassword, newToken, tokenHash } from "../../kit/password.ts";
import type { WebRequest } from "../../kit/web-server.ts";
import { LIMITS } from "../../model/limits.ts";
import type { EpochMs } from "../../model/time.ts";

/** Who may come in: from the file of secrets, as it is now. */
export interface WebSecrets {
  readonly users?: readonly { readonly name: string; readonly passwordHash: string }[] | undefined;
  readonly tokens?: readonly { readonly name: string; readonly sha256: string }[] | undefined;
}

export interface Visitor {
  readonly name: string;
  readonly by: "nothing" | "proxy" | "token" | "password" | "session";
}

interface Session {
  readonly user: string;
  /** Of the password it was signed in with: another one ends it. */
  readonly passwordHash: string;
  readonly csrfToken: string;
  readonly until: EpochMs;
}

export const COOKIE = "recorderd";

/** What a request shows of who it is; `none` where it shows nothing. */
export type Shown =
  | { readonly kind: "none" }
  | { readonly kind: "wrong" }
  | { readonly kind: "known"; readonly visitor: Visitor; readonly csrfToken?: string };

/** Keeps sessions in memory: they end with the daemon. */
export class Visitors {
  readonly #secrets: () => WebSecrets;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Session>();
  readonly #verified = new Map<string, EpochMs>();
  /** So that a name that is not known takes as long as one that is. */
  readonly #nobodysHash = hashPassword(newToken());

  constructor(secrets: () => WebSecrets, clock: Clock) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  get canSignIn(): boolean {
    const { users = [], tokens = [] } = this.#secrets();
    return users.length + tokens.length > 0;
  }

  /** @returns the cookie's value and what goes with it; `undefined` where name or password is wrong */
  async signIn(
    user: string,
    password: string,
  ): Promise<{ readonly cookie: string; readonly csrfToken: string } | undefined> {
    if (!(await this.#isRight(user, password))) return undefined;
    const passwordHash = this.#hashOf(user);
    if (passwordHash === undefined) return undefined;
    const [cookie, csrfToken] = [newToken(), newToken()];
    const until = this.#clock.now() + LIMITS.sessionMs;
    this.#sessions.set(tokenHash(cookie), { user, passwordHash, csrfToken, until });
    forgetOldest(this.#sessions, LIMITS.sessions);
    return { cookie, csrfToken };
  }

  signOut(request: WebRequest): void {
    this.#sessions.delete(tokenHash(cookieOf(request) ?? ""));
  }

  async shownBy(request: WebRequest): Promise<Shown> {
    const [scheme = "", value = ""] = request.headers.authorization?.split(" ") ?? [];
    if (scheme.toLowerCase() === "bearer") return this.#byToken(value);
    if (scheme.toLowerCase() === "basic") {
      const [user = "", password = ""] = Buffer.from(value, "base64").toString("utf8").split(/:(.*)/s);
      // Players know nothing but user and password.
      if (user === "token") return this.#byToken(password);
      return (await this.#isRight(user, password))
        ? { kind: "known", visitor: { name: user, by: "password" } }
        : { kind: "wrong" };
    }
    return this.#bySession(cookieOf(request));
  }

  #byToken(token: string): Shown {
    const hash = tokenHash(token);
    const found = this.#secrets().tokens?.find(({ sha256 }) => sha256 === hash);
    return found === undefined
      ? { kind: "wrong" }
      : { kind: "known", visitor: { name: found.name, by: "token" } };
  }

  #bySession(cookie: string | undefined): Shown {
    if (cookie === undefined) return { kind: "none" };
    const session = this.#sessions.get(tokenHash(cookie));
    const { user, passwordHash, csrfToken, until = 0 } = session ?? {};
    // One of a life before is nobody's guess.
    if (user === undefined || csrfToken === undefined || until <= this.#clock.now()) return { kind: "none" };
    if (this.#hashOf(user) !== passwordHash) return { kind: "none" };
    return { kind: "known", visitor: { name: user, by: "session" }, csrfToken };
  }

  #hashOf(user: string): string | undefined {
    return this.#secrets().users?.find(({ name }) => name === user)?.passwordHash;
  }

  async #isRight(user: string, password: string): Promise<boolean> {
    const hash = this.#hashOf(user);
    const key = createHash("sha256")
      .update(JSON.stringify([user, password, hash]))
      .digest("hex");
    if ((this.#verified.get(key) ?? 0) > this.#clock.now()) return true;
    const isRight = await isPassword(password, hash ?? (await this.#nobodysHash));
    if (!isRight || hash === undefined) return false;
    this.#verified.set(key, this.#clock.now() + LIMITS.passwordMs);
    forgetOldest(this.#verified, LIMITS.sessions);
    return true;
  }
}

function cookieOf({ headers }: WebRequest): string | undefined {
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim().split(/=(.*)/s));
  return pairs.find(([name]) => name === COOKIE)?.[1];
}

function forgetOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
