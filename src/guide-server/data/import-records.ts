import { randomBytes } from "node:crypto";
import { CATALOGUE, type Engine, NOBODY, type OwnedChange } from "./engine.ts";
import { type Change, type Counter, isOfAccounts, put, type RecordOf, type TableName } from "./tables.ts";

/** A record with its table. */
export type TableRecord = { [T in TableName]: readonly [table: T, record: RecordOf<T>] }[TableName];

/**
 * Stores records from elsewhere in a database that no server uses. Accounts and devices must come before what belongs
 * to them. Interrupted, it can be repeated.
 */
export class RecordsImport {
  readonly #engine: Engine;
  readonly #versions = new Map<string, string>();
  readonly #accounts = new Map<string, string>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** @returns after they are on the disk. @throws RecorderdError STORE_WRITE_FAILED */
  async add(records: readonly TableRecord[]): Promise<void> {
    const counters: Counter[] = [];
    const changes: OwnedChange[] = [];
    for (const [table, record] of records) {
      if (table === "counters") counters.push(record);
      else changes.push(this.#owned(put(table, record as RecordOf<TableName>)));
    }
    const owners = [...new Set(changes.map(({ owner }) => owner))];
    const moves = await Promise.all(
      owners.map(async (owner) => {
        const from = this.#versions.get(owner) ?? (await this.#engine.versionOf(owner));
        const to = randomBytes(9).toString("base64url");
        this.#versions.set(owner, to);
        return { owner, from, to };
      }),
    );
    // Nobody knows which of their shows the timers have followed.
    const booked = records.flatMap(([table, record]) =>
      table === "timers" && record.showId !== 0 ? [record.showId] : [],
    );
    if (booked.length > 0) await this.#engine.addUnfollowed(booked);
    const [outcome] = await this.#engine.write([{ moves, changes, counters }]);
    if (outcome !== "written") throw new Error(`records could not be imported: ${outcome}`);
  }

  #owned(change: Change): OwnedChange {
    return { ...change, owner: change.kind === "put" ? this.#ownerOf(change) : NOBODY };
  }

  #ownerOf({ table, record }: Extract<Change, { kind: "put" }>): string {
    if (!isOfAccounts(table)) return CATALOGUE;
    if (table === "accounts") return record.id;
    if (table === "devices") this.#accounts.set(String(record.id), record.accountId);
    if (table === "heard") return this.#accounts.get(record.id) ?? NOBODY;
    if (table === "episodes") return this.#accounts.get(String(record.deviceId)) ?? NOBODY;
    return "accountId" in record ? record.accountId : NOBODY;
  }
}
