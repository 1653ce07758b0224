import { createHash, randomBytes } from "node:crypto";
import type { EpochMs } from "../../model/time.ts";
import type { Decided, Decision } from "../data/store.ts";
import {
  type Account,
  type Change,
  type GuideTables,
  type PasswordHash,
  put,
  remove,
  type Token,
} from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { notAcceptable, notFound, type Refusal, unauthorized } from "../refusal.ts";
import { takeId } from "./ids.ts";

/** An account is named by its e-mail address, whatever its case. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

export function accountByEmail(tables: GuideTables, email: string): Account | undefined {
  const wanted = normalEmail(email);
  for (const account of tables.accounts.values()) if (account.email === wanted) return account;
  return undefined;
}

/** What a new account must look like, before its password is hashed. */
export function checkNewAccount(
  tables: GuideTables,
  {
    email,
    password,
    regionId,
  }: { readonly email: string; readonly password: string; readonly regionId: number },
): Refusal | undefined {
  const { passwordLengthMin, passwordLengthMax, nameLength, accounts } = SERVER_LIMITS;
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > nameLength) {
    return notAcceptable("member.email_address", "The e-mail address is not one.");
  }
  if (password.length < passwordLengthMin || password.length > passwordLengthMax) {
    return notAcceptable(
      "member.password",
      `A password has ${passwordLengthMin} to ${passwordLengthMax} characters.`,
    );
  }
  if (!tables.regions.has(String(regionId))) {
    return notAcceptable("member.region_id", "There is no such region: choose one of GET regions.");
  }
  return tables.accounts.size < accounts
    ? undefined
    : notAcceptable("member", "This server takes no further accounts.");
}

/** The account must have been checked. */
export function addAccount(
  tables: GuideTables,
  {
    email,
    password,
    regionId,
  }: { readonly email: string; readonly password: PasswordHash; readonly regionId: number },
  now: EpochMs,
): Decision<Account> {
  if (accountByEmail(tables, email) !== undefined) {
    return notAcceptable("member.email_address", "There is an account with this e-mail address already.");
  }
  const { id, change } = takeId(tables, "account");
  const account = { id: String(id), email: normalEmail(email), password, regionId, createdAt: now };
  return { changes: [change, put("accounts", account)], value: account };
}

export interface NewToken {
  /** What the client gets; only its hash is kept. */
  readonly secret: string;
  readonly expiresAt: EpochMs;
}

/** A token of 256 random bits: nothing that guessing could find, so a plain hash of it is enough. */
export function addToken(
  tables: GuideTables,
  account: Account,
  { deviceId, now }: { readonly deviceId: number | undefined; readonly now: EpochMs },
): Decided<NewToken> {
  const secret = randomBytes(32).toString("base64url");
  const expiresAt = now + SERVER_LIMITS.tokenMs;
  const token: Token = {
    id: hashOf(secret),
    accountId: account.id,
    createdAt: now,
    expiresAt,
    ...(deviceId === undefined ? {} : { deviceId }),
  };
  return {
    changes: [...endedTokens(tables, account, now), put("tokens", token)],
    value: { secret, expiresAt },
  };
}

/** Tokens that make room: those that ended some time ago, and the oldest beyond the limit. */
function endedTokens(tables: GuideTables, account: Account, now: EpochMs): readonly Change[] {
  const own = [...tables.tokens.values()].filter(({ accountId }) => accountId === account.id);
  const ended = own.filter(
    ({ expiresAt, disposedAt }) =>
      Math.min(expiresAt, disposedAt ?? expiresAt) + SERVER_LIMITS.disposedTokenMs < now,
  );
  const rest = own.filter((token) => !ended.includes(token)).sort((a, b) => a.createdAt - b.createdAt);
  const tooMany = rest.slice(0, Math.max(0, rest.length + 1 - SERVER_LIMITS.tokensPerAccount));
  return [...ended, ...tooMany].map(({ id }) => remove("tokens", id));
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export interface Claim {
  readonly email: string | null;
  readonly token: string | null;
}

/** Whose request it is. */
export function authenticate(tables: GuideTables, claim: Claim, now: EpochMs): Account | Refusal {
  const known = tokenOf(tables, claim);
  if (known === undefined || known.token.disposedAt !== undefined || known.token.expiresAt <= now) {
    return unauthorized(
      claim.email === null || claim.token === null
        ? "This needs the query parameters email_address and token: sign in with POST login."
        : "The e-mail address and the token are not valid together, or no longer: sign in with POST login.",
    );
  }
  return known.account;
}

/** The device that signed in with the token, if one did. */
export function deviceOfToken(tables: GuideTables, claim: Claim): number | undefined {
  return tokenOf(tables, claim)?.token.deviceId;
}

function tokenOf(
  tables: GuideTables,
  { email, token: secret }: Claim,
): { readonly account: Account; readonly token: Token } | undefined {
  const token = tables.tokens.get(hashOf(secret ?? ""));
  const account = token === undefined ? undefined : tables.accounts.get(token.accountId);
  return token !== undefined && account !== undefined && account.email === normalEmail(email ?? "")
    ? { account, token }
    : undefined;
}

/** Ends a token. That of an earlier logout, or one that expired, is not found; anything else is no credential. */
export function disposeToken(tables: GuideTables, claim: Claim, now: EpochMs): Decision<undefined> {
  const known = tokenOf(tables, claim);
  if (known !== undefined && (known.token.disposedAt !== undefined || known.token.expiresAt <= now)) {
    return notFound("These credentials have been disposed of already.");
  }
  if (known === undefined) return unauthorized("The e-mail address and the token are not valid together.");
  return { changes: [put("tokens", { ...known.token, disposedAt: now })], value: undefined };
}
