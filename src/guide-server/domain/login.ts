import { z } from "zod";
import type { Document } from "../../guide-wire/documents.ts";
import { SignInLimiter } from "../../kit/http/sign-in-limiter.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Decision } from "../data/decision.ts";
import type { GuideStore } from "../data/store.ts";
import type { Account, GuideTables, OwnedDevice, User } from "../data/tables.ts";
import { normalName } from "../data/user-name.ts";
import { isRefusal, notAcceptable, type Refusal, tooManyLogins, unauthorized } from "../refusal.ts";
import { type AccountOrder, addAccount, addToken, checkNewAccount, type NewToken } from "./accounts.ts";
import { recordContact } from "./device-contact.ts";
import { checkDevice, deviceForLogin } from "./devices.ts";
import { Passwords } from "./passwords.ts";
import { isAllowed } from "./rights.ts";
import {
  addUser,
  changeUser,
  checkNewUser,
  checkPassword,
  holdersOf,
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
  /** Whether a login with an unknown e-mail address creates an account. */
  readonly allowSignUp: boolean;
  /** The N of scrypt for new hashes; absent: that of `hashPassword`. */
  readonly passwordCost?: number | undefined;
}

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  /** Defaults to the first region. */
  readonly regionId?: number;
}

/** A sign-in that another process has counted. */
const Told = z.strictObject({
  is: z.enum(["begun", "forgiven", "proven"]),
  name: z.string().optional(),
  address: z.string(),
});

/** Signs users in and creates accounts and users. Passwords are stored only as hashes. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #passwords: Passwords;
  /** Shared by the clients' API and the pages, and by all processes of a database: more of them allow no more guesses. */
  readonly guesses: SignInLimiter;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#passwords = new Passwords(options.passwordCost);
    const { store, clock } = options;
    this.guesses = new SignInLimiter((guess) => store.others.tell(JSON.stringify(guess)));
    store.others.hear((text) => this.guesses.hear(Told.parse(JSON.parse(text)), clock.monotonicMs()));
  }

  /** Whether every account sees the EPG that accounts send: not if anybody may sign up. */
  get takesGuide(): boolean {
    return !this.#options.allowSignUp;
  }

  async addAccount(order: NewAccount): Promise<Account | Refusal> {
    const made = await this.#addAccount(order);
    return isRefusal(made) ? made : made.account;
  }

  async addUser(account: Account, order: UserOrder): Promise<User | Refusal> {
    const { store, clock } = this.#options;
    const holders = await holdersOf(store, order.name);
    const refusal =
      checkNewUser(await store.of(account.id), account, { ...order, holders }) ??
      checkPassword(order.password, "password");
    if (refusal !== undefined) return refusal;
    const password = await this.#passwords.hash(order.password);
    if (isRefusal(password)) return password;
    return store.commit(account.id, (tables) =>
      addUser(tables, account, { order: { ...order, password }, holders, now: clock.now() }),
    );
  }

  async changeUser(account: Account, name: string, change: UserChange): Promise<User | Refusal> {
    const { store } = this.#options;
    if (change.password === undefined) {
      return store.commit(account.id, (tables) => changeUser(tables, account, { name, change }));
    }
    const weak = checkPassword(change.password, "password");
    if (weak !== undefined) return weak;
    const password = await this.#passwords.hash(change.password);
    if (isRefusal(password)) return password;
    return store.commit(account.id, (tables) =>
      changeUser(tables, account, { name, change: { ...change, password } }),
    );
  }

  /**
   * Creates account, device and token together, or nothing if the login is refused.
   *
   * @param address of the peer; failed logins are also counted by address
   */
  async signIn({ member, device }: Document<"login-request">, address: string): Promise<SignedIn | Refusal> {
    const { store, clock, allowSignUp } = this.#options;
    const origin = { name: normalName(member.email_address), address };
    const waitMs = this.guesses.begin(origin, clock.monotonicMs());
    if (waitMs !== undefined) return tooManyLogins(waitMs);
    const known = await userNamed(store, member.email_address);
    const isNew = known === undefined && allowSignUp;
    const entering = isNew ? await this.#newcomer(member, device) : await this.#provenUser(member, known);
    if (isRefusal(entering)) {
      // A malformed order or a busy server reveals nothing; a wrong guess counts.
      if (entering.status !== 401) this.guesses.forgive(origin, clock.monotonicMs());
      return entering;
    }
    const decide = (tables: GuideTables) => signInUser(tables, entering, { device, now: clock.now() });
    if (entering.kind === "known") {
      this.guesses.prove(origin, clock.monotonicMs());
      return await store.commit(entering.user.accountId, decide);
    }
    const made = await store.commitShared(decide);
    if (!isRefusal(made)) this.guesses.proveNew(origin, clock.monotonicMs());
    return made;
  }

  async #addAccount({ email, password, regionId }: NewAccount) {
    const { store, clock } = this.#options;
    const region = regionId ?? firstRegion(store.catalogue);
    const refusal = checkNewAccount(store.catalogue, { email, password, regionId: region });
    if (refusal !== undefined) return refusal;
    const hash = await this.#passwords.hash(password);
    if (isRefusal(hash)) return hash;
    const holders = await holdersOf(store, email);
    return store.commitShared((tables) =>
      addAccount(tables, { email, password: hash, regionId: region, holders }, clock.now()),
    );
  }

  get allowsSignUp(): boolean {
    return this.#options.allowSignUp;
  }

  /** Whether there is no account yet. */
  get awaitsFirst(): boolean {
    return !this.#options.store.directory.hasAccounts;
  }

  /** Whether this is the user's password. The caller counts guesses. */
  async isRight(name: string, password: string): Promise<boolean | "busy"> {
    const known = await userNamed(this.#options.store, name);
    const matches = await this.#passwords.matches(password, known?.password);
    return isRefusal(matches) ? "busy" : known !== undefined && matches;
  }

  /** Creates an account without a device; counts like a login that creates one. */
  async signUp(account: NewAccount, address: string): Promise<Account | Refusal> {
    const { clock } = this.#options;
    const origin = { name: normalName(account.email), address };
    const waitMs = this.guesses.begin(origin, clock.monotonicMs());
    if (waitMs !== undefined) return tooManyLogins(waitMs);
    const made = await this.addAccount(account);
    if (isRefusal(made)) this.guesses.forgive(origin, clock.monotonicMs());
    else this.guesses.proveNew(origin, clock.monotonicMs());
    return made;
  }

  /** Checks the whole order before hashing the password, which is the costly part. */
  async #newcomer(
    { email_address: email, password, region_id }: Member,
    device: Document<"login-request">["device"],
  ): Promise<LoginUser | Refusal> {
    const { catalogue: tables } = this.#options.store;
    const order = { email, password, regionId: region_id ?? firstRegion(tables) };
    const refusal = checkNewAccount(tables, order) ?? refusedDevice(device && checkDevice(device));
    if (refusal !== undefined) return refusal;
    const hash = await this.#passwords.hash(password);
    if (isRefusal(hash)) return hash;
    const holders = await holdersOf(this.#options.store, email);
    return { kind: "new", order: { ...order, password: hash, holders } };
  }

  async #provenUser({ password }: Member, known: User | undefined): Promise<LoginUser | Refusal> {
    const matches = await this.#passwords.matches(password, known?.password);
    if (isRefusal(matches)) return matches;
    return known === undefined || !matches ? WRONG_PASSWORD : { kind: "known", user: known };
  }
}

