import { RecorderdError } from "../../model/errors.ts";
import type { Rule } from "../../model/rule.ts";
import type { RulePreviewRequest, RuleRequest, RulesApi } from "../../web/guide-api.ts";
import type { Rule as StoredRule } from "../data/tables.ts";
import { modelRule } from "../domain/ordering-rules.ts";
import { addRuleOrder, orderOf, type PlacedOrder, replaceRule } from "../domain/rule-orders.ts";
import { previewRule } from "../domain/rule-preview.ts";
import { deleteRule, ruleOf, rulesOf } from "../domain/rules.ts";
import { accepted } from "../refusal.ts";
import { chosenDevice } from "./chosen-device.ts";
import type { Household } from "./household.ts";

/** Matches in an answer; the others are only counted. */
const MATCHES_MAX = 500;

/** The household's rules. */
export function ruleOrdersOf(household: Household): RulesApi {
  const { tables, account, user: by, now, change } = household;
  const preview = async (placed: PlacedOrder, replaces?: number) => {
    const found = accepted(await previewRule(tables, account, { placed, replaces, now }));
    return { ...found, matches: found.matches.slice(0, MATCHES_MAX) };
  };
  return {
    all: async () => ({
      rules: rulesOf(tables, account, "rule").flatMap((rule) => modelRule(rule) ?? []),
      kept: "service",
    }),
    // The preview comes first: what it refuses is not stored.
    add: async (request) => {
      const placed = placedOrder(household, request);
      const shown = await preview(placed);
      const rule = await change((all) => addRuleOrder(all, account, { placed, now, by }));
      return { rule: viewOf(rule), preview: shown };
    },
    set: async (id, request) => {
      const placed = placedOrder(household, request, id);
      const shown = await preview(placed, id);
      const rule = await change((all) => replaceRule(all, account, { id: String(id), placed }));
      return { rule: viewOf(rule), preview: shown };
    },
    delete: async (id) => {
      await change((all) => deleteRule(all, account, { id: String(id), kind: "rule" }));
    },
    preview: ({ order, replaces }: RulePreviewRequest) =>
      preview(placedOrder(household, order, replaces), replaces),
  };
}

/** A replaced rule keeps its device unless the order names one. */
function placedOrder(
  household: Household,
  { deviceId: named, ...fields }: RuleRequest,
  replaces?: number,
): PlacedOrder {
  const { tables, account } = household;
  const before =
    replaces === undefined ? undefined : ruleOf(tables, account, { id: String(replaces), kind: "rule" });
  const order = accepted(orderOf(fields));
  return { order, deviceId: chosenDevice(household, named ?? before?.deviceId) };
}

function viewOf(stored: StoredRule): Rule {
  const rule = modelRule(stored);
  if (rule !== undefined) return rule;
  throw new RecorderdError("GUIDE_NOT_FOUND", "There is no such rule.");
}
