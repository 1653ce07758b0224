import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { RecorderdError } from "../../model/errors.ts";
import type { EpochMs } from "../../model/time.ts";
import { isRefusal, notAcceptable, type Refusal } from "../refusal.ts";
import type { Decision, Transaction } from "./decision.ts";
import { CATALOGUE, type Engine, type Entry, type Move, type OwnedChange } from "./engine.ts";
import { GroupCommit } from "./group-commit.ts";
import type { IdRanges } from "./id-ranges.ts";
import type { OwnerRecords } from "./owner-records.ts";
import type { Owners } from "./owners.ts";
import { Show } from "./show.ts";
import type { ShowNews } from "./show-news.ts";
import type { Shows } from "./shows.ts";
import {
  type Change,
  type GuideTables,
  isOfAccounts,
  isReadable,
  type Series,
  type TableName,
} from "./tables.ts";
import { unsettles } from "./unsettles.ts";

/** A decision is made so often while others keep changing its records. */
const ATTEMPTS = 20;

const TAKEN = notAcceptable("name", "This name is already in use on this server: choose another one.");

/** Tables of which clients see changes in their lists. */
const SEEN: readonly TableName[] = ["timers", "rules", "devices"];

interface Parts {
  readonly engine: Engine;
  readonly owners: Owners;
  readonly ids: IdRanges;
  readonly shows: Pick<Shows, "put">;
  readonly news: ShowNews;
}

