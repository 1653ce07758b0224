import type { EpochMs } from "../../model/time.ts";
import type { Change, Counter, RecordOf, Series, TableName } from "./tables.ts";

/** The owner of the catalogue, which all accounts share. Every other owner is an account, by its id. */
export const CATALOGUE = "";

/** The owner of records whose account is unknown, such as the episodes of a device that was removed. */
export const NOBODY = "-";

/** The owner whose version is the latest change of shows that several processes share. */
export const SHOWS = "shows";

/** The facts about an owner besides its records. */
export interface OwnerFacts {
  /** Another text after every change: a decision on other records than the stored ones is refused by it. */
  readonly version: string;
  /** Another text after every change of what the account's clients see: its timers, rules and devices. */
  readonly seen: string;
  /** When the account's timers were last brought in line with its rules; absent while they may differ. */
  readonly settled?: Settled | undefined;
}

export interface Settled {
  /** The state of the shows then (show-news.ts). */
  readonly shows: number;
  readonly at: EpochMs;
}

export type Loaded = OwnerFacts & { readonly records: readonly StoredRecord[] };

export type StoredRecord = {
  [T in TableName]: {
    readonly table: T;
    readonly id: string;
    readonly body: string;
    readonly record: RecordOf<T>;
  };
}[TableName];

/** A step of an owner from one version to the next. */
export interface Move {
  readonly owner: string;
  /** The version that the decision saw; absent: the owner must be new. */
  readonly from: string | undefined;
  readonly to: string;
  /** The next `seen`; absent: it stays. */
  readonly seen?: string;
  /** `null`: the timers may differ from the rules from now on; absent: it stays. */
  readonly settled?: Settled | null;
  /** Clients that wait for changes of the account are told. */
  readonly tells?: boolean;
}

export type OwnedChange = Change & { readonly owner: string };

/** The changes of one decision: all of them are stored, or none. */
export interface Entry {
  readonly moves: readonly Move[];
  readonly changes: readonly OwnedChange[];
  /** New counters that are greater than the stored ones. */
  readonly counters: readonly Counter[];
  /**
   * Series that get one vote more. They are added up, so that accounts never wait for each other. A change of a series
   * leaves it at least the votes that it has.
   */
  readonly votes?: readonly Series[];
}

/** `stale`: an owner has moved on meanwhile. `taken`: another owner has a record with one of the ids. */
export type Outcome = "written" | "stale" | "taken";

/** The range of ids from `first` to before `end`. */
export interface IdRange {
  readonly first: number;
  readonly end: number;
}

/** The owner of a record, and the present versions of all that its requests read. */
export interface Located {
  readonly owner: string;
  readonly version: string;
  readonly catalogue: string;
  /** Absent: the shows are this process's own. */
  readonly shows: string | undefined;
}

/** A show that its source has changed, and that not all timers have followed. */
export interface Unfollowed {
  readonly showId: number;
  /** Another text with every change. */
  readonly mark: string;
}

/** A database of records. */
export interface Engine extends AsyncDisposable {
  /** Whether other processes change the records, too. */
  readonly isShared: boolean;
  /** An owner's records in the order of their addition; `undefined` if there is no such owner. @throws RecorderdError STORE_DAMAGED */
  load(owner: string): Promise<Loaded | undefined>;
  /** The present version of an owner. */
  versionOf(owner: string): Promise<string | undefined>;
  /** The owner of a record; `undefined` if there is none. */
  locate(table: TableName, id: string): Promise<Located | undefined>;
  ownerOfEmail(email: string): Promise<string | undefined>;
  /** A page of a table's records in the order of their addition, from after a place. */
  page<T extends TableName>(table: T, after: number): Promise<Page<T>>;
  /** The accounts that have timers of these shows. */
  ownersOfTimers(showIds: readonly number[]): Promise<readonly string[]>;
  /** A page of the accounts that have records of a table from before an instant (look-ups.ts), oldest records first. */
  ownersOfOld(table: TableName, before: EpochMs, after: OldPlace | undefined): Promise<OldPage>;
  /** The oldest record of a table. */
  first<T extends TableName>(table: T): Promise<RecordOf<T> | undefined>;
  counters(): Promise<readonly Counter[]>;
  /** Reserves ids for this process alone, also across its end. */
  reserve(kind: Counter["id"], count: number): Promise<IdRange>;
  /** Stores entries, on the disk when it resolves. @throws RecorderdError STORE_WRITE_FAILED */
  write(entries: readonly Entry[]): Promise<readonly Outcome[]>;
  /** Keeps these shows as unfollowed, on the disk when it resolves. */
  addUnfollowed(showIds: readonly number[]): Promise<void>;
  unfollowed(): Promise<readonly Unfollowed[]>;
  /** Removes them, except those that have changed again. */
  removeUnfollowed(shows: readonly Unfollowed[]): Promise<void>;
  fact(name: string): Promise<string | undefined>;
  keepFact(name: string, value: string): Promise<void>;
}

/** The place of a record among those of its table by age. */
export interface OldPlace {
  readonly aged: EpochMs;
  readonly place: number;
}

export interface OldPage {
  readonly owners: readonly string[];
  /** The place of the last record; absent: there are no more. */
  readonly last: OldPlace | undefined;
}

export interface Page<T extends TableName> {
  readonly records: readonly RecordOf<T>[];
  /** The place of the last one; absent: there are no more. */
  readonly last: number | undefined;
}
