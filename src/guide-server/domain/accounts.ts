import { createHash, randomBytes } from "node:crypto";
import type { EpochMs } from "../../model/time.ts";
import type { Decision, Transaction } from "../data/decision.ts";
import type { GuideStore } from "../data/store.ts";
import {
  type Account,
  type Change,
  type GuideTables,
  put,
  remove,
  type Token,
  type User,
} from "../data/tables.ts";
import { normalName } from "../data/user-name.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { notAcceptable, notFound, type Refusal, unauthorized } from "../refusal.ts";
import { takeId } from "./ids.ts";
import { checkPassword, isTaken, type NameHolders } from "./users.ts";

/** The household created with this e-mail address; upper and lower case are equal. */
export async function accountByEmail(
  store: Pick<GuideStore, "directory" | "of">,
  email: string,
): Promise<Account | undefined> {
  const id = await store.directory.accountOfEmail(normalName(email));
  return id === undefined ? undefined : (await store.of(id)).accounts.get(id);
}

const NO_REGION =
  "There is no region yet for the account. Start the server once with a listing, `recorderd guide-server --data FOLDER --xmltv FILE`, or import the data of " +
  "another, `recorderd guide-server import FILE --data FOLDER`: then there is one.";

const REGIONS_NAMED = 20;

function noSuchRegion(regionId: number, { regions }: GuideTables): string {
  const ids = [...regions.keys()];
  const more = ids.length > REGIONS_NAMED ? " …" : "";
  return `There is no region ${regionId}: choose ${ids.slice(0, REGIONS_NAMED).join(", ")}${more}.`;
}

/** Checks a new account before its password is hashed. */
export function checkNewAccount(
  tables: GuideTables,
  {
    email,
    password,
    regionId,
  }: { readonly email: string; readonly password: string; readonly regionId: number },
): Refusal | undefined {
  const { nameLength } = SERVER_LIMITS;
  // U+FFFD replaces bytes that are no character: the address would differ from the intended one. Characters that
  // nobody sees would make it look like another one.
  const isAddress = /^[^\s@\ufffd\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\ufffd\p{Cc}\p{Cf}\p{Cs}]+$/u.test(email);
  if (!isAddress || email.length > nameLength) {
    return notAcceptable(
      "member.email_address",
      "The e-mail address is invalid: write it as me@example.org.",
    );
  }
  const weak = checkPassword(password, "member.password");
  if (weak !== undefined) return weak;
  if (tables.regions.size === 0) return notAcceptable("member.region_id", NO_REGION);
  if (!tables.regions.has(String(regionId))) {
    return notAcceptable("member.region_id", noSuchRegion(regionId, tables));
  }
  return isFull(tables.counters.get("account")?.next) ? FULL : undefined;
}

const FULL = notAcceptable("member", "This server accepts no further accounts.");

/** @param id that of the next account */
function isFull(id = 1): boolean {
  return id > SERVER_LIMITS.accounts;
}

export interface AccountOrder {
  readonly email: string;
  /** Hashed. */
  readonly password: string;
  readonly regionId: number;
  readonly holders: NameHolders;
}

/**
 * Creates a household and its owner, who has the same name. The order must have been checked.
 */
export function addAccount(
  tables: GuideTables,
  { email, password, regionId, holders }: AccountOrder,
  now: EpochMs,
): Decision<{ readonly account: Account; readonly user: User }> {
  if (isTaken(holders)) {
    return notAcceptable("member.email_address", "An account with this e-mail address already exists.");
  }
  const { id, change } = takeId(tables, "account");
  if (isFull(id)) return FULL;
  const account = { id: String(id), email: normalName(email), regionId, createdAt: now };
  const user = {
    id: account.email,
    accountId: account.id,
    password,
    rights: "owner",
    createdAt: now,
  } as const;
  return { changes: [change, put("accounts", account), put("users", user)], value: { account, user } };
}

export interface NewToken {
  /** Goes to the client; the server stores only its hash. */
  readonly secret: string;
  readonly expiresAt: EpochMs;
}

/** Creates a token of 256 random bits. Guessing cannot find it, so a plain hash is enough. */
export function addToken(
  tables: GuideTables,
  user: User,
  { deviceId, now }: { readonly deviceId: number | undefined; readonly now: EpochMs },
): Transaction<NewToken> {
  const secret = randomBytes(32).toString("base64url");
  const expiresAt = now + SERVER_LIMITS.tokenMs;
  const token: Token = {
    id: hashOf(secret),
    accountId: user.accountId,
    userId: user.id,
    createdAt: now,
    expiresAt,
    ...(deviceId === undefined ? {} : { deviceId }),
  };
  return {
    changes: [...endedTokens(tables, user, now), put("tokens", token)],
    value: { secret, expiresAt },
  };
}

