import type { News, TargetId } from "../../../model/news.ts";

/** News in the words of their reader. */
export interface Notification extends Omit<News, "facts"> {
  /** One line. */
  readonly title: string;
  readonly text: string;
  /** Texts that some kinds of targets need around it. */
  readonly labels: {
    /** Subject of an e-mail. */
    readonly subject: string;
    /** When it happened, with the zone. */
    readonly time: string;
    /** Name of the entity in Home Assistant. */
    readonly entity: string;
  };
}

/** A notification as programs read it. */
export function documentOf({ at, labels: _around, ...notification }: Notification) {
  return { ...notification, at: new Date(at).toISOString() };
}

/** User and password of a target, or a token without a user. */
export interface TargetCredentials {
  readonly user?: string | undefined;
  readonly password: string;
}

/** A destination of news. */
export interface Target extends AsyncDisposable {
  readonly id: TargetId;
  /**
   * Sends a notification once, and returns when it was accepted.
   *
   * @throws RecorderdError NOTIFY_UNREACHABLE when it may be accepted later, NOTIFY_REFUSED when it never will be
   */
  send(notification: Notification, signal: AbortSignal): Promise<void>;
}
