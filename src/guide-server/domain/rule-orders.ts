import { type OrderFields, orderFields, wireFieldOf } from "../../guide-wire/rule-fields.ts";
import type { RuleChange } from "../../guide-wire/rule-records.ts";
import type { RuleOrder } from "../../model/rule.ts";
import type { EpochMs } from "../../model/time.ts";
import { readRuleOrder } from "../../rules/read-order.ts";
import type { Decision } from "../data/decision.ts";
import { type Account, type GuideTables, put, type Rule, type User } from "../data/tables.ts";
import { isRefusal, notAcceptable, notFound, type Refusal } from "../refusal.ts";
import { deviceOf } from "./devices.ts";
import { addRule, NO_RULE, orderKey, ruleOf, tooManyExpressions } from "./rules.ts";

/** An order with the device that records; the field names of refusals are those of its interface. */
export interface PlacedOrder {
  readonly order: RuleOrder;
  readonly deviceId: number | undefined;
}

/** Reads an order of the wire. */
export function wireOrderOf(change: RuleChange): PlacedOrder | Refusal {
  const order = orderOf(orderFields(change), wireFieldOf);
  return isRefusal(order) ? order : { order, deviceId: change.device_id };
}

/** Reads an order with the names of the model. The refusal names the first mistake and tells all. */
export function orderOf(
  fields: OrderFields,
  nameOf: (field: keyof RuleOrder) => string = (field) => field,
): RuleOrder | Refusal {
  const read = readRuleOrder(fields);
  if (!("mistakes" in read)) return read;
  const [first] = read.mistakes;
  const text = [...new Set(read.mistakes.map(({ problem }) => problem))].join(" ");
  return notAcceptable(first && nameOf(first.field), text);
}

/** Adds a rule. Repeating an order returns the existing one. */
export function addRuleOrder(
  tables: GuideTables,
  account: Account,
  { placed, now, by }: { readonly placed: PlacedOrder; readonly now: EpochMs; readonly by?: User },
): Decision<Rule> {
  const { order, deviceId = 0 } = placed;
  const unknown = unknownPlace(tables, account, placed);
  if (unknown !== undefined) return unknown;
  const { quality, ...rest } = order;
  return addRule(tables, account, {
    wants: { kind: "rule", order: rest },
    order: { device_id: deviceId, recording_quality: quality },
    now,
    ...(by === undefined ? {} : { by }),
  });
}

/** Replaces the order of a rule; without a device in the order, the rule keeps its own. */
export function replaceRule(
  tables: GuideTables,
  account: Account,
  { id, placed }: { readonly id: string; readonly placed: PlacedOrder },
): Decision<Rule> {
  const before = ruleOf(tables, account, { id, kind: "rule" });
  if (before === undefined) return NO_RULE.rule;
  const unknown = unknownPlace(tables, account, placed);
  if (unknown !== undefined) return unknown;
  const { quality, ...order } = placed.order;
  const { deviceId = before.deviceId } = placed;
  const rule: Rule = { ...before, deviceId, quality, wants: { kind: "rule", order } };
  const own = [...tables.rules.values()].filter(({ accountId }) => accountId === account.id);
  const refusal = tooManyExpressions(own, rule);
  if (refusal !== undefined) return refusal;
  return { changes: orderKey(rule) === orderKey(before) ? [] : [put("rules", rule)], value: rule };
}

export function unknownPlace(
  tables: GuideTables,
  account: Account,
  { order, deviceId }: PlacedOrder,
): Refusal | undefined {
  if (deviceId !== undefined && deviceOf(tables, account, String(deviceId)) === undefined) {
    return notFound("The account has no such device: see GET devices.", "device_id");
  }
  if (order.channelIds?.some((id) => !tables.channels.has(String(id))) === true) {
    return notFound("There is no such channel: see GET regions/channels.", "channel_ids");
  }
  return undefined;
}
