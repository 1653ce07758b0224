import { DAY, HOUR, MINUTE, SECOND } from "../../model/time.ts";

/** Limits of the guide's polls, programme data and searches for repeats. */
export const SYNC_LIMITS = {
  /** The first back-off after a failed poll; it doubles with each failure, up to `guideBackOffMsMax`. */
  backOffMsMin: 5 * SECOND,
  /** Stored programme data is checked for changes this often. */
  programmeRefreshMs: 6 * HOUR,
  /** The first back-off after a failed request for programme data; it doubles with each failure. */
  programmeBackOffMsMin: 5 * MINUTE,
  /** The longest back-off after failed requests for programme data. */
  programmeBackOffMsMax: HOUR,
  /** A service without programme data is asked again after this time. */
  programmeRefusedMs: DAY,
  /** Repeats of one recording are searched for again after this time. */
  repeatsRefreshMs: 6 * HOUR,
  /** While the channel of a timer has no service, the guide's channels are requested again after this time. */
  channelsAgainMs: 2 * MINUTE,
  /** This long after a poll, the new timers are checked for channels without a service. */
  channelsLookMs: 2 * SECOND,
  /** The whole list is requested after this time, even if the service says that it is unchanged. */
  wholeListMs: HOUR,
  /** A stream of changes without a sign of life for this time is closed; the service sends one every 20 seconds. */
  changesSilentMs: MINUTE,
  /** The first back-off after the end of a stream of changes; it doubles with each one that ends soon. */
  changesBackOffMsMin: 5 * SECOND,
  /** The longest back-off after the end of a stream of changes. */
  changesBackOffMsMax: 5 * MINUTE,
  /** A stream that lasted this long counts as good: the next back-off is the first one again. */
  changesGoodMs: 10 * MINUTE,
  /** A service without a stream of changes is asked again after this time. */
  changesRefusedMs: HOUR,
  /** Polls because of announced changes, at once; a hostile service causes no more. */
  changesPollsAtOnce: 30,
  /** Another poll because of an announced change is possible after this time. */
  changesPollEveryMs: 10 * SECOND,
  /** While a stream of changes is alive, every sixth scheduled poll takes place. */
  restFactor: 6,
  /** The longest time between two polls while a stream of changes is alive, unless the schedule has a longer one. */
  restMsMax: 30 * MINUTE,
} as const;
