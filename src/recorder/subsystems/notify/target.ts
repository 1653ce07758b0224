import type { News, TargetId } from "../../../model/news.ts";

/** User and password of a target, or a token where there is no user. */
export interface TargetCredentials {
  readonly user?: string | undefined;
  readonly password: string;
}

/** One place to which news go. */
export interface Target extends AsyncDisposable {
  readonly id: TargetId;
  /**
   * Sends it once, and returns when it was taken.
   *
   * @throws RecorderdError NOTIFY_UNREACHABLE when it may be taken later, NOTIFY_REFUSED when it never will be
   */
  send(news: News, signal: AbortSignal): Promise<void>;
}

/** A title of others in a line of a protocol. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, " ").trim();
}
