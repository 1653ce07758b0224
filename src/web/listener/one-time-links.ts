import { hostname } from "node:os";
import { newToken, tokenHash } from "../../kit/http/password.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { DurationMs } from "../../model/time.ts";
import { forgetOldest } from "./user-directory.ts";

interface LinkOptions {
  readonly clock: Clock;
  /** 256 random bits unless given. */
  readonly newKey?: () => string;
  /** A link counts for so long; absent, until it is used. */
  readonly lastsMs?: DurationMs;
}

const LINKS_MAX = 100;

/**
 * Keys of one-time links. Whoever can read one proves to own the machine: they are told only to a terminal, to the control socket or
 * to a file that the owner alone can read. Only their hashes are kept, in memory: they end with the process.
 */
export class OneTimeLinks {
  readonly #options: LinkOptions;
  /** By hash: when it ends, in monotonic time. */
  readonly #open = new Map<string, DurationMs>();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** @returns the key of a new link */
  make(): string {
    const { clock, newKey = newToken, lastsMs = Number.POSITIVE_INFINITY } = this.#options;
    const key = newKey();
    this.#open.set(tokenHash(key), clock.monotonicMs() + lastsMs);
    forgetOldest(this.#open, LINKS_MAX);
    return key;
  }

  /** Uses a link up. @returns whether there was one with this key */
  take(key: string): boolean {
    const hash = tokenHash(key);
    const until = this.#open.get(hash) ?? 0;
    this.#open.delete(hash);
    return until > this.#options.clock.monotonicMs();
  }

  /** What `take` used up for nothing counts again, for as long as a new one. */
  giveBack(key: string): void {
    const { clock, lastsMs = Number.POSITIVE_INFINITY } = this.#options;
    this.#open.set(tokenHash(key), clock.monotonicMs() + lastsMs);
  }
}

/** The key stands behind `#`, which browsers send to nobody: not to a proxy, and into no log. */
export function withLink(address: string, key: string): string {
  return `${address.replace(/\/+$/, "")}/#link=${key}`;
}

/** Where a browser finds a listener: on this machine by `localhost`, elsewhere by the machine's name where it listens on all addresses. */
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
