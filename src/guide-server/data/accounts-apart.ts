import assert from "node:assert/strict";
import { Register } from "./register.ts";
import type { ReadShows } from "./show.ts";
import {
  type Change,
  type GuideTables,
  type RecordOf,
  type Rule,
  TABLE_NAMES,
  type TableName,
} from "./tables.ts";

/** Tables whose records belong to one account each. All others are the catalogue, which all accounts share. */
const OF_ACCOUNTS: ReadonlySet<TableName> = new Set([
  "accounts",
  "users",
  "tokens",
  "devices",
  "timers",
  "rules",
  "episodes",
  "favourites",
  "heard",
  "received",
  "logs",
]);

/** The account of records whose account is unknown, such as the episodes of a device that was removed. */
const NOBODY = "";

type OpenTables = Readonly<Record<TableName, Map<string, unknown>>>;

/**
 * The records in memory, those of each account apart from all others: a decision sees the records of one account and
 * the catalogue, whatever it asks for, and its cost does not grow with the number of accounts.
 */
export class AccountsApart {
  readonly directory = new Register();
  /** The catalogue alone: it contains no record of an account. */
  readonly catalogue: GuideTables;
  readonly #shared: OpenTables;
  readonly #shows: ReadShows;
  readonly #accounts = new Map<string, { readonly open: OpenTables; readonly tables: GuideTables }>();

  constructor(shows: ReadShows) {
    this.#shows = shows;
    this.#shared = tablesOf(() => new Map());
    this.catalogue = this.#readable(this.#shared);
  }

  /** The records of an account and the catalogue; the same object for as long as the store is open. */
  of(accountId: string): GuideTables {
    return this.#accounts.get(accountId)?.tables ?? this.catalogue;
  }

  /** The rules of all accounts. */
  *rules(): Generator<Rule> {
    for (const { tables } of this.#accounts.values()) yield* tables.rules.values();
  }

  /** All records of a table: account by account, each in the order of additions. */
  *all<T extends TableName>(table: T): Generator<RecordOf<T>> {
    const parts = OF_ACCOUNTS.has(table)
      ? [...this.#accounts.values()].map(({ open }) => open)
      : [this.#shared];
    for (const open of parts) yield* open[table].values() as Iterable<RecordOf<T>>;
  }

  /**
   * @param scope the account that the change was decided for; absent for changes of the catalogue or of a new account
   * @returns the record before the change
   */
  apply(change: Change, scope: string | undefined): RecordOf<TableName> | undefined {
    const table = this.#tableOf(change, scope);
    const id = change.kind === "put" ? String(change.record.id) : change.id;
    const before = table.get(id) as RecordOf<TableName> | undefined;
    if (change.kind === "put") table.set(id, change.record);
    else table.delete(id);
    this.directory.record(change, before);
    return before;
  }

  #tableOf(change: Change, scope: string | undefined): Map<string, unknown> {
    if (!OF_ACCOUNTS.has(change.table)) return this.#shared[change.table];
    const owner = change.kind === "put" ? this.#ownerOf(change) : scope;
    const account = owner ?? scope ?? NOBODY;
    assert(scope === undefined || account === scope, "a change concerns another account than the decision");
    return this.#open(account)[change.table];
  }

  #ownerOf({ table, record }: Extract<Change, { kind: "put" }>): string | undefined {
    if (table === "accounts") return record.id;
    if (table === "heard") return this.directory.accountOfDevice(record.id);
    if (table === "episodes") return this.directory.accountOfDevice(String(record.deviceId));
    return "accountId" in record ? record.accountId : undefined;
  }

  #open(accountId: string): OpenTables {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known.open;
    const open = tablesOf((name) => (OF_ACCOUNTS.has(name) ? new Map() : this.#shared[name]));
    this.#accounts.set(accountId, { open, tables: this.#readable(open) });
    return open;
  }

  #readable(open: OpenTables): GuideTables {
    return { ...open, shows: this.#shows, directory: this.directory } as unknown as GuideTables;
  }
}

function tablesOf(make: (name: TableName) => Map<string, unknown>): OpenTables {
  return Object.fromEntries(TABLE_NAMES.map((name) => [name, make(name)])) as unknown as OpenTables;
}
