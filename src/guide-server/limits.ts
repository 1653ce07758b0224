import { DAY, HOUR, MINUTE, SECOND } from "../model/time.ts";

/** Limits of the guide server. */
export const SERVER_LIMITS = {
  /** A larger request body is refused with 413. */
  bodyBytes: 1024 * 1024,
  /** Accounts of the server; a further sign-up is refused with 406. */
  accounts: 2_000_000,
  /** Connections of one process to a shared database. */
  databaseConnections: 10,
  /** A connection to a shared database that takes longer has failed. */
  databaseConnectMs: 5 * SECOND,
  /** A statement in a shared database that takes longer is ended; its request gets 503. */
  databaseStatementMs: 10 * SECOND,
  /** Waiting for another transaction in a shared database that takes longer ends with 503. */
  databaseLockMs: 5 * SECOND,
  /** Users of one household; a further one is refused with 406. */
  usersPerAccount: 20,
  /** Tokens of one user; with a further sign-in the oldest ends, the latest of each device last. */
  tokensPerUser: 50,
  /** Browsers in which one user is signed in; the oldest session ends with a further one. */
  visitsPerUser: 50,
  /** Device types; one that is reported beyond them is described, but not listed. */
  deviceTypes: 1000,
  /** Devices of one account; a further one is refused with 406. */
  devicesPerAccount: 100,
  /** Rules, series recordings and keywords of one account together; a further one is refused with 406. */
  rulesPerAccount: 500,
  /** Rules of one account that search descriptions for an expression; a further one is refused with 406. */
  textExpressionsPerAccount: 50,
  /** Airings that are considered for one device's rules; the first by start are used. */
  airingsExpanded: 20_000,
  /** Airings that are considered for a preview: more than any recorder takes of two weeks. */
  airingsPreviewed: 4000,
  /** A preview shows the matches of this time ahead. */
  previewMs: 14 * DAY,
  /** Matches in a preview; the others are only counted. */
  previewMatches: 2000,
  /** Favourite channels of one account; a further one is refused with 406. */
  favouritesPerAccount: 1000,
  /** Rules are expanded again after this time even without a change: later airings have come within reach. */
  expandAgainMs: HOUR,
  /** After a change of shows, accounts whose clients wait for changes are looked through within this time. */
  settleWaitingEveryMs: MINUTE,
  /** Done episodes of one device; the oldest are evicted and may be recorded again. */
  episodesPerDevice: 20_000,
  /** Timers of one account; unlisted ones go first, and when none is left, a further timer is refused with 406. */
  timersPerAccount: 10_000,
  /** Reports on one timer; the newest are kept. */
  reportsPerTimer: 200,
  /** Records in one page of a paged list; the others follow on further pages. */
  pageRecords: 1000,
  /** A longer message is cut to this many characters. */
  messageLength: 1000,
  /** A longer name, label, uid or padding type is refused with 406. */
  nameLength: 200,
  /** More data in a timer's fields outside the API is refused with 406. */
  extraBytes: 8 * 1024,
  /** Longer padding of a timer is refused with 406. */
  paddingMinutesMax: 12 * 60,
  /** A timer or show for a longer event is refused with 406. */
  timerMinutesMax: 24 * 60,
  /** A shorter password is refused with 406. */
  passwordLengthMin: 8,
  /** A longer password is refused with 406. */
  passwordLengthMax: 200,
  // A box sends about ten requests at start and every quarter of an hour.
  /** A further request is refused with 429. */
  requests: {
    /** Reading requests of one session, in a burst, then per second. */
    read: { atOnce: 1000, perSecond: 20 },
    /** Changing requests of one session, in a burst, then per second. */
    write: { atOnce: 1000, perSecond: 10 },
    /** Requests of one address without a session, in a burst, then per second. */
    open: { atOnce: 1000, perSecond: 20 },
  },
  /** Sessions and addresses with a count of requests; the one that was idle longest is evicted. */
  requestersKept: 10_000,
  /** Clients that wait for changes of their lists, all together; a further one is refused with 503. */
  changes: 10_000,
  /** Clients of one account that wait for changes; a further one is refused with 429. */
  changesPerAccount: 100,
  /** Streams of one session; the oldest ends with a further one. */
  changesPerSession: 2,
  /** A waiting client gets a sign of life this often. */
  changesBeatMs: 20 * SECOND,
  /** A client that has not read this many bytes of its stream is dropped. */
  changesUnread: 4096,
  /** Retry-After when too many clients wait. */
  changesRetryMs: 5 * MINUTE,
  /** Connections: one for each client that waits for changes, and more for requests. */
  connections: 11_000,
  /** A token ends this long after its last use. */
  tokenMs: 180 * DAY,
  /** The end of a token is written at most once in this time. */
  tokenEveryMs: DAY,
  /** An ended token keeps its specific error this long. */
  disposedTokenMs: DAY,
  /** A timer is listed until this long after the end of its event. */
  timerListedMs: 7 * DAY,
  /** An unlisted timer and its reports are kept until this long after its event. */
  timerKeptMs: 30 * DAY,
  /** A show is listed until this long after its end. */
  showListedMs: 14 * DAY,
  /** A show is kept until this long after its end: former broadcasts distinguish repeats from new shows. */
  showKeptMs: 366 * DAY,
  /** Old records are removed this often (forget.ts). */
  forgetEveryMs: HOUR,
  /** An export that is larger when unpacked is not imported. */
  exportBytes: 16 * 1024 ** 3,
  /** An export with a longer line is not imported. */
  exportLineBytes: 32 * 1024 ** 2,
  /** A larger listing, packed or unpacked, is not read. */
  listingBytes: 2 * 1024 ** 3,
  /** A listing that takes longer from an address or a command is skipped this time. */
  listingFetchMs: 30 * MINUTE,
  /** A listing that is redirected more often is skipped this time. */
  listingRedirects: 5,
  /** A listing that lost most of its programmes, or a show without another in its place, is believed if it stays so for this long. */
  listingShrunkenMs: DAY,
  /** Services that an account's boxes receive; a larger scan is refused with 406. */
  receivedPerAccount: 5000,
  /** A scan arrives in parts: services of an earlier scan that it does not repeat are removed after this time. */
  scanMs: DAY,
  /** Log lines of an account's boxes; the newest are kept. */
  boxLogsPerAccount: 500,
  /** A longer log line is cut to this many characters. */
  boxLogLength: 1000,
  /** A log line is kept for this time at most. */
  boxLogKeptMs: 90 * DAY,
  /** EIT events of one service; further ones, the latest by start, are left out. */
  broadcastEventsPerService: 2000,
  /** Later EIT events are left out: the schedule reaches at most 64 days (EN 300 468 §5.2.4). */
  broadcastAheadMs: 64 * DAY,
  /** Longer EIT events are left out. */
  toldEventMs: DAY,
  /** Services from EIT become channels while the guide has fewer channels than this. */
  broadcastChannels: 2000,
  /** A device's contact is written at most once in this time. */
  contactEveryMs: HOUR,
  /** The server looks for silent devices this often. */
  silenceCheckMs: HOUR,
  /** Series in the popularity list. */
  popularSeries: 30,
  /** Series in the list of new shows. */
  newSeries: 100,
  /** Retry-After while the server is loading or shutting down. */
  retryAfterMs: 5 * SECOND,
  /** Retry-After after a failed write: a person must repair something first. */
  retryAfterFailureMs: 5 * MINUTE,
} as const;
