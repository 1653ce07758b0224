import { randomBytes } from "node:crypto";
import type { Change, RecordOf, TableName } from "./tables.ts";

/** Versions of what an account's clients see: its timers, rules and devices. */
export interface AccountVersions {
  /**
   * A text that is another one after every change and after a restart. Read it before the data: then a change
   * in between is noticed later, and never missed.
   */
  of(accountId: string): string;
  /**
   * Calls the listener for every change, and when a session of the account ends. The change may not be on the disk yet.
   *
   * @returns ends the calls
   */
  subscribe(accountId: string, listener: () => void): () => void;
}

const VERSIONED: readonly TableName[] = ["timers", "rules", "devices"];

/** Counts in memory: each run of the server has versions of its own. */
export class Versions implements AccountVersions {
  readonly #run = randomBytes(9).toString("base64url");
  readonly #counts = new Map<string, number>();
  readonly #listeners = new Map<string, Set<() => void>>();

  of(accountId: string): string {
    return `${this.#run}.${this.#counts.get(accountId) ?? 0}`;
  }

  subscribe(accountId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(accountId) ?? new Set();
    this.#listeners.set(accountId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(accountId) === listeners) {
        this.#listeners.delete(accountId);
      }
    };
  }

  /** Called for every change of the data, with the record before it. */
  recordChange(change: Change, before: RecordOf<TableName> | undefined): void {
    const isVersioned = VERSIONED.includes(change.table);
    const isEndOfSession = change.table === "tokens" && before !== undefined;
    if (!isVersioned && !isEndOfSession) return;
    const records = [before, change.kind === "put" ? change.record : undefined];
    const accounts = records.flatMap((record) =>
      record !== undefined && "accountId" in record ? [record.accountId] : [],
    );
    for (const accountId of new Set(accounts)) {
      if (isVersioned) this.#counts.set(accountId, (this.#counts.get(accountId) ?? 0) + 1);
      for (const listener of [...(this.#listeners.get(accountId) ?? [])]) listener();
    }
  }
}
