import type { Document } from "../../guide/documents.ts";
import type { Clock } from "../../kit/clock.ts";
import { Guesses } from "../../kit/guesses.ts";
import type { Decision, GuideStore } from "../data/store.ts";
import type { Account, GuideTables, OwnedDevice, User } from "../data/tables.ts";
import { normalName } from "../data/user-name.ts";
import { isRefusal, notAcceptable, type Refusal, tooManyLogins, unauthorized } from "../refusal.ts";
import { addAccount, addToken, checkNewAccount, type NewToken } from "./accounts.ts";
import { deviceForLogin } from "./devices.ts";
import { hear } from "./heard.ts";
import { passwordHash, passwordMatches } from "./passwords.ts";
import { may } from "./rights.ts";
import {
  addUser,
  changeUser,
  checkNewUser,
  checkPassword,
  type UserChange,
  type UserOrder,
  userNamed,
} from "./users.ts";

export interface SignedIn {
  readonly account: Account;
  readonly user: User;
  readonly token: NewToken;
  readonly device?: OwnedDevice;
}

export interface SignInOptions {
  readonly store: GuideStore;
  readonly clock: Clock;
  /** Whether a login with an unknown e-mail address makes an account. */
  readonly allowSignUp: boolean;
}

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  /** The first region when it is left out. */
  readonly regionId?: number;
}

/** Signs users in, and makes new ones. Passwords are nowhere kept but as hashes. */
export class SignIn {
  readonly #options: SignInOptions;
  /** Of the interface of clients and of the pages together. */
  readonly guesses = new Guesses();

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** Whether what accounts tell of the broadcast is for all to see: not where anybody may make one. */
  get takesGuide(): boolean {
    return !this.#options.allowSignUp;
  }

  async addAccount(order: NewAccount): Promise<Account | Refusal> {
    const made = await this.#addAccount(order);
    return isRefusal(made) ? made : made.account;
  }

  async addUser(account: Account, order: UserOrder): Promise<User | Refusal> {
    const { store, clock } = this.#options;
    const refusal = checkNewUser(store.tables, account, order) ?? checkPassword(order.password, "password");
    if (refusal !== undefined) return refusal;
    const password = await passwordHash(order.password);
    if (isRefusal(password)) return password;
    return store.commit((tables) =>
      addUser(tables, account, { order: { ...order, password }, now: clock.now() }),
    );
  }

  async changeUser(account: Account, name: string, change: UserChange): Promise<User | Refusal> {
    const { store } = this.#options;
    if (change.password === undefined) {
      return store.commit((tables) => changeUser(tables, account, { name, change }));
    }
    const weak = checkPassword(change.password, "password");
    if (weak !== undefined) return weak;
    const password = await passwordHash(change.password);
    if (isRefusal(password)) return password;
    return store.commit((tables) => changeUser(tables, account, { name, change: { ...change, password } }));
  }

  /** @param address of the peer: failed logins are counted by it too */
  async signIn({ member, device }: Document<"login-request">, address: string): Promise<SignedIn | Refusal> {
    const { store, clock } = this.#options;
    const origin = { name: normalName(member.email_address), address };
    const waitMs = this.guesses.begin(origin, clock.monotonicMs());
    if (waitMs !== undefined) return tooManyLogins(waitMs);
    const known = userNamed(store.tables, member.email_address);
    const user = await this.#userOf(member, known);
    // A guess counts, and so does a new account; a malformed order or a busy server tells nobody anything.
    const counts = isRefusal(user) ? user.status === 401 : known === undefined;
    if (!counts && isRefusal(user)) this.guesses.forgive(origin, clock.monotonicMs());
    else if (!counts) this.guesses.prove(origin, clock.monotonicMs());
    if (isRefusal(user)) return user;
    return store.commit((tables) => signedIn(tables, user, { device, now: clock.now() }));
  }

  async #addAccount({ email, password, regionId }: NewAccount) {
    const { store, clock } = this.#options;
    const region = regionId ?? firstRegion(store.tables);
    const refusal = checkNewAccount(store.tables, { email, password, regionId: region });
    if (refusal !== undefined) return refusal;
    const hash = await passwordHash(password);
    if (isRefusal(hash)) return hash;
    return store.commit((tables) =>
      addAccount(tables, { email, password: hash, regionId: region }, clock.now()),
    );
  }

  get allowsSignUp(): boolean {
    return this.#options.allowSignUp;
  }

  /** Whether there is no account yet. */
  get awaitsFirst(): boolean {
    return this.#options.store.tables.accounts.size === 0;
  }

  /** Whether that is a user's password. The caller counts guesses. */
  async isRight(name: string, password: string): Promise<boolean | "busy"> {
    const known = userNamed(this.#options.store.tables, name);
    const matches = await passwordMatches(password, known?.password);
    return isRefusal(matches) ? "busy" : known !== undefined && matches;
  }

  /** Makes an account on its own; counted as logins are that make one. */
  async signUp(account: NewAccount, address: string): Promise<Account | Refusal> {
    const { clock } = this.#options;
    const origin = { name: normalName(account.email), address };
    const waitMs = this.guesses.begin(origin, clock.monotonicMs());
    if (waitMs !== undefined) return tooManyLogins(waitMs);
    const made = await this.addAccount(account);
    if (isRefusal(made)) this.guesses.forgive(origin, clock.monotonicMs());
    return made;
  }

  async #userOf(
    { email_address: email, password, region_id }: Document<"login-request">["member"],
    known: User | undefined,
  ): Promise<User | Refusal> {
    const { allowSignUp } = this.#options;
    if (known === undefined && allowSignUp) {
      const region = region_id === undefined ? {} : { regionId: region_id };
      const made = await this.#addAccount({ email, password, ...region });
      return isRefusal(made) ? made : made.user;
    }
    const matches = await passwordMatches(password, known?.password);
    if (isRefusal(matches)) return matches;
    return known === undefined || !matches ? WRONG : known;
  }
}

const WRONG = unauthorized("The e-mail address and the password are not valid together.");
const NO_RECORDER = notAcceptable(
  "device",
  "This user may only read, and a recorder tells what it does: sign it in as another one.",
);

function firstRegion(tables: GuideTables): number {
  const [first] = tables.regions.values();
  return first?.id ?? 0;
}

function signedIn(
  tables: GuideTables,
  proven: User,
  { device: order, now }: { readonly device: Document<"login-request">["device"]; readonly now: number },
): Decision<SignedIn> {
  // While the password was looked at, the user may have been removed or changed.
  const user = tables.users.get(proven.id);
  const account = tables.accounts.get(proven.accountId);
  if (user?.password !== proven.password || account === undefined) return WRONG;
  if (order === undefined) {
    const token = addToken(tables, user, { deviceId: undefined, now });
    return { changes: token.changes, value: { account, user, token: token.value } };
  }
  if (!may(user.rights, "write")) return NO_RECORDER;
  const device = deviceForLogin(tables, account, order);
  if (isRefusal(device)) return { ...device, field: `device.${device.field ?? ""}` };
  const token = addToken(tables, user, { deviceId: device.value?.id, now });
  const own = device.value === undefined ? {} : { device: device.value };
  return {
    changes: [...token.changes, ...device.changes, ...hear(tables, device.value, now)],
    value: { account, user, token: token.value, ...own },
  };
}
