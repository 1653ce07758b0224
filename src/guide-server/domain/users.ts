import type { EpochMs } from "../../model/time.ts";
import type { Decision } from "../data/decision.ts";
import type { GuideStore } from "../data/store.ts";
import {
  type Account,
  type Change,
  type GuideTables,
  put,
  RIGHTS,
  type Rights,
  remove,
  type User,
} from "../data/tables.ts";
import { normalName } from "../data/user-name.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { isRefusal, notAcceptable, notFound, type Refusal } from "../refusal.ts";

/** The household's users, by name. */
export function usersOf(tables: GuideTables, account: Account): readonly User[] {
  const own = [...tables.users.values()].filter(({ accountId }) => accountId === account.id);
  return own.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The user with this name on the whole server. */
export async function userNamed(store: Pick<GuideStore, "holding">, name: string): Promise<User | undefined> {
  const id = normalName(name);
  return (await store.holding("users", id))?.users.get(id);
}

/** `undefined` also for a user of another household. */
export function userOf(tables: GuideTables, account: Account, name: string): User | undefined {
  const user = tables.users.get(normalName(name));
  return user?.accountId === account.id ? user : undefined;
}

/** @param field the request's field, for the refusal */
export function checkPassword(password: string, field: string): Refusal | undefined {
  const { passwordLengthMin: min, passwordLengthMax: max } = SERVER_LIMITS;
  return password.length < min || password.length > max
    ? notAcceptable(field, `A password must have ${min} to ${max} characters.`)
    : undefined;
}

/** The accounts with a name: that of a user, or of the founder. */
export interface NameHolders {
  readonly user: string | undefined;
  readonly founded: string | undefined;
}

/** The accounts that hold this name. Of two new users with one name at the same time, the store refuses one. */
export async function holdersOf(
  { directory }: Pick<GuideStore, "directory">,
  name: string,
): Promise<NameHolders> {
  const wanted = normalName(name);
  return {
    user: await directory.accountOfUser(wanted),
    founded: await directory.accountOfEmail(wanted),
  };
}

export function isTaken({ user, founded }: NameHolders): boolean {
  return user !== undefined || founded !== undefined;
}

/** Letters and digits of any script: names appear in addresses, lists and logs. */
const NAME = /^[\p{L}\p{M}\p{N}._@+-]+$/u;

export interface UserOrder {
  readonly name: string;
  readonly password: string;
  readonly rights: string;
}

/** Checks a new user except for its password. */
export function checkNewUser(
  tables: GuideTables,
  account: Account,
  { name, rights, holders }: Pick<UserOrder, "name" | "rights"> & { readonly holders: NameHolders },
): Refusal | undefined {
  const { nameLength, usersPerAccount } = SERVER_LIMITS;
  if (!NAME.test(normalName(name)) || name.length > nameLength) {
    return notAcceptable(
      "name",
      `A name must have 1 to ${nameLength} letters, digits and . _ @ + - without spaces.`,
    );
  }
  // The founder of a household may return to it; the name of another household's founder stays reserved.
  const isOwn = account.email === normalName(name) && holders.user === undefined;
  if (isTaken(holders) && !isOwn) {
    return notAcceptable("name", "This name is already in use on this server: choose another one.");
  }
  if (usersOf(tables, account).length >= usersPerAccount) {
    return notAcceptable("users", `A household can have at most ${usersPerAccount} users.`);
  }
  const known = rightsOf(rights);
  return isRefusal(known) ? known : undefined;
}

function rightsOf(text: string): Rights | Refusal {
  const known = RIGHTS.find((one) => one === text);
  return known ?? notAcceptable("rights", `The rights are none of ${RIGHTS.join(", ")}.`);
}

/** @param order its password is hashed */
export function addUser(
  tables: GuideTables,
  account: Account,
  {
    order,
    holders,
    now,
  }: { readonly order: UserOrder; readonly holders: NameHolders; readonly now: EpochMs },
): Decision<User> {
  const refusal = checkNewUser(tables, account, { ...order, holders });
  if (refusal !== undefined) return refusal;
  const rights = rightsOf(order.rights);
  if (isRefusal(rights)) return rights;
  const { name, password } = order;
  const user = { id: normalName(name), accountId: account.id, password, rights, createdAt: now };
  return { changes: [put("users", user)], value: user };
}

export interface UserChange {
  /** Omitted fields stay. */
  readonly password?: string | undefined;
  readonly rights?: string | undefined;
}

/** Changes a user and ends its sessions, those of its boxes too. @param change its password is hashed */
export function changeUser(
  tables: GuideTables,
  account: Account,
  { name, change }: { readonly name: string; readonly change: UserChange },
): Decision<User> {
  const user = userOf(tables, account, name);
  if (user === undefined) return NO_USER;
  const rights = rightsOf(change.rights ?? user.rights);
  if (isRefusal(rights)) return rights;
  if (rights !== "owner" && isLastOwner(tables, user)) return LAST_OWNER;
  const { password = user.password } = change;
  if (rights === user.rights && password === user.password) return { changes: [], value: user };
  const changed = { ...user, rights, password };
  return { changes: [put("users", changed), ...endedSessions(tables, user)], value: changed };
}

/** Removes a user. Its timers and rules stay with the household. */
export function removeUser(tables: GuideTables, account: Account, name: string): Decision<undefined> {
  const user = userOf(tables, account, name);
  if (user === undefined) return NO_USER;
  if (isLastOwner(tables, user)) return LAST_OWNER;
  return { changes: [remove("users", user.id), ...endedSessions(tables, user)], value: undefined };
}

export function openSessions(tables: GuideTables, user: User, now: EpochMs): number {
  const tokens = [...tables.tokens.values()].filter(({ userId }) => userId === user.id);
  return tokens.filter(({ expiresAt, disposedAt }) => expiresAt > now && disposedAt === undefined).length;
}

const NO_USER = notFound("The household has no such user: see GET users.");
const LAST_OWNER = notAcceptable("rights", "A household needs an owner: make another user an owner first.");

function isLastOwner(tables: GuideTables, user: User): boolean {
  const others = [...tables.users.values()].filter(
    ({ id, accountId, rights }) => accountId === user.accountId && id !== user.id && rights === "owner",
  );
  return user.rights === "owner" && others.length === 0;
}

function endedSessions(tables: GuideTables, user: User): readonly Change[] {
  return (["tokens", "visits"] as const).flatMap((table) =>
    [...tables[table].values()].filter(({ userId }) => userId === user.id).map(({ id }) => remove(table, id)),
  );
}
