import type { Clock } from "../../kit/clock.ts";
import type { WebRequest } from "../../kit/web-server.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Guard } from "../../web/door/guard.ts";
import type { Decision, GuideStore } from "../data/store.ts";
import type { Account, GuideTables } from "../data/tables.ts";
import { accountByEmail } from "../domain/accounts.ts";
import { accepted } from "../refusal.ts";
import { settleAccount } from "../settle.ts";

/** The account for which a page asks, and what it may do with the data. */
export interface Household {
  readonly account: Account;
  readonly tables: GuideTables;
  readonly store: GuideStore;
  readonly now: EpochMs;
  /** Whether what concerns the whole server is this account's to change: it was made first. */
  readonly isKeeper: boolean;
  /** @throws RecorderdError GUIDE_NOT_FOUND or GUIDE_NOT_ACCEPTABLE saying why not, STORE_WRITE_FAILED */
  change<T>(decide: (tables: GuideTables) => Decision<T>): Promise<T>;
}

export type HouseholdOf = (request: WebRequest) => Promise<Household>;

/** The guard has let the request in: whose it is, by session or token. */
export function households({
  guard,
  store,
  clock,
}: {
  readonly guard: Guard;
  readonly store: () => GuideStore;
  readonly clock: Clock;
}): HouseholdOf {
  return async (request) => {
    const { visitor } = await guard.visitor(request);
    const there = store();
    const account = visitor === undefined ? undefined : accountByEmail(there.tables, visitor.name);
    if (account === undefined) throw new RecorderdError("GUIDE_NOT_FOUND", "There is no such account.");
    const now = clock.now();
    await settleAccount(there, account, now);
    return {
      account,
      tables: there.tables,
      store: there,
      now,
      isKeeper: isFirst(there.tables, account),
      change: async (decide) => accepted(await there.commit(decide)),
    };
  };
}

function isFirst({ accounts }: GuideTables, { id }: Account): boolean {
  return [...accounts.keys()].every((other) => Number(other) >= Number(id));
}
