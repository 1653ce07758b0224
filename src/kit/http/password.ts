import { createHash, randomBytes, randomInt, scrypt, timingSafeEqual } from "node:crypto";
import { ConcurrencyLimit } from "../time/concurrency-limit.ts";
import { HTTP_LIMITS } from "./limits.ts";

/** Each check costs 32 MiB and some tens of milliseconds. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const LENGTH = 32;

/** The N of scrypt, a power of two, for passwords that protect nothing: those of the simulator and of tests. */
export const NO_COST = 2;

/** `scrypt$N$r$p$salt$hash`, the last two in base64url. @see RFC 7914 */
export async function hashPassword(password: string, N: number = COST.N): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derived(password, salt, { ...COST, N });
  return ["scrypt", N, COST.r, COST.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/**
 * Checks run one at a time: each occupies one of the few threads that also write our files, and strangers can start any number.
 */
const turns = new ConcurrencyLimit({ atOnce: 1, waiting: HTTP_LIMITS.passwordsWaiting });

/** `hashPassword` in the queue, for requests that may come from strangers. @returns `busy` if the queue is full */
export function hashInTurn(password: string, N?: number): Promise<string | "busy"> {
  return turns.run(() => hashPassword(password, N));
}

/**
 * Takes the same time for a wrong password, a right one, and a missing hash.
 *
 * @param N of the hashes that are not missing
 * @returns `busy` if the queue is full
 */
export function isPassword(
  password: string,
  hashed: string | undefined,
  N?: number,
): Promise<boolean | "busy"> {
  return turns.run(async () => {
    if (hashed !== undefined) return isEqual(password, hashed);
    await hashPassword(password, N);
    return false;
  });
}

async function isEqual(password: string, hashed: string): Promise<boolean> {
  const [kind, N, r, p, salt = "", hash = ""] = hashed.split("$");
  if (kind !== "scrypt") return false;
  const cost = { ...COST, N: Number(N), r: Number(r), p: Number(p) };
  const found = await derived(password, Buffer.from(salt, "base64url"), cost);
  const known = Buffer.from(hash, "base64url");
  return known.length === found.length && timingSafeEqual(known, found);
}

function derived(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFC"), salt, LENGTH, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

/** A random secret: 256 bits in base64url. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Letters and digits without those that look alike. */
const CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";

/** A one-time secret for people to type, about 59 bits: the caller must limit guesses. */
export function newCode(): string {
  const group = () => Array.from({ length: 4 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join("");
  return [group(), group(), group()].join("-");
}

/** Tokens are too long to guess, so a fast hash suffices. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
