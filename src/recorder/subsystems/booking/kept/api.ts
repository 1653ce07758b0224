import type { Clock } from "../../../../kit/time/clock.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import type { Rule, RuleOrder } from "../../../../model/rule.ts";
import { expandInSteps, isOrder } from "../../../../rules/expansion.ts";
import { LoopShare } from "../../../../rules/loop-share.ts";
import { matchesOf } from "../../../../rules/outcome.ts";
import { readRuleOrder } from "../../../../rules/read-order.ts";
import type { RuleOrdered, RulePreview, RuleRequest, RulesApi } from "../../../../web/guide-api.ts";
import { BOOKING_LIMITS } from "../limits.ts";
import { type AskBurden, withBurden } from "../rule-cost.ts";
import { type GuideReader, orderingRule } from "./guide-reader.ts";
import { searchGuide } from "./guide-search.ts";
import { accountTimers, broughtUpToDate, expansionInput, type PlanView } from "./known.ts";
import { roomFor } from "./steps.ts";
import type { RuleStore } from "./store.ts";

interface KeptRulesParts {
  readonly store: RuleStore;
  readonly reader: GuideReader;
  readonly plan: () => PlanView;
  readonly device: () => Promise<number>;
  readonly burden: AskBurden;
  /** Expands the rules, and lists the timers again: their rules have changed. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Ranks after every stored rule, as a new rule does. */
const NEW_ID = Number.MAX_SAFE_INTEGER;

/** Rules for a guide service that has none: the recorder keeps and expands them. */
export function createKeptRules(parts: KeptRulesParts): RulesApi {
  const { store, reader, plan, burden, clock, signal } = parts;

  /** @throws RecorderdError GUIDE_NOT_ACCEPTABLE with the faulty field */
  async function checked({
    deviceId,
    ...fields
  }: RuleRequest): Promise<RuleOrder & { readonly deviceId: number }> {
    const own = await parts.device();
    if (deviceId !== undefined && deviceId !== own)
      throw refused(
        "deviceId",
        "The guide service has no rules, so this recorder keeps them, and only for itself.",
      );
    const order = readRuleOrder(fields);
    if (!("mistakes" in order)) return { ...order, deviceId: own };
    const [first] = order.mistakes;
    throw refused(first?.field ?? "name", first?.problem ?? "The order cannot be read.");
  }

  function known(id: number): Rule {
    const rule = store.current.rules.find((one) => one.id === id);
    if (rule !== undefined) return rule;
    throw new RecorderdError("GUIDE_NOT_FOUND", `There is no rule ${id}.`);
  }

  async function preview(
    order: RuleOrder & { readonly deviceId: number },
    before?: Rule,
  ): Promise<RulePreview> {
    const now = clock.now();
    const { isPaused: _paused, ...active } = order;
    const rule: Rule = { ...active, id: before?.id ?? NEW_ID, createdAt: before?.createdAt ?? now };
    const others = store.current.rules.filter(({ id }) => id !== rule.id);
    const kept = broughtUpToDate(store.current, plan(), now);
    const { airings } = await searchGuide({
      ...(await reader.open([...others, rule], signal, { remembers: true })),
      sought: rule,
      timers: accountTimers(kept, plan()).filter(isOrder),
      clock,
    });
    const input = expansionInput(kept, plan(), { airings, now });
    const share = new LoopShare(clock);
    const expansion = await share.run(expandInSteps(input));
    const outcomes = matchesOf({
      rule: orderingRule(rule),
      input,
      expansion,
      withinMs: BOOKING_LIMITS.previewMs,
      listedMax: BOOKING_LIMITS.previewMatches,
      room: roomFor(kept),
    });
    return withBurden(await share.run(outcomes), { order, replaces: before?.id, burden });
  }

  async function stored(rule: Rule): Promise<RuleOrdered> {
    parts.onChange();
    const { id: _id, createdAt: _when, ...order } = rule;
    return { rule, preview: await preview(order, rule) };
  }

  return {
    all: async () => ({ rules: store.current.rules, kept: "recorder" }),
    add: async (request) => {
      const order = await checked(request);
      const same = store.current.rules.find((rule) => orderKey(rule) === orderKey(order));
      if (same !== undefined) return stored(same);
      refuseTooMany(store.current.rules, order);
      await store.change((kept) => {
        const rule: Rule = { ...order, id: kept.nextId, createdAt: clock.now() };
        return { ...kept, nextId: kept.nextId + 1, rules: [...kept.rules, rule] };
      });
      return stored(store.current.rules.at(-1) ?? known(NEW_ID));
    },
    set: async (id, request) => {
      const order = await checked(request);
      const { createdAt } = known(id);
      const others = store.current.rules.filter((rule) => rule.id !== id);
      refuseTooMany(others, order);
      const next: Rule = { ...order, id, createdAt };
      await store.change((kept) => ({
        ...kept,
        rules: kept.rules.map((rule) => (rule.id === id ? next : rule)),
      }));
      return stored(next);
    },
    delete: async (id) => {
      if (!store.current.rules.some((rule) => rule.id === id)) return;
      await store.change((kept) => ({ ...kept, rules: kept.rules.filter((rule) => rule.id !== id) }));
      parts.onChange();
    },
    preview: async ({ order, replaces }) =>
      preview(await checked(order), replaces === undefined ? undefined : known(replaces)),
  };
}

function orderKey(order: RuleOrder & { readonly id?: number; readonly createdAt?: number }): string {
  const { id: _id, createdAt: _when, ...rest } = order;
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function refuseTooMany(others: readonly Rule[], order: RuleOrder): void {
  const { keptRules, keptTextExpressions } = BOOKING_LIMITS;
  if (others.length >= keptRules) throw refused("name", `There are ${keptRules} rules already: remove some.`);
  if (searchesTexts(order) && others.filter(searchesTexts).length >= keptTextExpressions)
    throw refused(
      "expression",
      `At most ${keptTextExpressions} rules may search descriptions for an expression: search titles.`,
    );
}

function searchesTexts({ expression, within }: RuleOrder): boolean {
  return expression !== undefined && within === "all";
}

function refused(field: string, problem: string): RecorderdError {
  return new RecorderdError("GUIDE_NOT_ACCEPTABLE", problem, { field });
}
