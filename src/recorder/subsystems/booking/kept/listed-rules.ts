import type { GuideAccount } from "../../../../model/ports.ts";
import type { Rule, RuleOfTimer } from "../../../../model/rule.ts";
import type { Timer } from "../../../../model/timer.ts";
import { withoutUndefined } from "../../../../model/without-undefined.ts";
import type { KeptRules, RuleStore } from "./store.ts";

/** Adds the recorder's own rules to the timers of the list, as a service with rules does. */
export function withListedRules(account: GuideAccount, store: Pick<RuleStore, "current">): GuideAccount {
  return {
    ...account,
    timers: async (signal, how) => {
      const list = await account.timers(signal, how);
      const { current } = store;
      if (current.rules.length === 0) return list;
      const ruleOf = finderOf(current);
      return { ...list, timers: list.timers.map((timer) => withRule(timer, ruleOf(timer))) };
    },
  };
}

function finderOf({ rules, timers, ordering }: KeptRules): (timer: Timer) => Rule | undefined {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  // Ordered a moment ago: the timer's id may not be noted yet.
  const byShow = new Map(ordering.map(({ showId, ruleId }) => [String(showId), ruleId]));
  return ({ id, showId }) => {
    const ruleId = Object.hasOwn(timers, id) ? timers[id]?.ruleId : byShow.get(showId);
    return ruleId === undefined ? undefined : byId.get(ruleId);
  };
}

function withRule(timer: Timer, rule: Rule | undefined): Timer {
  if (rule === undefined) return timer;
  const { id, keep, priority, folder, beforeMinutes, afterMinutes } = rule;
  const followed: RuleOfTimer = { id, ...withoutUndefined({ keep, priority, folder }) };
  return { ...timer, ...withoutUndefined({ beforeMinutes, afterMinutes }), rule: followed };
}
