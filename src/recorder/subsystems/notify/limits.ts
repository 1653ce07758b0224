import { MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of the notification loops. */
export const NOTIFY_LIMITS = {
  /** The loop looks for news this long after a change, once for many changes in a row. */
  lookMs: 2 * SECOND,
  /** Conditions are checked this often without a change. */
  conditionsMs: MINUTE / 2,
  /** A target that takes longer for one notification has failed. */
  sendMs: 30 * SECOND,
  /** A change of the queue that could not be stored is stored again after this time. */
  storeAgainMs: 5 * SECOND,
  /** Longer names of recordings and channels are shortened, after a whole word. */
  nameLength: 160,
} as const;
