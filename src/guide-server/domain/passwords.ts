import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { PasswordHash } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { type Refusal, unavailable } from "../refusal.ts";

/** 32 MiB and some 100 ms for one guess. @see RFC 7914 §2 */
const PARAMETERS = { cost: 2 ** 15, blockSize: 8, parallelization: 1 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Hashes passwords, a few at a time: each takes memory and a thread. */
export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  hash(password: string): Promise<PasswordHash | Refusal> {
    return this.#inTurn(async () => {
      const salt = randomBytes(SALT_BYTES);
      const hash = await derive(password, { ...PARAMETERS, salt });
      return { ...PARAMETERS, salt: salt.toString("base64"), hash: hash.toString("base64") };
    });
  }

  /** With no hash to compare with it takes as long as with one, so that nobody learns whether there is one. */
  matches(password: string, known: PasswordHash | undefined): Promise<boolean | Refusal> {
    return this.#inTurn(async () => {
      const salt = known === undefined ? randomBytes(SALT_BYTES) : Buffer.from(known.salt, "base64");
      const found = await derive(password, { ...(known ?? PARAMETERS), salt });
      const wanted = known === undefined ? randomBytes(HASH_BYTES) : Buffer.from(known.hash, "base64");
      return timingSafeEqual(found, wanted);
    });
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T | Refusal> {
    if (this.#running >= SERVER_LIMITS.passwordsAtOnce) {
      if (this.#waiting.length >= SERVER_LIMITS.passwordsWaiting) {
        return unavailable("Too many logins at once: try again soon.", SERVER_LIMITS.retryAfterMs);
      }
      // Who is woken takes the place of who wakes it: the count stays.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

interface DeriveOptions {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  readonly salt: Buffer;
}

function derive(
  password: string,
  { salt, cost, blockSize, parallelization }: DeriveOptions,
): Promise<Buffer> {
  const maxmem = 2 * 128 * cost * blockSize;
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize("NFC"),
      salt,
      HASH_BYTES,
      { cost, blockSize, parallelization, maxmem },
      (error, key) => (error === null ? resolve(key) : reject(error)),
    );
  });
}
