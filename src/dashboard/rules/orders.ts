import { signal } from "@preact/signals";
import type { Quality, Rule } from "../../model/rule.ts";
import { ask, isMissing } from "../state/api.ts";
import { loadRules } from "./requests.ts";

/** An order in `/v1/series`; an absent field means any. */
export interface AiringsOrder {
  readonly id: number;
  readonly deviceId: number;
  readonly channelId?: number;
  readonly startMinutes?: number;
  readonly quality?: Quality;
}

interface SeriesOrders {
  readonly recordings: readonly (AiringsOrder & { readonly seriesId: string; readonly title: string })[];
  readonly keywords: readonly (AiringsOrder & { readonly keyword: string })[];
  readonly favourites: readonly { readonly seriesId: string; readonly title: string }[];
}

/** Counts the orders that shows were given. The list may be open before the answer to the last one is there. */
export const orderCount = signal(0);

/** Sends an order of a show's button. @throws Refusal */
export async function placeOrder<Answer>(path: string, body: object): Promise<Answer> {
  const answer = await ask<Answer>("POST", path, body);
  orderCount.value += 1;
  return answer;
}

/** One entry of the list, of any kind. */
export type Order = { readonly key: string; readonly name: string } & (
  | { readonly kind: "rule"; readonly rule: Rule }
  | { readonly kind: "series"; readonly order: SeriesOrders["recordings"][number] }
  | { readonly kind: "keyword"; readonly order: SeriesOrders["keywords"][number] }
  | { readonly kind: "favourite"; readonly seriesId: string }
);

/** The orders that could be loaded. A service may have no series; rules may be kept nowhere. */
export interface Orders {
  readonly list: readonly Order[];
  readonly failures: readonly string[];
  /** Whether rules can be made here. */
  readonly hasRules: boolean;
}

export async function loadOrders(): Promise<Orders> {
  const [rules, series] = await Promise.allSettled([loadRules(), ask<SeriesOrders>("GET", "/v1/series")]);
  return {
    list: [
      ...(rules.status === "fulfilled" ? rules.value.map(ofRule) : []),
      ...(series.status === "fulfilled" ? ofSeries(series.value) : []),
    ].sort((a, b) => a.name.localeCompare(b.name)),
    failures: [
      ...(rules.status === "rejected" && !isMissing(rules.reason) ? [reasonOf(rules.reason)] : []),
      ...(series.status === "rejected" ? [reasonOf(series.reason)] : []),
    ],
    hasRules: rules.status === "fulfilled",
  };
}

function ofRule(rule: Rule): Order {
  return { kind: "rule", key: `rule ${rule.id}`, name: rule.name, rule };
}

function ofSeries({ recordings, keywords, favourites }: SeriesOrders): readonly Order[] {
  return [
    ...recordings.map((order) => ({
      kind: "series" as const,
      key: `series ${order.id}`,
      name: order.title,
      order,
    })),
    ...keywords.map((order) => ({
      kind: "keyword" as const,
      key: `keyword ${order.id}`,
      name: order.keyword,
      order,
    })),
    ...favourites.map(({ seriesId, title }) => ({
      kind: "favourite" as const,
      key: `favourite ${seriesId}`,
      name: title,
      seriesId,
    })),
  ];
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
