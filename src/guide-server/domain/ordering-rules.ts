import type { Rule as ModelRule } from "../../model/rule.ts";
import { type CompiledRule, compileRule, type OrderingRule } from "../../rules/compiled-rule.ts";
import { localTimeIn } from "../../rules/local-time.ts";
import { LoopShare } from "../../rules/loop-share.ts";
import { RuleSet } from "../../rules/rule-set.ts";
import type { Account, GuideTables, Rule } from "../data/tables.ts";

/** A stored rule of any kind, as rules/ expands it. */
function orderingRule(stored: Rule): OrderingRule {
  const { id, createdAt, quality, wants, startMinutes, networkId, channelId } = stored;
  if (wants.kind === "rule") {
    const { name: _name, ...order } = wants.order;
    return { ...order, id, createdAt, quality, kind: "rule", wants: order };
  }
  const text = wants.kind === "keyword" ? { words: wants.keyword } : { seriesId: wants.seriesId };
  const only = wants.kind === "series" && wants.only !== undefined ? { only: wants.only } : {};
  const place = {
    ...(startMinutes === undefined ? {} : { startMinutes }),
    ...(networkId === undefined ? {} : { networkId }),
    ...(channelId === undefined ? {} : { channelIds: [channelId] }),
  };
  return { id, createdAt, quality, kind: wants.kind, wants: { ...text, ...only, ...place } };
}

/** A changed rule is another record. */
const COMPILED = new WeakMap<Rule, CompiledRule>();

export function compiledRule(stored: Rule): CompiledRule {
  const known = COMPILED.get(stored);
  if (known !== undefined) return known;
  const compiled = compileRule(orderingRule(stored));
  COMPILED.set(stored, compiled);
  return compiled;
}

/** The rules of a device for one search of the guide, in the zone of the account's region. */
export async function ruleSetOf(
  tables: GuideTables,
  account: Account,
  rules: readonly Rule[],
): Promise<RuleSet> {
  const share = new LoopShare();
  const compiled: CompiledRule[] = [];
  for (const rule of rules) {
    compiled.push(compiledRule(rule));
    await share.rest();
  }
  const zone = tables.regions.get(String(account.regionId))?.timezone;
  return new RuleSet(compiled, localTimeIn(zone));
}

/** A stored rule of the kind `rule` for people and interfaces; `undefined` for the other kinds. */
export function modelRule({ id, deviceId, createdAt, quality, wants }: Rule): ModelRule | undefined {
  return wants.kind === "rule" ? { ...wants.order, quality, id, deviceId, createdAt } : undefined;
}