/** Decisions on accounts and the catalogue, those on the same one after the other. */
export class Accounts {
  readonly #parts: Parts;
  readonly #group: GroupCommit;
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #settling = new Map<string, Promise<void>>();
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#group = new GroupCommit(parts.engine);
  }

  /** See GuideStore. */
  commit<T>(scope: string, decide: (tables: GuideTables) => Decision<T>): Promise<T | Refusal> {
    return this.#inTurn(scope, () => this.#commit(scope, decide));
  }

  async #commit<T>(scope: string, decide: (tables: GuideTables) => Decision<T>): Promise<T | Refusal> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const records = await this.#parts.owners.last(scope);
      const decision = decide(records.tables);
      if (isRefusal(decision)) return decision;
      const written = await this.#write(records, decision);
      if (written === "written") return decision.value;
      if (written === "taken") return TAKEN;
    }
    throw new RecorderdError(
      "GUIDE_UNAVAILABLE",
      "Too many changes of the same records at once: try again soon.",
    );
  }

  async #write(records: OwnerRecords, decision: Transaction<unknown>) {
    const { ids, shows } = this.#parts;
    const taken = ids.take(decision.changes);
    if (taken === undefined) {
      await ids.reserve(decision.changes);
      return "stale";
    }
    for (const change of taken.others) assert(isReadable(change), `a record of ${change.table} is malformed`);
    const { votes, changes } = votesIn(records.owner, ownedBy(records.owner, taken.others));
    const entry = {
      moves: this.#movesOf(changes, { decider: records, settles: decision.settles === true }),
      changes,
      counters: taken.counters,
      votes,
    };
    if (decision.shows !== undefined) {
      for (const show of decision.shows) assert(Show.safeParse(show).success, "a show is malformed");
      await shows.put(decision.shows);
    }
    if (taken.others.length + taken.counters.length === 0) return "written";
    return await this.#store(entry);
  }

  async #store(entry: Entry) {
    const outcome = await this.#group.write(entry).catch((error: unknown) => {
      // The changes may have been stored.
      for (const { owner } of entry.moves) this.#parts.owners.known(owner)?.outdate();
      throw error;
    });
    for (const move of entry.moves) {
      const records = this.#parts.owners.known(move.owner);
      if (outcome === "written") records?.apply(entry.changes, move);
      else records?.outdate();
      if (outcome === "written" && move.tells === true) this.tell([move.owner]);
    }
    if (outcome === "written")
      for (const series of entry.votes ?? []) this.#parts.owners.catalogue.vote(series);
    return outcome;
  }

  #movesOf(
    changes: readonly OwnedChange[],
    { decider, settles }: { readonly decider: OwnerRecords; readonly settles: boolean },
  ): readonly Move[] {
    return [...new Set(changes.map(({ owner }) => owner))].map((owner): Move => {
      const own = changes.filter((change) => change.owner === owner);
      const isSeen = own.some(({ table }) => SEEN.includes(table));
      const endsSession = own.some((change) => endsSessionOf(decider.tables, change));
      const to = newVersion();
      return {
        owner,
        from: this.#versionSeen(owner, decider),
        to,
        ...(isSeen ? { seen: to } : {}),
        ...(isSeen || endsSession ? { tells: true } : {}),
        ...(!settles && own.some((change) => unsettles(decider.tables, change)) ? { settled: null } : {}),
      };
    });
  }

  /** The version that the decider has seen; absent for an account that the decision creates. */
  #versionSeen(owner: string, decider: OwnerRecords): string | undefined {
    if (owner === decider.owner) return decider.version;
    return owner === CATALOGUE ? this.#parts.owners.catalogue.version : undefined;
  }

  /** See GuideStore. */
  async settle(accountId: string, now: EpochMs, work: () => Promise<boolean>): Promise<boolean> {
    const running = this.#settling.get(accountId);
    if (running !== undefined) {
      await running;
      return false;
    }
    const done = this.#settle(accountId, now, work).finally(() => this.#settling.delete(accountId));
    this.#settling.set(accountId, done);
    await done;
    return true;
  }

  async #settle(accountId: string, now: EpochMs, work: () => Promise<boolean>): Promise<void> {
    const { owners, news } = this.#parts;
    const before = await owners.last(accountId);
    const [shows, unsettled] = [news.latest, before.unsettled];
    if (!(await work())) return;
    await this.#inTurn(accountId, async () => {
      const { version, unsettled: since } = before;
      // Somebody has changed rules or timers meanwhile: they are compared again next time.
      if (version === undefined || since !== unsettled) return;
      const move = { owner: accountId, from: version, to: version, settled: { shows, at: now } };
      await this.#store({ moves: [move], changes: [], counters: [] });
    });
  }

  /** See GuideStore. */
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

  /** Calls the listeners of these accounts; absent: of all. */
  tell(accountIds: readonly string[] = [...this.#listeners.keys()]): void {
    for (const id of accountIds) for (const listener of [...(this.#listeners.get(id) ?? [])]) listener();
  }

  async #inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(owner) ?? Promise.resolve();
    const done = before.then(work);
    const ended = done.then(
      () => {},
      () => {},
    );
    this.#queues.set(owner, ended);
    try {
      return await done;
    } finally {
      if (this.#queues.get(owner) === ended) this.#queues.delete(owner);
    }
  }

  /** Resolves after all decisions have ended. */
  async ended(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values());
    await this.#group.ended();
  }
}

function newVersion(): string {
  return randomBytes(9).toString("base64url");
}

function endsSessionOf({ tokens }: GuideTables, change: Change): boolean {
  return change.table === "tokens" && tokens.has(change.kind === "put" ? change.record.id : change.id);
}

/** An account changes a series only to vote for it. Other servers learn of votes when they read the catalogue again. */
function votesIn(
  scope: string,
  changes: readonly OwnedChange[],
): { readonly votes: readonly Series[]; readonly changes: readonly OwnedChange[] } {
  const votes: Series[] = [];
  const others = changes.filter((change) => {
    const isVote = scope !== CATALOGUE && change.table === "series" && change.kind === "put";
    if (isVote) votes.push(change.record);
    return !isVote;
  });
  return { votes, changes: others };
}

/** @param scope the account that decided, or the catalogue */
function ownedBy(scope: string, changes: readonly Change[]): readonly OwnedChange[] {
  return changes.map((change) => ({ ...change, owner: ownerOf(scope, change, changes) }));
}

function ownerOf(scope: string, change: Change, all: readonly Change[]): string {
  if (!isOfAccounts(change.table)) return CATALOGUE;
  const owner = change.kind === "put" ? accountOf(change, all) : undefined;
  assert(
    scope === CATALOGUE ? owner !== undefined : owner === undefined || owner === scope,
    "a change concerns another account than the decision",
  );
  return owner ?? scope;
}

function accountOf(
  { table, record }: Extract<Change, { kind: "put" }>,
  all: readonly Change[],
): string | undefined {
  if (table === "accounts") return record.id;
  if (table !== "heard" && table !== "episodes") return "accountId" in record ? record.accountId : undefined;
  const deviceId = table === "heard" ? record.id : String(record.deviceId);
  for (const other of all)
    if (other.table === "devices" && other.kind === "put" && String(other.record.id) === deviceId)
      return other.record.accountId;
  return undefined;
}
