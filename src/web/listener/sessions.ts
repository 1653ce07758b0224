import { forgetOldest } from "../../kit/forget-oldest.ts";
import type { EpochMs } from "../../model/time.ts";
import { WEB_LIMITS } from "../limits.ts";

/** A browser that is signed in. */
export interface Session {
  /** Empty for a session from a link. */
  readonly user: string;
  /** The hash of the password at sign-in: a new password ends the session. Absent for a session from a link. */
  readonly passwordHash?: string;
  readonly until: EpochMs;
}

/** The sessions of browsers, by the SHA-256 of their cookies. */
export interface Sessions {
  /** @returns false if the user's password has changed */
  add(id: string, session: Session): boolean | Promise<boolean>;
  /** A session that its user's password has not ended. */
  find(id: string): Session | undefined | Promise<Session | undefined>;
  remove(id: string): void | Promise<void>;
}

/** In memory: they end with the process. */
export class SessionsInMemory implements Sessions {
  readonly #hashOf: (user: string) => string | undefined;
  readonly #sessions = new Map<string, Session>();

  /** @param hashOf the present hash of a user's password */
  constructor(hashOf: (user: string) => string | undefined) {
    this.#hashOf = hashOf;
  }

  add(id: string, session: Session): boolean {
    this.#sessions.set(id, session);
    forgetOldest(this.#sessions, WEB_LIMITS.sessions);
    return true;
  }

  find(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    const { user = "", passwordHash } = session ?? {};
    return passwordHash === undefined || this.#hashOf(user) === passwordHash ? session : undefined;
  }

  remove(id: string): void {
    this.#sessions.delete(id);
  }
}
