import { isTerminal, type Recording } from "../../model/recording.ts";

/** The next recording of an order. */
export interface Next {
  readonly start: number;
  readonly channel: string;
}

/** By the keys of orders. */
export type NextByOrder = ReadonlyMap<string, Next>;

/** The orders that a recording is for. */
interface OrderIds {
  readonly ruleId?: number | undefined;
  readonly seriesId?: string | undefined;
  readonly keywordId?: number | undefined;
}

/** An entry of a guide server's `/v1/timers/next`. */
export interface NextTimer extends OrderIds {
  readonly channelId: number;
  readonly start: number;
}

export const orderKey = {
  rule: (id: number) => `rule ${id}`,
  series: (seriesId: string) => `series ${seriesId}`,
  keyword: (id: number) => `keyword ${id}`,
} as const;

export function nextOfTimers(timers: readonly NextTimer[], channelName: (id: number) => string): NextByOrder {
  return earliest(
    timers.map((timer) => [timer, { start: timer.start, channel: channelName(timer.channelId) }]),
  );
}

/** A recording does not say which keyword ordered it. */
export function nextOfRecordings(recordings: Iterable<Recording>): NextByOrder {
  const open = [...recordings].filter(({ state }) => !isTerminal(state));
  return earliest(
    open.map(({ rule, programme, event: { start }, channelName: channel }) => [
      { ruleId: rule?.id, seriesId: programme?.seriesId },
      { start, channel },
    ]),
  );
}

function earliest(found: readonly (readonly [ids: OrderIds, next: Next])[]): NextByOrder {
  const next = new Map<string, Next>();
  for (const [ids, one] of found.toSorted(([, a], [, b]) => a.start - b.start)) {
    for (const key of keysOf(ids)) if (!next.has(key)) next.set(key, one);
  }
  return next;
}

function keysOf({ ruleId, seriesId, keywordId }: OrderIds): readonly string[] {
  return [
    ...(ruleId === undefined ? [] : [orderKey.rule(ruleId)]),
    ...(seriesId === undefined ? [] : [orderKey.series(seriesId)]),
    ...(keywordId === undefined ? [] : [orderKey.keyword(keywordId)]),
  ];
}
