import { newToken, tokenHash } from "../../kit/http/password.ts";
import type { WebHead } from "../../kit/http/web-server.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { LIMITS } from "../../model/limits.ts";
import type { EpochMs } from "../../model/time.ts";
import type { OneTimeLinks } from "./one-time-links.ts";
import { forgetOldest, type UserDirectory } from "./user-directory.ts";

export interface Visitor {
  readonly name: string;
  readonly by: "nothing" | "proxy" | "token" | "password" | "session";
}

interface Session {
  /** Empty for one that a link began. */
  readonly user: string;
  /** Of the password it was signed in with: another one ends it. Absent for one that a link began. */
  readonly passwordHash?: string;
  readonly csrfToken: string;
  readonly until: EpochMs;
}

/** Cookies do not know ports: what stands beside a recorder names its own otherwise. */
const COOKIE = "recorderd";

/** What a request shows of who it is; `none` where it shows nothing. */
export type Identity =
  | { readonly kind: "none" }
  | { readonly kind: "wrong" }
  /** Too many wait to be told whether their password is right. */
  | { readonly kind: "busy" }
  | { readonly kind: "known"; readonly visitor: Visitor; readonly csrfToken?: string };

export interface NewSession {
  readonly cookie: string;
  readonly csrfToken: string;
}

interface VisitorsParts {
  readonly clock: Clock;
  readonly cookieName?: string;
  /** Who has one of these signs in with it; absent, nobody does. */
  readonly links?: OneTimeLinks;
}

/** Keeps sessions in memory: they end with the daemon. */
export class Visitors {
  readonly cookieName: string;
  readonly #directory: UserDirectory;
  readonly #clock: Clock;
  readonly #links: OneTimeLinks | undefined;
  readonly #sessions = new Map<string, Session>();
  readonly #identities = new WeakMap<WebHead["headers"], Promise<Identity>>();

  constructor(known: UserDirectory, { clock, cookieName = COOKIE, links }: VisitorsParts) {
    this.#directory = known;
    this.#clock = clock;
    this.#links = links;
    this.cookieName = cookieName;
  }

  get canSignIn(): boolean {
    return this.#directory.canSignIn;
  }

  /** @returns the cookie's value and what goes with it; `undefined` where name or password is wrong, `busy` where too many wait */
  async signIn({
    user,
    password,
  }: {
    readonly user: string;
    readonly password: string;
  }): Promise<NewSession | undefined | "busy"> {
    // As it was before: with another one since then the session ends before it has begun.
    const passwordHash = this.#directory.hashOf(user);
    const isRight = await this.#directory.isRight(user, password);
    if (isRight === "busy") return "busy";
    if (!isRight || passwordHash === undefined) return undefined;
    return this.#begin({ user, passwordHash });
  }

  /** @param key of a one-time link, which is used up. @returns `undefined` where there is none with it */
  signInByLink(key: string): NewSession | undefined {
    return this.#links?.take(key) === true ? this.#begin({ user: "" }) : undefined;
  }

  #begin(who: Pick<Session, "user" | "passwordHash">): NewSession {
    const [cookie, csrfToken] = [newToken(), newToken()];
    const until = this.#clock.now() + LIMITS.sessionMs;
    this.#sessions.set(tokenHash(cookie), { ...who, csrfToken, until });
    forgetOldest(this.#sessions, LIMITS.sessions);
    return { cookie, csrfToken };
  }

  signOut(request: WebHead): void {
    this.#sessions.delete(tokenHash(this.#cookieOf(request) ?? ""));
  }

  /**
   * Whose session or token a request shows, where that is right; each has a key of its own. Passwords do not count here: they cost too
   * much to be looked at before the request is counted.
   */
  provenKey(request: WebHead): string | undefined {
    const { scheme, value } = authorizationOf(request);
    const [, password = ""] =
      scheme === "basic" && nameIn(request) === undefined ? userAndPassword(value) : [];
    const token = scheme === "bearer" ? value : password;
    const shown = token === "" ? this.#bySession(this.#cookieOf(request)) : this.#byToken(token);
    if (shown.kind !== "known") return undefined;
    return `${shown.visitor.by} ${shown.visitor.name}`;
  }

  /** Worked out once for each request, however often it is asked. */
  identityOf(request: WebHead): Promise<Identity> {
    const known = this.#identities.get(request.headers);
    if (known !== undefined) return known;
    const shown = this.#lookAt(request);
    this.#identities.set(request.headers, shown);
    return shown;
  }

  async #lookAt(request: WebHead): Promise<Identity> {
    const { scheme, value } = authorizationOf(request);
    if (scheme === "bearer") return this.#byToken(value);
    if (scheme === "basic") {
      const [user = "", password = ""] = userAndPassword(value);
      // Players know nothing but user and password.
      if (user === "token") return this.#byToken(password);
      const isRight = await this.#directory.isRight(user, password);
      if (isRight === "busy") return { kind: "busy" };
      return isRight ? { kind: "known", visitor: { name: user, by: "password" } } : { kind: "wrong" };
    }
    return this.#bySession(this.#cookieOf(request));
  }

  #byToken(token: string): Identity {
    const name = this.#directory.nameOfToken(tokenHash(token));
    return name === undefined ? { kind: "wrong" } : { kind: "known", visitor: { name, by: "token" } };
  }

  #bySession(cookie: string | undefined): Identity {
    if (cookie === undefined) return { kind: "none" };
    const session = this.#sessions.get(tokenHash(cookie));
    const { user, passwordHash, csrfToken, until = 0 } = session ?? {};
    // One of a life before is nobody's guess.
    if (user === undefined || csrfToken === undefined || until <= this.#clock.now()) return { kind: "none" };
    if (passwordHash !== undefined && this.#directory.hashOf(user) !== passwordHash) return { kind: "none" };
    return { kind: "known", visitor: { name: user, by: "session" }, csrfToken };
  }

  #cookieOf({ headers }: WebHead): string | undefined {
    const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim().split(/=(.*)/s));
    return pairs.find(([name]) => name === this.cookieName)?.[1];
  }
}

function authorizationOf({ headers }: Pick<WebHead, "headers">): {
  readonly scheme: string;
  readonly value: string;
} {
  const [scheme = "", value = ""] = headers.authorization?.split(" ") ?? [];
  return { scheme: scheme.toLowerCase(), value };
}

function userAndPassword(value: string): readonly string[] {
  return Buffer.from(value, "base64").toString("utf8").split(/:(.*)/s);
}

/** Whose password a request shows; `undefined` where it shows none. */
export function nameIn(request: Pick<WebHead, "headers">): string | undefined {
  const { scheme, value } = authorizationOf(request);
  const [user] = scheme === "basic" ? userAndPassword(value) : [];
  return user === "token" ? undefined : user;
}
