import { createHash, randomBytes, randomInt, scrypt, timingSafeEqual } from "node:crypto";
import { LIMITS } from "../../model/limits.ts";
import { Turns } from "../time/turns.ts";

/** 32 MiB and some tens of milliseconds for each guess. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const LENGTH = 32;

/** `scrypt$N$r$p$salt$hash`, the last two in base64url. @see RFC 7914 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derived(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/**
 * One at a time in the whole process: each takes one of the few threads on which the system also writes our files, and strangers can
 * have as many begun as they like.
 */
const turns = new Turns({ atOnce: 1, waiting: LIMITS.passwordsWaiting });

/** The same, in its turn. For whoever may be a stranger. @returns `busy` where too many wait */
export function hashInTurn(password: string): Promise<string | "busy"> {
  return turns.take(() => hashPassword(password));
}

/**
 * Takes as long for a wrong password as for the right one, and for one with nothing to compare it with.
 *
 * @returns `busy` where too many wait
 */
export function isPassword(password: string, hashed: string | undefined): Promise<boolean | "busy"> {
  return turns.take(async () => {
    if (hashed !== undefined) return isEqual(password, hashed);
    await hashPassword(password);
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

/** A secret that nobody guesses: 256 bits in base64url. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Without what is taken for something else when it is read off a screen. */
const CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz";

/** A secret that people type once, of some 59 bits: guesses are to be counted. */
export function newCode(): string {
  const group = () => Array.from({ length: 4 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join("");
  return [group(), group(), group()].join("-");
}

/** Of a token: what is that long need not be made slow to guess. */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
