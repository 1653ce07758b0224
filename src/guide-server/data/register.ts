import type { Directory } from "./directory.ts";
import type { Account, Change, OwnedDevice, RecordOf, TableName, User } from "./tables.ts";

/** A directory that follows the changes of the records. */
export class Register implements Directory {
  readonly #users = new Map<string, string>();
  readonly #tokens = new Map<string, string>();
  readonly #emails = new Map<string, string>();
  readonly #accounts = new Set<string>();
  readonly #devices = new Map<string, { readonly accountId: string; readonly typeId: number }>();
  readonly #types = new Map<number, number>();

  accountOfUser(name: string): string | undefined {
    return this.#users.get(name);
  }

  accountOfToken(id: string): string | undefined {
    return this.#tokens.get(id);
  }

  accountOfEmail(email: string): string | undefined {
    return this.#emails.get(email);
  }

  accountOfDevice(id: string): string | undefined {
    return this.#devices.get(id)?.accountId;
  }

  accountIds(): readonly string[] {
    return [...this.#accounts];
  }

  get accounts(): number {
    return this.#accounts.size;
  }

  get users(): number {
    return this.#users.size;
  }

  deviceTypes(): readonly number[] {
    return [...this.#types.keys()];
  }

  /** Called for every change, with the record before it. */
  record(change: Change, before: RecordOf<TableName> | undefined): void {
    const id = change.kind === "put" ? String(change.record.id) : change.id;
    const after = change.kind === "put" ? change.record : undefined;
    if (change.table === "accounts") this.#recordAccount(before as Account | undefined, after as Account);
    if (change.table === "devices") this.#recordDevice(id, after as OwnedDevice | undefined);
    const owners = { users: this.#users, tokens: this.#tokens } as const;
    if (change.table === "users" || change.table === "tokens") {
      const owned = after as User | undefined;
      if (owned === undefined) owners[change.table].delete(id);
      else owners[change.table].set(id, owned.accountId);
    }
  }

  #recordAccount(before: Account | undefined, after: Account | undefined): void {
    if (before !== undefined) this.#emails.delete(before.email);
    if (after !== undefined) {
      this.#emails.set(after.email, after.id);
      this.#accounts.add(after.id);
    } else if (before !== undefined) this.#accounts.delete(before.id);
  }

  #recordDevice(id: string, after: OwnedDevice | undefined): void {
    const before = this.#devices.get(id);
    if (before !== undefined) this.#count(before.typeId, -1);
    if (after === undefined) this.#devices.delete(id);
    else {
      this.#devices.set(id, { accountId: after.accountId, typeId: after.typeId });
      this.#count(after.typeId, 1);
    }
  }

  #count(typeId: number, change: 1 | -1): void {
    const count = (this.#types.get(typeId) ?? 0) + change;
    if (count > 0) this.#types.set(typeId, count);
    else this.#types.delete(typeId);
  }
}