type Member = Document<"login-request">["member"];

/** A user with the right password, or the order for a new account. */
type LoginUser =
  | { readonly kind: "known"; readonly user: User }
  | { readonly kind: "new"; readonly order: AccountOrder };

const WRONG_PASSWORD = unauthorized("The e-mail address or the password is wrong.");
const NO_RECORDER = notAcceptable(
  "device",
  "This user may only read, but a recorder must report its timers: sign in as another user.",
);

function firstRegion(tables: GuideTables): number {
  const [first] = tables.regions.values();
  return first?.id ?? 0;
}

function refusedDevice<T extends Refusal | undefined>(refusal: T): T {
  return refusal === undefined ? refusal : { ...refusal, field: `device.${refusal.field ?? ""}` };
}

interface LoginDevice {
  readonly device: Document<"login-request">["device"];
  readonly now: EpochMs;
}

function signInUser(tables: GuideTables, entering: LoginUser, arrival: LoginDevice): Decision<SignedIn> {
  const made = entering.kind === "new" ? addAccount(tables, entering.order, arrival.now) : undefined;
  if (isRefusal(made)) return made;
  const who =
    made?.value ?? (entering.kind === "known" ? unchangedUser(tables, entering.user) : WRONG_PASSWORD);
  if (isRefusal(who)) return who;
  const arrived = withDeviceToken(tables, who, arrival);
  if (isRefusal(arrived)) return arrived;
  return { changes: [...(made?.changes ?? []), ...arrived.changes], value: arrived.value };
}

interface AccountUser {
  readonly account: Account;
  readonly user: User;
}

/** The user may have been removed or changed during the password check. */
function unchangedUser({ users, accounts }: GuideTables, proven: User): AccountUser | Refusal {
  const user = users.get(proven.id);
  const account = accounts.get(proven.accountId);
  return user?.password !== proven.password || account === undefined ? WRONG_PASSWORD : { account, user };
}

function withDeviceToken(
  tables: GuideTables,
  who: AccountUser,
  { device: order, now }: LoginDevice,
): Decision<SignedIn> {
  const { account, user } = who;
  if (order === undefined) {
    const token = addToken(tables, user, { deviceId: undefined, now });
    return { changes: token.changes, value: { ...who, token: token.value } };
  }
  if (!isAllowed(user.rights, "write")) return NO_RECORDER;
  const device = deviceForLogin(tables, account, { order, now });
  if (isRefusal(device)) return refusedDevice(device);
  const token = addToken(tables, user, { deviceId: device.value?.id, now });
  const own = device.value === undefined ? {} : { device: device.value };
  return {
    changes: [...token.changes, ...device.changes, ...recordContact(tables, device.value, now)],
    value: { ...who, token: token.value, ...own },
  };
}
