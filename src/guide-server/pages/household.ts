import type { WebRequest } from "../../kit/http/web-server.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Guard } from "../../web/listener/guard.ts";
import type { Decision } from "../data/decision.ts";
import type { GuideStore } from "../data/store.ts";
import type { Account, GuideTables, User } from "../data/tables.ts";
import { normalName } from "../data/user-name.ts";
import { isAllowed, type Right } from "../domain/rights.ts";
import { accepted } from "../refusal.ts";
import { settleAccount } from "../settle.ts";

/** The account and user of a page's request, with access to the data. */
export interface Household {
  readonly account: Account;
  readonly user: User;
  readonly tables: GuideTables;
  readonly store: GuideStore;
  readonly now: EpochMs;
  /** Whether the user may change settings of the whole server: an owner of the oldest account. */
  readonly isServerOwner: boolean;
  /** @throws RecorderdError GUIDE_NOT_FOUND or GUIDE_NOT_ACCEPTABLE with the reason, STORE_WRITE_FAILED */
  change<T>(decide: (tables: GuideTables) => Decision<T>): Promise<T>;
}

/**
 * @param right the right that the request needs; by default GET reads and every other method writes
 * @throws RecorderdError GUIDE_FORBIDDEN if the user lacks it
 */
export type HouseholdOf = (request: WebRequest, right?: Right) => Promise<Household>;

/** Finds the household of a request that the guard has admitted, by session or token. */
export function households({
  guard,
  store,
  clock,
}: {
  readonly guard: Guard;
  readonly store: () => GuideStore;
  readonly clock: Clock;
}): HouseholdOf {
  return async (request, right = request.method === "GET" ? "read" : "write") => {
    const { visitor } = await guard.visitor(request);
    const there = store();
    const name = normalName(visitor?.name ?? "");
    const tables = await there.holding("users", name);
    const user = tables?.users.get(name);
    const account = tables?.accounts.get(user?.accountId ?? "");
    if (tables === undefined || user === undefined || account === undefined) {
      throw new RecorderdError("GUIDE_NOT_FOUND", "There is no such account.");
    }
    if (!isAllowed(user.rights, right)) throw new RecorderdError("GUIDE_FORBIDDEN", FORBIDDEN[right]);
    const now = clock.now();
    await settleAccount(there, { account, tables, now });
    return {
      account,
      user,
      tables,
      store: there,
      now,
      isServerOwner: isAllowed(user.rights, "govern") && (await there.directory.isFirst(account.id)),
      change: async (decide) => accepted(await there.commit(account.id, decide)),
    };
  };
}

const FORBIDDEN: Readonly<Record<Right, string>> = {
  read: "You may not see this.",
  write: "You may only view: ask an owner of the household.",
  govern: "This is for the household's owners: ask one of them.",
};
