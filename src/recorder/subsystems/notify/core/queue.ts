import type { News, NewsDocument, TargetId, WaitingNews } from "../../../../model/news.ts";
import { doublingPauseMs, type EpochMs } from "../../../../model/time.ts";
import { NOTIFY_CORE_LIMITS } from "./limits.ts";

/** The next due news of a target; its news are sent in order. */
export function dueFor(document: NewsDocument, target: TargetId, now: EpochMs): WaitingNews | undefined {
  const first = document.waiting.find((waiting) => waiting.target === target);
  // A clock that was set back would delay it for long.
  return first !== undefined &&
    (first.notBefore <= now || first.notBefore - now > NOTIFY_CORE_LIMITS.retryMsMax)
    ? first
    : undefined;
}

export function nextDue({ waiting }: NewsDocument): EpochMs | undefined {
  const firsts = new Map<TargetId, EpochMs>();
  for (const { target, notBefore } of waiting) if (!firsts.has(target)) firsts.set(target, notBefore);
  return firsts.size === 0 ? undefined : Math.min(...firsts.values());
}

/** Removes delivered or refused news. */
export function withoutNews(document: NewsDocument, { news, target }: WaitingNews): NewsDocument {
  return { ...document, waiting: document.waiting.filter((waiting) => !isOne(waiting, news, target)) };
}

/** Postpones news that a target did not accept. */
export function withPostponed(
  document: NewsDocument,
  { news, target }: WaitingNews,
  now: EpochMs,
): NewsDocument {
  const again = (waiting: WaitingNews) => ({
    ...waiting,
    tries: waiting.tries + 1,
    notBefore:
      now +
      doublingPauseMs(waiting.tries + 1, {
        firstMs: NOTIFY_CORE_LIMITS.retryMsMin,
        maxMs: NOTIFY_CORE_LIMITS.retryMsMax,
      }),
  });
  const waiting = document.waiting.map((each) => (isOne(each, news, target) ? again(each) : each));
  return { ...document, waiting };
}

function isOne(waiting: WaitingNews, news: News, target: TargetId): boolean {
  return waiting.target === target && waiting.news.id === news.id;
}

/** News that are too old, too many, or for a target that is gone. */
export function undeliverable(
  { waiting }: NewsDocument,
  targets: readonly TargetId[],
  now: EpochMs,
): readonly WaitingNews[] {
  const old = waiting.filter(
    ({ news, target }) => now - news.at > NOTIFY_CORE_LIMITS.waitMs || !targets.includes(target),
  );
  const rest = waiting.filter((each) => !old.includes(each));
  return [...old, ...rest.slice(0, Math.max(0, rest.length - NOTIFY_CORE_LIMITS.waiting))];
}