/**
 * Removes the tokens beyond the limit: ended ones first, then the oldest. The latest of each device goes last: a program that
 * signs in again and again would silence the recorders.
 */
function endedTokens(tables: GuideTables, user: User, now: EpochMs): readonly Change[] {
  const own = [...tables.tokens.values()].filter(({ userId }) => userId === user.id);
  const ends = ({ expiresAt, disposedAt }: Token) => Math.min(expiresAt, disposedAt ?? expiresAt);
  const over = own.filter((token) => ends(token) <= now).sort((a, b) => ends(a) - ends(b));
  const open = own.filter((token) => ends(token) > now).sort((a, b) => a.createdAt - b.createdAt);
  const latest = new Map(open.map((token) => [token.deviceId, token]));
  const isInUse = (token: Token) => token.deviceId !== undefined && latest.get(token.deviceId) === token;
  const spare = open.filter((token) => !isInUse(token));
  const tooMany = [...over, ...spare, ...open.filter(isInUse)].slice(
    0,
    Math.max(0, own.length + 1 - SERVER_LIMITS.tokensPerUser),
  );
  return tooMany.map(({ id }) => remove("tokens", id));
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export interface Claim {
  readonly email: string | null;
  readonly token: string | null;
}

/** The household and the user that a request belongs to. */
export interface Session {
  readonly account: Account;
  readonly user: User;
  readonly token: Token;
  /** The account's records. */
  readonly tables: GuideTables;
}

export async function authenticate(
  store: Pick<GuideStore, "holding">,
  claim: Claim,
  now: EpochMs,
): Promise<Session | Refusal> {
  const known = sessionOf(await store.holding("tokens", hashOf(claim.token ?? "")), claim);
  if (known === undefined || known.token.disposedAt !== undefined || known.token.expiresAt <= now) {
    return unauthorized(
      claim.email === null || claim.token === null
        ? "This needs the query parameters email_address and token: sign in with POST login."
        : "The e-mail address and the token do not match, or have expired: sign in with POST login.",
    );
  }
  return known;
}

/** A token that is used goes on, also one of a recorder that nobody looks at for years. It is written at most once per `tokenEveryMs`. */
export function prolongedToken(
  { tokens }: Pick<GuideTables, "tokens">,
  { id }: Pick<Token, "id">,
  now: EpochMs,
): readonly Change[] {
  const token = tokens.get(id);
  const expiresAt = now + SERVER_LIMITS.tokenMs;
  const isDue = token !== undefined && token.disposedAt === undefined;
  return isDue && expiresAt - token.expiresAt >= SERVER_LIMITS.tokenEveryMs
    ? [put("tokens", { ...token, expiresAt })]
    : [];
}

/** Whether the session still exists: its user may have signed out, been removed, or got another password. */
export function isSessionOpen(
  tables: GuideTables,
  { tokenId, userId }: { readonly tokenId: string; readonly userId: string },
  now: EpochMs,
): boolean {
  const stored = tables.tokens.get(tokenId);
  return (
    stored !== undefined &&
    stored.disposedAt === undefined &&
    stored.expiresAt > now &&
    tables.users.has(userId)
  );
}

function sessionOf(tables: GuideTables | undefined, { email, token: secret }: Claim): Session | undefined {
  if (tables === undefined) return undefined;
  const token = tables.tokens.get(hashOf(secret ?? ""));
  const user = token === undefined ? undefined : tables.users.get(token.userId);
  const account = user === undefined ? undefined : tables.accounts.get(user.accountId);
  return token !== undefined &&
    user !== undefined &&
    account !== undefined &&
    user.id === normalName(email ?? "")
    ? { account, user, token, tables }
    : undefined;
}

/** Ends a token. A token that was logged out or has expired is not found; any other mismatch is a wrong credential. */
export async function disposeToken(
  store: GuideStore,
  claim: Claim,
  now: EpochMs,
): Promise<undefined | Refusal> {
  const known = sessionOf(await store.holding("tokens", hashOf(claim.token ?? "")), claim);
  if (known === undefined) return unauthorized("The e-mail address and the token do not match.");
  return store.commit(known.account.id, ({ tokens }): Decision<undefined> => {
    const token = tokens.get(known.token.id);
    if (token === undefined || token.disposedAt !== undefined || token.expiresAt <= now)
      return notFound("This token was already revoked.");
    return { changes: [put("tokens", { ...token, disposedAt: now })], value: undefined };
  });
}
