import type { GuideAnswer, Requests } from "./requests.ts";
import type { RuleChange, RuleOrder, RulePreviewOrder } from "./rule-records.ts";

/** Rules, an extension of the field. A service without them answers GUIDE_NOT_FOUND. */
export interface RulesClient {
  all(signal: AbortSignal): Promise<GuideAnswer<"rules">>;
  /** The answer has the one rule; repeating an order returns the existing one. */
  add(order: RuleOrder, signal: AbortSignal): Promise<GuideAnswer<"rules">>;
  /** Replaces the order; an answer without a body has no rule. */
  set(id: number, order: RuleChange, signal: AbortSignal): Promise<GuideAnswer<"rules">>;
  delete(id: number, signal: AbortSignal): Promise<void>;
  /** The shows of the next two weeks that the order fits. Nothing is stored. */
  preview(order: RulePreviewOrder, signal: AbortSignal): Promise<GuideAnswer<"rule-matches">>;
}

export function rulesClient({ ask, remove, body }: Requests): RulesClient {
  const write = { account: true } as const;
  return {
    all: (signal) => ask("rules", { path: ["rules"], account: true }, signal),
    add: (order, signal) =>
      ask("rules", { ...write, method: "POST", path: ["rules"], body: body("rule-add", order) }, signal),
    set: (id, order, signal) =>
      ask("rules", { ...write, method: "PUT", path: ["rules", id], body: body("rule-set", order) }, signal),
    delete: (id, signal) => remove(["rules", id], signal),
    preview: (order, signal) =>
      ask(
        "rule-matches",
        { ...write, method: "POST", path: ["rules", "preview"], body: body("rule-preview", order) },
        signal,
      ),
  };
}
