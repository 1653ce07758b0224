import type { GuideClient } from "../../../guide-wire/client.ts";
import { orderFieldOf, wireOrder } from "../../../guide-wire/rule-fields.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Rule } from "../../../model/rule.ts";
import type { RuleOrdered, RulePreview, RuleRequest, RulesApi } from "../../../web/guide-api.ts";
import { type AskBurden, withBurden } from "./rule-cost.ts";
import { previewOf, ruleOf } from "./rule-views.ts";

interface RulesApiParts {
  readonly client: GuideClient;
  /** The device that is to record. */
  readonly device: () => Promise<number>;
  readonly burden: AskBurden;
  /** Polls the service for its timers: it has added or withdrawn some. */
  readonly onOrdered: () => void;
  readonly signal: AbortSignal;
}

/** Rules that the guide service keeps; the recorder adds to their previews what only it knows. */
export function createRulesApi({ client, device, burden, onOrdered, signal }: RulesApiParts): RulesApi {
  const { rules } = client;

  async function preview(order: RuleRequest, replaces: number | undefined): Promise<RulePreview> {
    const own = await device();
    const { deviceId = own } = order;
    const { value } = await rules.preview(
      { ...wireOrder(order), device_id: deviceId, ...(replaces === undefined ? {} : { id: replaces }) },
      signal,
    );
    const found = previewOf(value);
    return deviceId === own ? withBurden(found, { order, replaces, burden }) : found;
  }

  async function ordered(rule: Rule | undefined): Promise<RuleOrdered> {
    if (rule === undefined)
      throw new RecorderdError(
        "GUIDE_DOCUMENT_INVALID",
        "The guide service's answer does not name the rule.",
      );
    onOrdered();
    const { id, createdAt: _when, ...order } = rule;
    return { rule, preview: await preview(order, id) };
  }

  async function all(): Promise<readonly Rule[]> {
    return (await rules.all(signal)).value.rules.flatMap((one) => ruleOf(one) ?? []);
  }

  return {
    all: async () => ({ rules: await all(), kept: "service" }),
    add: (order) =>
      namingFields(async () => {
        const device_id = order.deviceId ?? (await device());
        const { value } = await rules.add({ ...wireOrder(order), device_id }, signal);
        return ordered(value.rules.flatMap((one) => ruleOf(one) ?? [])[0]);
      }),
    set: (id, order) =>
      namingFields(async () => {
        const { deviceId } = order;
        const change = { ...wireOrder(order), ...(deviceId === undefined ? {} : { device_id: deviceId }) };
        await rules.set(id, change, signal);
        // A service may answer a change without a document.
        return ordered((await all()).find((rule) => rule.id === id));
      }),
    delete: async (id) => {
      await rules.delete(id, signal);
      onOrdered();
    },
    preview: ({ order, replaces }) => namingFields(() => preview(order, replaces)),
  };
}

/** The service names the faulty field as the wire does; people know the fields of the order. */
async function namingFields<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RecorderdError) || typeof error.facts["field"] !== "string") throw error;
    const { field: wireField, ...facts } = error.facts;
    const field = orderFieldOf(wireField) ?? wireField;
    throw new RecorderdError(error.code, error.message, { ...facts, field }, { cause: error });
  }
}
