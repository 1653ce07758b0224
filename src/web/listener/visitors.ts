import { newToken, tokenHash } from "../../kit/http/password.ts";
import type { WebHead } from "../../kit/http/web-server.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { WEB_LIMITS } from "../limits.ts";
import type { OneTimeLinks } from "./one-time-links.ts";
import type { Session, Sessions } from "./sessions.ts";
import type { UserDirectory } from "./user-directory.ts";

export interface Visitor {
  readonly name: string;
  readonly by: "nothing" | "proxy" | "token" | "password" | "session";
}

/** Cookies are shared between ports: a second program on the host sets another name. */
const COOKIE = "recorderd";

/** The identity that a request proves; `none` without credentials. */
export type Identity =
  | { readonly kind: "none" }
  | { readonly kind: "wrong" }
  /** Too many password checks are waiting. */
  | { readonly kind: "busy" }
  | { readonly kind: "known"; readonly visitor: Visitor; readonly csrfToken?: string };

export interface NewSession {
  readonly cookie: string;
  readonly csrfToken: string;
}

interface VisitorsParts {
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly cookieName?: string;
  /** One-time links that sign in; absent: none. */
  readonly links?: OneTimeLinks;
}

/** Tells who a request comes from, and begins and ends sessions of browsers. */
export class Visitors {
  readonly cookieName: string;
  readonly #directory: UserDirectory;
  readonly #clock: Clock;
  readonly #links: OneTimeLinks | undefined;
  readonly #sessions: Sessions;
  readonly #found = new WeakMap<WebHead["headers"], Promise<Identity>>();
  readonly #identities = new WeakMap<WebHead["headers"], Promise<Identity>>();

  constructor(known: UserDirectory, { sessions, clock, cookieName = COOKIE, links }: VisitorsParts) {
    this.#directory = known;
    this.#sessions = sessions;
    this.#clock = clock;
    this.#links = links;
    this.cookieName = cookieName;
  }

  get canSignIn(): boolean {
    return this.#directory.canSignIn;
  }

  /**
   * @returns the cookie's value and its CSRF token; `undefined` if name or password is wrong, `busy` while too many
   * checks are waiting
   */
  async signIn({
    user,
    password,
  }: {
    readonly user: string;
    readonly password: string;
  }): Promise<NewSession | undefined | "busy"> {
    // Read before the check: if the password changes meanwhile, the new session is invalid at once.
    const passwordHash = await this.#directory.hashOf(user);
    const isRight = await this.#directory.isRight(user, password);
    if (isRight === "busy") return "busy";
    if (!isRight || passwordHash === undefined) return undefined;
    return await this.#begin({ user, passwordHash });
  }

  /** @param key of a one-time link, which is used up. @returns `undefined` for an invalid key */
  async signInByLink(key: string): Promise<NewSession | undefined> {
    return this.#links?.take(key) === true ? await this.#begin({ user: "" }) : undefined;
  }

  async #begin(who: Pick<Session, "user" | "passwordHash">): Promise<NewSession | undefined> {
    const cookie = newToken();
    const until = this.#clock.now() + WEB_LIMITS.sessionMs;
    const isBegun = await this.#sessions.add(tokenHash(cookie), { ...who, until });
    return isBegun ? { cookie, csrfToken: csrfTokenOf(cookie) } : undefined;
  }

  async signOut(request: WebHead): Promise<void> {
    await this.#sessions.remove(tokenHash(this.#cookieOf(request) ?? ""));
  }

  /**
   * The unique key of a valid session or token in the request. Passwords do not count here: checking one is too
   * expensive before the request is counted.
   */
  async provenKey(request: WebHead): Promise<string | undefined> {
    const { scheme, value } = authorizationOf(request);
    const [, password = ""] =
      scheme === "basic" && nameIn(request) === undefined ? userAndPassword(value) : [];
    const token = scheme === "bearer" ? value : password;
    const shown = await (token === "" ? this.#bySession(request) : this.#byToken(token));
    if (shown.kind !== "known") return undefined;
    return `${shown.visitor.by} ${shown.visitor.name}`;
  }

  /** Computed once per request. */
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
      // Players support only user and password.
      if (user === "token") return this.#byToken(password);
      const isRight = await this.#directory.isRight(user, password);
      if (isRight === "busy") return { kind: "busy" };
      return isRight ? { kind: "known", visitor: { name: user, by: "password" } } : { kind: "wrong" };
    }
    return this.#bySession(request);
  }

  async #byToken(token: string): Promise<Identity> {
    const name = await this.#directory.nameOfToken(tokenHash(token));
    return name === undefined ? { kind: "wrong" } : { kind: "known", visitor: { name, by: "token" } };
  }

  /** Looked up once per request. */
  #bySession(request: WebHead): Promise<Identity> {
    const known = this.#found.get(request.headers);
    if (known !== undefined) return known;
    const found = this.#lookUp(this.#cookieOf(request));
    this.#found.set(request.headers, found);
    return found;
  }

  async #lookUp(cookie: string | undefined): Promise<Identity> {
    if (cookie === undefined) return { kind: "none" };
    const { user, until = 0 } = (await this.#sessions.find(tokenHash(cookie))) ?? {};
    // An expired cookie is not a guess.
    if (user === undefined || until <= this.#clock.now()) return { kind: "none" };
    return { kind: "known", visitor: { name: user, by: "session" }, csrfToken: csrfTokenOf(cookie) };
  }

  #cookieOf({ headers }: WebHead): string | undefined {
    const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim().split(/=(.*)/s));
    return pairs.find(([name]) => name === this.cookieName)?.[1];
  }
}

/** Only who has the cookie can know it, and it does not reveal the cookie. */
function csrfTokenOf(cookie: string): string {
  return tokenHash(`csrf ${cookie}`);
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

/** The user name of the request's Basic credentials; `undefined` without them. */
export function nameIn(request: Pick<WebHead, "headers">): string | undefined {
  const { scheme, value } = authorizationOf(request);
  const [user] = scheme === "basic" ? userAndPassword(value) : [];
  return user === "token" ? undefined : user;
}
