import type { DurationMs } from "../../model/time.ts";
import { forgetOldest } from "../forget-oldest.ts";
import { householdOf } from "./client-address.ts";
import { HTTP_LIMITS } from "./limits.ts";

interface Failures {
  readonly since: DurationMs;
  readonly count: number;
}

/** One try to sign in. */
export interface SignIn {
  /** Absent for a token, which is too long to guess by its owner's name. */
  readonly name?: string | undefined;
  /** Address of the client. */
  readonly address: string;
}

/** The course of a sign-in, for other processes that count the same ones. */
export interface Guess extends SignIn {
  readonly is: "begun" | "forgiven" | "proven";
}

interface Counter {
  readonly key: string;
  readonly max: number;
}

/** No user has a longer name; the limit bounds memory. */
const NAME_LENGTH = 200;

/**
 * Counts failed sign-ins by name and by address, to limit password guessing. A sign-in counts as failed until it proves right,
 * so parallel tries gain nothing. Times are monotonic.
 *
 * Nobody can lock out another user: an address without failures may always try once, and a user who signed in from an address
 * before is counted separately there.
 */
export class SignInLimiter {
  readonly #failures = new Map<string, Failures>();
  /** Names with the address of a successful sign-in, latest last. */
  readonly #proven = new Set<string>();
  readonly #tell: (guess: Guess) => void;

  /** @param tell hears of every count, for the limiters of other processes */
  constructor(tell: (guess: Guess) => void = () => {}) {
    this.#tell = tell;
  }

  /** Counts what another process has counted. */
  hear({ is, ...attempt }: Guess, nowMs: DurationMs): void {
    if (is === "proven") this.#markProven(attempt, nowMs);
    else this.#countAll(attempt, is === "begun" ? 1 : -1, nowMs);
  }

  /** Counts a new sign-in; returns the wait in ms after too many failures. */
  begin(attempt: SignIn, nowMs: DurationMs): DurationMs | undefined {
    const counters = this.#countersOf(attempt);
    const waitMs = Math.max(...counters.map((counter) => this.#waitFor(counter, nowMs)));
    if (waitMs > 0 && !this.#isFirstHere(attempt, nowMs)) return waitMs;
    this.#countAll(attempt, 1, nowMs);
    this.#tell({ ...attempt, is: "begun" });
    return undefined;
  }

  /** Uncounts a sign-in that was no guess: a malformed request, a busy server. */
  forgive(attempt: SignIn, nowMs: DurationMs): void {
    this.#countAll(attempt, -1, nowMs);
    this.#tell({ ...attempt, is: "forgiven" });
  }

  /** Records a successful sign-in. */
  prove(attempt: SignIn, nowMs: DurationMs): void {
    this.#markProven(attempt, nowMs);
    this.#tell({ ...attempt, is: "proven" });
  }

  /**
   * Records a sign-up: who chose the password knows it, and strangers at the same address cannot lock them out. For
   * the address it still counts, since each creates an account.
   */
  proveNew(attempt: SignIn, nowMs: DurationMs): void {
    this.prove(attempt, nowMs);
    this.begin({ address: attempt.address }, nowMs);
  }

  #markProven(attempt: SignIn, nowMs: DurationMs): void {
    this.#countAll(attempt, -1, nowMs);
    const pair = pairOf(attempt);
    if (pair === undefined) return;
    this.#proven.delete(pair);
    this.#proven.add(pair);
    forgetOldest(this.#proven, HTTP_LIMITS.guessersKept);
  }

  #isFirstHere(attempt: SignIn, nowMs: DurationMs): boolean {
    return !this.#isProven(attempt) && this.#current(addressKey(attempt.address), nowMs) === undefined;
  }

  #isProven(attempt: SignIn): boolean {
    return this.#proven.has(pairOf(attempt) ?? "");
  }

  #countersOf(attempt: SignIn): readonly Counter[] {
    const pair = pairOf(attempt);
    if (pair !== undefined && this.#isProven(attempt))
      return [{ key: pair, max: HTTP_LIMITS.guessesPerName }];
    const address = { key: addressKey(attempt.address), max: HTTP_LIMITS.guessesPerAddress };
    return attempt.name === undefined
      ? [address]
      : [address, { key: nameKey(attempt.name), max: HTTP_LIMITS.guessesPerName }];
  }

  #waitFor({ key, max }: Counter, nowMs: DurationMs): DurationMs {
    const known = this.#current(key, nowMs);
    return known === undefined || known.count < max ? 0 : known.since + HTTP_LIMITS.guessesMs - nowMs;
  }

  #current(key: string, nowMs: DurationMs): Failures | undefined {
    const known = this.#failures.get(key);
    return known === undefined || nowMs - known.since >= HTTP_LIMITS.guessesMs ? undefined : known;
  }

  #countAll(attempt: SignIn, by: number, nowMs: DurationMs): void {
    for (const { key } of this.#countersOf(attempt)) this.#count(key, by, nowMs);
  }

  #count(key: string, by: number, nowMs: DurationMs): void {
    const { since, count } = this.#current(key, nowMs) ?? { since: nowMs, count: 0 };
    this.#failures.delete(key);
    if (count + by > 0) this.#failures.set(key, { since, count: count + by });
    forgetOldest(this.#failures, HTTP_LIMITS.guessersKept);
  }
}

function pairOf({ name, address }: SignIn): string | undefined {
  return name === undefined ? undefined : `${nameKey(name)} ${addressKey(address)}`;
}

function nameKey(name: string): string {
  return `name ${name.slice(0, NAME_LENGTH).normalize("NFC").trim().toLowerCase()}`;
}

function addressKey(address: string): string {
  return `address ${householdOf(address)}`;
}
