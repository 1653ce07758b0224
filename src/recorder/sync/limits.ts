import { DAY, HOUR, MINUTE, SECOND } from "../../model/time.ts";

/** Limits of the guide's polls, programme data and searches for repeats. */
export const SYNC_LIMITS = {
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
} as const;
