/** Names and tokens of all accounts, and whom they belong to. It gives no access to the records of an account. */
export interface Directory {
  /** The account of the user with this name (user-name.ts). */
  accountOfUser(name: string): string | undefined;
  /** @param id the SHA-256 of the token */
  accountOfToken(id: string): string | undefined;
  /** The account that was created with this address. */
  accountOfEmail(email: string): string | undefined;
  /** All accounts, the first created one first. */
  accountIds(): readonly string[];
  readonly accounts: number;
  readonly users: number;
  /** The types of all devices. */
  deviceTypes(): readonly number[];
}
