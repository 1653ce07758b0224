import { type Clock, yieldToLoop } from "../kit/time/clock.ts";
import type { GuideStore } from "./data/store.ts";
import type { ListChanges } from "./list-changes.ts";
import { settleAccount } from "./settle.ts";

/**
 * Brings timers in line with rules for the accounts whose clients wait for changes here: they hear of a new timer without a poll.
 * All other accounts follow before they are answered.
 *
 * @returns the work, which costs nothing unless shows have changed since it last ran to its end
 */
export function settlingWaiting({
  store,
  changes,
  clock,
}: {
  readonly store: GuideStore;
  readonly changes: ListChanges;
  readonly clock: Clock;
}): () => Promise<void> {
  let last = store.news.latest;
  return async () => {
    const { latest } = store.news;
    if (latest === last) return;
    for (const id of changes.accountIds) {
      const tables = await store.of(id);
      const account = tables.accounts.get(id);
      if (account !== undefined) await settleAccount(store, { account, tables, now: clock.now() });
      await yieldToLoop();
    }
    last = latest;
  };
}
