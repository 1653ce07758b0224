import type { DurationMs } from "../../model/time.ts";
import { SERVER_LIMITS } from "../limits.ts";

interface Failures {
  readonly since: DurationMs;
  readonly count: number;
}

export interface LoginOrigin {
  readonly email: string;
  readonly address: string;
}

/**
 * Counts failed logins by account and by address, so that passwords cannot be tried at speed. A login counts as failed from
 * its beginning until it is forgiven: many at once are no way around. Times are monotonic.
 */
export class LoginLimits {
  readonly #failures = new Map<string, Failures>();

  /** Counts a login that begins; the time to wait when there were too many. */
  begin(origin: LoginOrigin, nowMs: DurationMs): DurationMs | undefined {
    const keys = keysOf(origin);
    const waits = keys.map(({ key, max }) => this.#waitFor(key, max, nowMs));
    const longest = Math.max(...waits);
    if (longest > 0) return longest;
    for (const { key } of keys) this.#count(key, 1, nowMs);
    return undefined;
  }

  /** The password was right. */
  forgive(origin: LoginOrigin, nowMs: DurationMs): void {
    for (const { key } of keysOf(origin)) this.#count(key, -1, nowMs);
  }

  #waitFor(key: string, max: number, nowMs: DurationMs): DurationMs {
    const known = this.#current(key, nowMs);
    return known === undefined || known.count < max ? 0 : known.since + SERVER_LIMITS.loginFailuresMs - nowMs;
  }

  #current(key: string, nowMs: DurationMs): Failures | undefined {
    const known = this.#failures.get(key);
    return known === undefined || nowMs - known.since >= SERVER_LIMITS.loginFailuresMs ? undefined : known;
  }

  #count(key: string, by: number, nowMs: DurationMs): void {
    const { since, count } = this.#current(key, nowMs) ?? { since: nowMs, count: 0 };
    this.#failures.delete(key);
    if (count + by > 0) this.#failures.set(key, { since, count: count + by });
    if (this.#failures.size <= SERVER_LIMITS.loginFailuresKept) return;
    const [oldest] = this.#failures.keys();
    if (oldest !== undefined) this.#failures.delete(oldest);
  }
}

function keysOf({ email, address }: LoginOrigin): readonly { readonly key: string; readonly max: number }[] {
  return [
    { key: `account ${email}`, max: SERVER_LIMITS.loginFailuresPerAccount },
    { key: `address ${address}`, max: SERVER_LIMITS.loginFailuresPerAddress },
  ];
}
