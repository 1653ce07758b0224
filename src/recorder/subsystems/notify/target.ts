import type { News, TargetId } from "../../../model/news.ts";

/** User and password of a target, or a token without a user. */
export interface TargetCredentials {
  readonly user?: string | undefined;
  readonly password: string;
}

/** A destination of news. */
export interface Target extends AsyncDisposable {
  readonly id: TargetId;
  /**
   * Sends news once, and returns when it was accepted.
   *
   * @throws RecorderdError NOTIFY_UNREACHABLE when it may be accepted later, NOTIFY_REFUSED when it never will be
   */
  send(news: News, signal: AbortSignal): Promise<void>;
}

/** Makes one line of a title from outside. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ").trim();
}
