import { DAY, HOUR, MINUTE, SECOND } from "../model/time.ts";

/** The limits of the guide server, each with its effect. */
export const SERVER_LIMITS = {
  /** A larger body is refused with 413. */
  bodyBytes: 1024 * 1024,
  /** Sign-up beyond is refused with 406. */
  accounts: 10_000,
  /** A further user of one household is refused with 406. */
  usersPerAccount: 20,
  /** The user's oldest token ends with a further sign-in. */
  tokensPerUser: 50,
  /** A further device is refused with 406. */
  devicesPerAccount: 100,
  /** Series recordings and keywords of one account together; a further one is refused with 406. */
  rulesPerAccount: 500,
  favouritesPerAccount: 1000,
  /** Airings that are considered for one device's rules, the first by start. */
  airingsExpanded: 5000,
  /** Timers are made for airings that begin within this time. */
  expandAheadMs: 28 * DAY,
  /** Rules are expanded again after this time even without a change: later airings have come within reach. */
  expandAgainMs: HOUR,
  /** Among airings within this time of the first, the one on a channel of the wanted quality is chosen. */
  qualityWithinMs: DAY,
  /** The largest distance of an airing's start from the start_minutes of a rule. */
  startWithinMinutes: 30,
  /** A show that disappears is replaced by one with its title that begins within this time on its channel. */
  sameAiringMs: 3 * HOUR,
  /** Without a report this long after a timer's event, the episode is wanted again. */
  unreportedMs: DAY,
  /** Done episodes of one device; the oldest are evicted and may be recorded again. */
  episodesPerDevice: 20_000,
  /** Removed timers go first; when none is left, a further timer is refused with 406. */
  timersPerAccount: 10_000,
  /** Reports on one timer; the newest are kept. */
  reportsPerTimer: 200,
  /** The largest page of a paged list. */
  pageRecords: 1000,
  /** A longer message is cut to this many characters. */
  messageLength: 1000,
  /** A longer name, label, uid or padding type is refused with 406. */
  nameLength: 200,
  /** More data in a timer's fields outside the API is refused with 406. */
  extraBytes: 8 * 1024,
  paddingMinutesMax: 12 * 60,
  /** A longer one is refused with 406. */
  timerMinutesMax: 24 * 60,
  passwordLengthMin: 8,
  passwordLengthMax: 200,
  /**
   * Requests of a session, reading and changing, and of an address without a session: a burst, then a rate per
   * second; further ones are refused with 429. A box sends about ten requests at start and every quarter of an hour.
   */
  requests: {
    read: { atOnce: 1000, perSecond: 20 },
    write: { atOnce: 1000, perSecond: 10 },
    open: { atOnce: 1000, perSecond: 20 },
  },
  /** Sessions and addresses with a count; the one that was idle longest is evicted. */
  requestersKept: 10_000,
  /** A token ends this long after the login. */
  tokenMs: 180 * DAY,
  /** An ended token keeps its specific error this long. */
  disposedTokenMs: DAY,
  /** A timer is listed until this long after the end of its event. */
  timerListedMs: 7 * DAY,
  /** An unlisted timer and its reports are kept until this long after its event. */
  timerKeptMs: 30 * DAY,
  /** A show is listed and kept until this long after its end: former broadcasts distinguish repeats from new shows. */
  showListedMs: 14 * DAY,
  showKeptMs: 366 * DAY,
  /** The interval at which old records are removed (forget.ts). */
  forgetEveryMs: HOUR,
  /** An export that is larger when unpacked, or that has a longer line, is not imported. */
  exportBytes: 16 * 1024 ** 3,
  exportLineBytes: 32 * 1024 ** 2,
  /** A larger listing, packed or unpacked, is not read. */
  listingBytes: 2 * 1024 ** 3,
  /** A listing that takes longer from an address or a command is skipped this time. */
  listingFetchMs: 30 * MINUTE,
  listingRedirects: 5,
  /** A listing that lost most of its programmes is accepted if it stays so for this long. */
  listingShrunkenMs: DAY,
  /** Services that an account's boxes receive; a larger scan is refused with 406. */
  receivedPerAccount: 5000,
  /** A scan arrives in parts: services of an earlier scan that it does not repeat are removed after this time. */
  scanMs: DAY,
  /** Log lines of an account's boxes; the newest are kept, each cut to this many characters. */
  boxLogsPerAccount: 500,
  boxLogLength: 1000,
  /** The longest storage of a log line. */
  boxLogKeptMs: 90 * DAY,
  /** EIT events of one service; further ones, the latest by start, are left out. */
  broadcastEventsPerService: 2000,
  /**
   * EIT schedule reaches at most 64 days (EN 300 468 §5.2.4); later events and events longer than a day are left
   * out.
   */
  broadcastAheadMs: 64 * DAY,
  toldEventMs: DAY,
  /** Services from EIT become channels while the guide has fewer channels than this. */
  broadcastChannels: 2000,
  /** A device's contact is written at most once in this time. */
  contactEveryMs: HOUR,
  /** The interval of the check for silent devices. */
  silenceCheckMs: HOUR,
  /** Series in the popularity list and in the list of new shows. */
  popularSeries: 30,
  newSeries: 100,
  /** Retry-After while the server is loading or shutting down. */
  retryAfterMs: 5 * SECOND,
  /** Retry-After after a failed write: a person must repair something first. */
  retryAfterFailureMs: 5 * MINUTE,
} as const;
