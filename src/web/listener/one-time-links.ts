import { hostname } from "node:os";
import { forgetOldest } from "../../kit/forget-oldest.ts";
import { newToken, tokenHash } from "../../kit/http/password.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { DurationMs } from "../../model/time.ts";

interface LinkOptions {
  readonly clock: Clock;
  /** By default 256 random bits. */
  readonly newKey?: () => string;
  /** Lifetime of a link; absent: until it is used. */
  readonly lastsMs?: DurationMs;
}

const LINKS_MAX = 100;

/**
 * Keys of one-time links. Reading one proves ownership of the machine: keys appear only on a terminal, on the
 * control socket, or in a file that only the owner can read. Memory holds only their hashes, so they end with the
 * process.
 */
export class OneTimeLinks {
  readonly #options: LinkOptions;
  /** Hash → expiry in monotonic time. */
  readonly #open = new Map<string, DurationMs>();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  make(): string {
    const { clock, newKey = newToken, lastsMs = Number.POSITIVE_INFINITY } = this.#options;
    const key = newKey();
    this.#open.set(tokenHash(key), clock.monotonicMs() + lastsMs);
    forgetOldest(this.#open, LINKS_MAX);
    return key;
  }

  /** Uses up a link. @returns whether the key was valid */
  take(key: string): boolean {
    const hash = tokenHash(key);
    const until = this.#open.get(hash) ?? 0;
    this.#open.delete(hash);
    return until > this.#options.clock.monotonicMs();
  }

  /** Makes a key valid again that `take` used up in vain, with a new lifetime. */
  giveBack(key: string): void {
    const { clock, lastsMs = Number.POSITIVE_INFINITY } = this.#options;
    this.#open.set(tokenHash(key), clock.monotonicMs() + lastsMs);
  }
}

/** The key follows `#`, which browsers never send: it reaches no proxy and no log. */
export function withLink(address: string, key: string): string {
  return `${address.replace(/\/+$/, "")}/#link=${key}`;
}

/**
 * The listener's address for a browser: `localhost` on this machine, else the machine's name if it listens on all
 * addresses.
 */
export function addressOf({
  host,
  port,
  isTls = false,
}: {
  readonly host: string;
  readonly port: number;
  readonly isTls?: boolean;
}): string {
  const isOwn = ["localhost", "127.0.0.1", "::1"].includes(host);
  const isWide = host === "0.0.0.0" || host === "::";
  const name = isOwn ? "localhost" : isWide ? hostname() : host;
  return `${isTls ? "https" : "http"}://${name.includes(":") ? `[${name}]` : name}:${port}/`;
}
