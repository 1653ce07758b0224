import { formatInstant } from "../../model/time.ts";
import { addRuleOrder, replaceRule, wireOrderOf } from "../domain/rule-orders.ts";
import { previewRule } from "../domain/rule-preview.ts";
import { deleteRule, rulesOf } from "../domain/rules.ts";
import { isRefusal } from "../refusal.ts";
import { MEDIA_TYPE, NOT_ON_LIST, UNAUTHORIZED, UNAVAILABLE } from "./conditions.ts";
import { accountRoute, type GuideRoute, reply } from "./route.ts";
import { wireMatch, wireRules } from "./wire-rules.ts";

const reading = { 401: UNAUTHORIZED, 503: UNAVAILABLE } as const;
const writing = { ...reading, 415: MEDIA_TYPE } as const;
const BAD_ORDER =
  "The body is not a valid document or lacks a field, or a condition cannot be used: the field and the reason are named.";
const TOO_MANY = "Or: the account has too many rules, series recordings and keywords.";
const NO_PLACE = "There is no such channel, or device_id is not the account's.";

/** Rules: an extension of the field. */
export const RULE_ROUTES: readonly GuideRoute[] = [
  accountRoute(
    {
      method: "GET",
      path: "/rules",
      summary: "The account's rules; the list may be empty",
      success: 200,
      answer: "rules",
      statuses: reading,
    },
    async ({ tables, account }) => reply({ rules: wireRules(rulesOf(tables, account, "rule")) }),
  ),
  accountRoute(
    {
      method: "POST",
      path: "/rules",
      summary:
        "Record every show that fits the conditions, each episode once; repeating an order returns the existing rule",
      success: 201,
      body: "rule-add",
      answer: "rules",
      statuses: { ...writing, 404: NO_PLACE, 406: `${BAD_ORDER} ${TOO_MANY}` },
    },
    async ({ commit, account, user, now }, order) => {
      const placed = wireOrderOf(order);
      if (isRefusal(placed)) return placed;
      const added = await commit((tables) => addRuleOrder(tables, account, { placed, now, by: user }));
      return isRefusal(added) ? added : reply({ rules: wireRules([added]) });
    },
  ),
  accountRoute(
    {
      method: "PUT",
      path: "/rules/{rule_id}",
      summary: "Replace a rule: an omitted condition is absent afterwards",
      success: 200,
      body: "rule-set",
      answer: "rules",
      statuses: { ...writing, 404: `The account has no such rule. Or: ${NO_PLACE}`, 406: BAD_ORDER },
    },
    async ({ commit, account, request }, change) => {
      const placed = wireOrderOf(change);
      if (isRefusal(placed)) return placed;
      const id = request.params["rule_id"] ?? "";
      const changed = await commit((tables) => replaceRule(tables, account, { id, placed }));
      return isRefusal(changed) ? changed : reply({ rules: wireRules([changed]) });
    },
  ),
  accountRoute(
    {
      method: "DELETE",
      path: "/rules/{rule_id}",
      summary: "Withdraw a rule and the timers that only it needs; a missing one is not an error",
      success: 200,
      statuses: { ...reading, 405: NOT_ON_LIST },
    },
    async ({ commit, account, request }) => {
      const id = request.params["rule_id"] ?? "";
      const deleted = await commit((tables) => deleteRule(tables, account, { id, kind: "rule" }));
      return isRefusal(deleted) ? deleted : reply();
    },
  ),
  accountRoute(
    {
      method: "POST",
      path: "/rules/preview",
      summary:
        "What a rule would record in the next two weeks; id names the rule that it would replace. Nothing is stored",
      success: 200,
      body: "rule-preview",
      answer: "rule-matches",
      statuses: {
        ...writing,
        404: `The account has no such rule. Or: ${NO_PLACE}`,
        406: `${BAD_ORDER} Or: an expression takes too long for so much text.`,
      },
    },
    async ({ tables, account, now }, { id, ...order }) => {
      const placed = wireOrderOf(order);
      if (isRefusal(placed)) return placed;
      const preview = await previewRule(tables, account, { placed, replaces: id, now });
      if (isRefusal(preview)) return preview;
      const { matches, countedUntil, ...counts } = preview;
      const until = countedUntil === undefined ? {} : { counted_until: formatInstant(countedUntil) };
      return reply({ rule_matches: matches.map(wireMatch), ...counts, ...until });
    },
  ),
];
