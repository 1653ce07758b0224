import type { Document } from "../../guide/documents.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Decision, GuideStore } from "../data/store.ts";
import type { Account, GuideTables, OwnedDevice } from "../data/tables.ts";
import { isRefusal, type Refusal, tooManyLogins, unauthorized } from "../refusal.ts";
import {
  accountByEmail,
  addAccount,
  addToken,
  checkNewAccount,
  type NewToken,
  normalEmail,
} from "./accounts.ts";
import { deviceForLogin } from "./devices.ts";
import { hear } from "./heard.ts";
import { LoginLimits } from "./login-limits.ts";
import { Passwords } from "./passwords.ts";

export interface SignedIn {
  readonly account: Account;
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

/** Signs accounts in, and makes new ones. Passwords are nowhere kept but as hashes. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #passwords = new Passwords();
  readonly #limits = new LoginLimits();

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** Whether what accounts tell of the broadcast is for all to see: not where anybody may make one. */
  get takesGuide(): boolean {
    return !this.#options.allowSignUp;
  }

  async addAccount({ email, password, regionId }: NewAccount): Promise<Account | Refusal> {
    const { store, clock } = this.#options;
    const region = regionId ?? firstRegion(store.tables);
    const refusal = checkNewAccount(store.tables, { email, password, regionId: region });
    if (refusal !== undefined) return refusal;
    const hash = await this.#passwords.hash(password);
    if (isRefusal(hash)) return hash;
    return store.commit((tables) =>
      addAccount(tables, { email, password: hash, regionId: region }, clock.now()),
    );
  }

  get allowsSignUp(): boolean {
    return this.#options.allowSignUp;
  }

  /** Whether that is an account's password; guesses count together with failed logins. */
  async isRight(email: string, password: string, address: string): Promise<boolean> {
    const { store, clock } = this.#options;
    const origin = { email: normalEmail(email), address };
    if (this.#limits.begin(origin, clock.monotonicMs()) !== undefined) return false;
    const known = accountByEmail(store.tables, email);
    const matches = await this.#passwords.matches(password, known?.password);
    const isRight = known !== undefined && matches === true;
    if (isRight || isRefusal(matches)) this.#limits.forgive(origin, clock.monotonicMs());
    return isRight;
  }

  /** Makes an account on its own; counted as logins are that make one. */
  async signUp(account: NewAccount, address: string): Promise<Account | Refusal> {
    const { clock } = this.#options;
    const origin = { email: normalEmail(account.email), address };
    const waitMs = this.#limits.begin(origin, clock.monotonicMs());
    if (waitMs !== undefined) return tooManyLogins(waitMs);
    const made = await this.addAccount(account);
    if (isRefusal(made)) this.#limits.forgive(origin, clock.monotonicMs());
    return made;
  }

  /** @param address of the peer: failed logins are counted by it too */
  async signIn({ member, device }: Document<"login-request">, address: string): Promise<SignedIn | Refusal> {
    const { store, clock } = this.#options;
    const origin = { email: normalEmail(member.email_address), address };
    const waitMs = this.#limits.begin(origin, clock.monotonicMs());
    if (waitMs !== undefined) return tooManyLogins(waitMs);
    const known = accountByEmail(store.tables, member.email_address);
    const account = await this.#accountOf(member, known);
    // A guess counts, and so does a new account; a malformed order or a busy server tells nobody anything.
    const counts = isRefusal(account) ? account.status === 401 : known === undefined;
    if (!counts) this.#limits.forgive(origin, clock.monotonicMs());
    if (isRefusal(account)) return account;
    return store.commit((tables) => signedIn(tables, account, { device, now: clock.now() }));
  }

  async #accountOf(
    { email_address: email, password, region_id }: Document<"login-request">["member"],
    known: Account | undefined,
  ): Promise<Account | Refusal> {
    const { allowSignUp } = this.#options;
    if (known === undefined && allowSignUp) {
      return this.addAccount({
        email,
        password,
        ...(region_id === undefined ? {} : { regionId: region_id }),
      });
    }
    const matches = await this.#passwords.matches(password, known?.password);
    if (isRefusal(matches)) return matches;
    if (known === undefined || !matches) {
      return unauthorized("The e-mail address and the password are not valid together.");
    }
    return known;
  }
}

function firstRegion(tables: GuideTables): number {
  const [first] = tables.regions.values();
  return first?.id ?? 0;
}

function signedIn(
  tables: GuideTables,
  account: Account,
  { device: order, now }: { readonly device: Document<"login-request">["device"]; readonly now: number },
): Decision<SignedIn> {
  if (order === undefined) {
    const token = addToken(tables, account, { deviceId: undefined, now });
    return { changes: token.changes, value: { account, token: token.value } };
  }
  const device = deviceForLogin(tables, account, order);
  if (isRefusal(device)) return { ...device, field: `device.${device.field ?? ""}` };
  const token = addToken(tables, account, { deviceId: device.value?.id, now });
  return {
    changes: [...token.changes, ...device.changes, ...hear(tables, device.value, now)],
    value: { account, token: token.value, ...(device.value === undefined ? {} : { device: device.value }) },
  };
}
