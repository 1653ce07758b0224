import { LIMITS } from "../../../../model/limits.ts";
import type { News, NewsDocument, TargetId, WaitingNews } from "../../../../model/news.ts";
import type { EpochMs } from "../../../../model/time.ts";

/** The next news of a target, which come one after the other; `undefined` where none is due. */
export function dueFor(document: NewsDocument, target: TargetId, now: EpochMs): WaitingNews | undefined {
  const first = document.waiting.find((waiting) => waiting.target === target);
  // A clock that was set back would make it wait for long.
  return first !== undefined && (first.notBefore <= now || first.notBefore - now > LIMITS.newsRetryMsMax)
    ? first
    : undefined;
}

/** When the first news of some target is due next; the others wait for it. */
export function nextDue({ waiting }: NewsDocument): EpochMs | undefined {
  const firsts = new Map<TargetId, EpochMs>();
  for (const { target, notBefore } of waiting) if (!firsts.has(target)) firsts.set(target, notBefore);
  return firsts.size === 0 ? undefined : Math.min(...firsts.values());
}

/** That a target has it, or never will. */
export function settled(document: NewsDocument, { news, target }: WaitingNews): NewsDocument {
  return { ...document, waiting: document.waiting.filter((waiting) => !isOne(waiting, news, target)) };
}

/** That a target did not take it now. */
export function postponed(document: NewsDocument, { news, target }: WaitingNews, now: EpochMs): NewsDocument {
  const again = (waiting: WaitingNews) => ({
    ...waiting,
    tries: waiting.tries + 1,
    notBefore:
      now + Math.min(LIMITS.newsRetryMsMax, LIMITS.newsRetryMsMin * 2 ** Math.min(20, waiting.tries)),
  });
  const waiting = document.waiting.map((each) => (isOne(each, news, target) ? again(each) : each));
  return { ...document, waiting };
}

function isOne(waiting: WaitingNews, news: News, target: TargetId): boolean {
  return waiting.target === target && waiting.news.id === news.id;
}

/** What is too old, too much, or for a target that is there no more. */
export function hopeless(
  { waiting }: NewsDocument,
  targets: readonly TargetId[],
  now: EpochMs,
): readonly WaitingNews[] {
  const old = waiting.filter(
    ({ news, target }) => now - news.at > LIMITS.newsWaitMs || !targets.includes(target),
  );
  const rest = waiting.filter((each) => !old.includes(each));
  return [...old, ...rest.slice(0, Math.max(0, rest.length - LIMITS.newsWaiting))];
}
