import type { Clock } from "../../kit/clock.ts";
import { newToken, tokenHash } from "../../kit/password.ts";
import type { WebRequest } from "../../kit/web-server.ts";
import { LIMITS } from "../../model/limits.ts";
import type { EpochMs } from "../../model/time.ts";
import { forgetOldest, type Known } from "./known.ts";

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

/** Cookies do not know ports: what stands beside a recorder names its own otherwise. */
const COOKIE = "recorderd";

/** What a request shows of who it is; `none` where it shows nothing. */
export type Shown =
  | { readonly kind: "none" }
  | { readonly kind: "wrong" }
  | { readonly kind: "known"; readonly visitor: Visitor; readonly csrfToken?: string };

/** Keeps sessions in memory: they end with the daemon. */
export class Visitors {
  readonly cookieName: string;
  readonly #known: Known;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, Session>();

  constructor(known: Known, clock: Clock, cookieName = COOKIE) {
    this.#known = known;
    this.#clock = clock;
    this.cookieName = cookieName;
  }

  get canSignIn(): boolean {
    return this.#known.canSignIn;
  }

  /** @returns the cookie's value and what goes with it; `undefined` where name or password is wrong */
  async signIn(
    { user, password }: { readonly user: string; readonly password: string },
    address: string,
  ): Promise<{ readonly cookie: string; readonly csrfToken: string } | undefined> {
    // As it was before: with another one since then the session ends before it has begun.
    const passwordHash = this.#known.hashOf(user);
    if (!(await this.#known.isRight(user, password, address)) || passwordHash === undefined) return undefined;
    const [cookie, csrfToken] = [newToken(), newToken()];
    const until = this.#clock.now() + LIMITS.sessionMs;
    this.#sessions.set(tokenHash(cookie), { user, passwordHash, csrfToken, until });
    forgetOldest(this.#sessions, LIMITS.sessions);
    return { cookie, csrfToken };
  }

  signOut(request: WebRequest): void {
    this.#sessions.delete(tokenHash(this.#cookieOf(request) ?? ""));
  }

  async shownBy(request: WebRequest): Promise<Shown> {
    const [scheme = "", value = ""] = request.headers.authorization?.split(" ") ?? [];
    if (scheme.toLowerCase() === "bearer") return this.#byToken(value);
    if (scheme.toLowerCase() === "basic") {
      const [user = "", password = ""] = Buffer.from(value, "base64").toString("utf8").split(/:(.*)/s);
      // Players know nothing but user and password.
      if (user === "token") return this.#byToken(password);
      return (await this.#known.isRight(user, password, request.address))
        ? { kind: "known", visitor: { name: user, by: "password" } }
        : { kind: "wrong" };
    }
    return this.#bySession(this.#cookieOf(request));
  }

  #byToken(token: string): Shown {
    const name = this.#known.nameOfToken(tokenHash(token));
    return name === undefined ? { kind: "wrong" } : { kind: "known", visitor: { name, by: "token" } };
  }

  #bySession(cookie: string | undefined): Shown {
    if (cookie === undefined) return { kind: "none" };
    const session = this.#sessions.get(tokenHash(cookie));
    const { user, passwordHash, csrfToken, until = 0 } = session ?? {};
    // One of a life before is nobody's guess.
    if (user === undefined || csrfToken === undefined || until <= this.#clock.now()) return { kind: "none" };
    if (this.#known.hashOf(user) !== passwordHash) return { kind: "none" };
    return { kind: "known", visitor: { name: user, by: "session" }, csrfToken };
  }

  #cookieOf({ headers }: WebRequest): string | undefined {
    const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim().split(/=(.*)/s));
    return pairs.find(([name]) => name === this.cookieName)?.[1];
  }
}
