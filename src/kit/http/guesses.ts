import { isIPv6 } from "node:net";
import { LIMITS } from "../../model/limits.ts";
import type { DurationMs } from "../../model/time.ts";

interface Failures {
  readonly since: DurationMs;
  readonly count: number;
}

/** Who tries to sign in. */
export interface Attempt {
  /** Absent for a token: what is that long is not guessed by its owner's name. */
  readonly name?: string | undefined;
  /** Of the peer. */
  readonly address: string;
}

interface Counter {
  readonly key: string;
  readonly max: number;
}

/** A longer name is nobody's, and is to take no more memory than one that may be somebody's. */
const NAME_LENGTH = 200;

/**
 * Counts failed sign-ins by name and by address, so that passwords cannot be tried at speed. An attempt counts as failed from its
 * beginning until it proves right: many at once are no way around. Times are monotonic.
 *
 * Nobody locks out somebody else: an address without failures may always try once, whatever others do to the name; and who signed in
 * from an address before is counted there alone.
 */
export class Guesses {
  readonly #failures = new Map<string, Failures>();
  /** Names with the address from which they signed in, the latest last. */
  readonly #proven = new Set<string>();

  /** Counts an attempt that begins; the time to wait when there were too many. */
  begin(attempt: Attempt, nowMs: DurationMs): DurationMs | undefined {
    const counters = this.#countersOf(attempt);
    const waitMs = Math.max(...counters.map((counter) => this.#waitFor(counter, nowMs)));
    if (waitMs > 0 && !this.#isFirstHere(attempt, nowMs)) return waitMs;
    for (const { key } of counters) this.#count(key, 1, nowMs);
    return undefined;
  }

  /** It was no guess: a malformed order, a busy server. */
  forgive(attempt: Attempt, nowMs: DurationMs): void {
    for (const { key } of this.#countersOf(attempt)) this.#count(key, -1, nowMs);
  }

  /** It was right. */
  prove(attempt: Attempt, nowMs: DurationMs): void {
    this.forgive(attempt, nowMs);
    const pair = pairOf(attempt);
    if (pair === undefined) return;
    this.#proven.delete(pair);
    this.#proven.add(pair);
    forgetFirst(this.#proven);
  }

  #isFirstHere(attempt: Attempt, nowMs: DurationMs): boolean {
    return !this.#isProven(attempt) && this.#current(addressKey(attempt.address), nowMs) === undefined;
  }

  #isProven(attempt: Attempt): boolean {
    return this.#proven.has(pairOf(attempt) ?? "");
  }

  #countersOf(attempt: Attempt): readonly Counter[] {
    const pair = pairOf(attempt);
    if (pair !== undefined && this.#isProven(attempt)) return [{ key: pair, max: LIMITS.guessesPerName }];
    const address = { key: addressKey(attempt.address), max: LIMITS.guessesPerAddress };
    return attempt.name === undefined
      ? [address]
      : [address, { key: nameKey(attempt.name), max: LIMITS.guessesPerName }];
  }

  #waitFor({ key, max }: Counter, nowMs: DurationMs): DurationMs {
    const known = this.#current(key, nowMs);
    return known === undefined || known.count < max ? 0 : known.since + LIMITS.guessesMs - nowMs;
  }

  #current(key: string, nowMs: DurationMs): Failures | undefined {
    const known = this.#failures.get(key);
    return known === undefined || nowMs - known.since >= LIMITS.guessesMs ? undefined : known;
  }

  #count(key: string, by: number, nowMs: DurationMs): void {
    const { since, count } = this.#current(key, nowMs) ?? { since: nowMs, count: 0 };
    this.#failures.delete(key);
    if (count + by > 0) this.#failures.set(key, { since, count: count + by });
    forgetFirst(this.#failures);
  }
}

function forgetFirst(known: Map<string, unknown> | Set<string>): void {
  const [first] = known.keys();
  if (known.size > LIMITS.guessersKept && first !== undefined) known.delete(first);
}

function pairOf({ name, address }: Attempt): string | undefined {
  return name === undefined ? undefined : `${nameKey(name)} ${addressKey(address)}`;
}

function nameKey(name: string): string {
  return `name ${name.slice(0, NAME_LENGTH).normalize("NFC").trim().toLowerCase()}`;
}

/** A household has 2^64 addresses of IPv6 at least: they count as one. */
function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  return `address ${isIPv6(plain) ? network(plain) : plain}`;
}

/** The first four groups (RFC 4291 §2.2). */
function network(address: string): string {
  const [before = "", after] = address.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [head, tail] = [groups(before), groups(after ?? "")];
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const all = [...head, ...Array<string>(Math.max(0, zeros)).fill("0"), ...tail];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
