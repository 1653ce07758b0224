import { DAY, HOUR, MINUTE, SECOND } from "../model/time.ts";

/** The bounds of the guide server. What happens at each limit is said beside it. */
export const SERVER_LIMITS = {
  /** A larger body is refused with 413. */
  bodyBytes: 1024 * 1024,
  /** Sign-up beyond is refused with 406. */
  accounts: 10_000,
  /** A further user of one household is refused with 406. */
  usersPerAccount: 20,
  /** The user's oldest token ends when it signs in once more. */
  tokensPerUser: 50,
  /** A further device is refused with 406. */
  devicesPerAccount: 100,
  /** Series recordings and keywords of one account together; a further one is refused with 406. */
  rulesPerAccount: 500,
  favouritesPerAccount: 1000,
  /** Airings of one device's rules that are looked at, the first by start. */
  airingsExpanded: 5000,
  /** Timers are made for what begins within this time. */
  expandAheadMs: 28 * DAY,
  /** Rules are looked at again after this time though nothing has changed: later airings have come within reach. */
  expandAgainMs: HOUR,
  /** Among airings so long after the first, that on the channel of the wanted quality is taken. */
  qualityWithinMs: DAY,
  /** How far from the start_minutes of a rule an airing may begin. */
  startWithinMinutes: 30,
  /** A show that is not found again is the one on its channel that begins so near, with its title. */
  sameAiringMs: 3 * HOUR,
  /** When nothing was told of a timer so long after its event, the episode is wanted again. */
  unreportedMs: DAY,
  /** Episodes of one device that are known as done; the oldest are forgotten, and may be recorded again. */
  episodesPerDevice: 20_000,
  /** Removed timers go first; when none is left, a further timer is refused with 406. */
  timersPerAccount: 10_000,
  /** Of what a client told about one timer the newest are kept. */
  reportsPerTimer: 200,
  /** Most records of a page, where a client asks for pages. */
  pageRecords: 1000,
  /** A longer message is cut to this many characters. */
  messageLength: 1000,
  /** A longer name, label, uid or padding type is refused with 406. */
  nameLength: 200,
  /** Fields of a timer that are not the interface's: more is refused with 406. */
  extraBytes: 8 * 1024,
  paddingMinutesMax: 12 * 60,
  /** A longer one is refused with 406. */
  timerMinutesMax: 24 * 60,
  passwordLengthMin: 8,
  passwordLengthMax: 200,
  /**
   * Requests of a session that read, and that change something; and those of an address that come without one. So many at once, and so
   * many a second from then on; a further one is refused with 429. A box asks some ten times when it starts, and each quarter of an hour.
   */
  requests: {
    read: { atOnce: 1000, perSecond: 20 },
    write: { atOnce: 1000, perSecond: 10 },
    open: { atOnce: 1000, perSecond: 20 },
  },
  /** Sessions and addresses of which that is known; the one that was quiet for longest is forgotten. */
  requestersKept: 10_000,
  /** A token ends this long after the login. */
  tokenMs: 180 * DAY,
  /** What is said about a token that has ended is known this long. */
  disposedTokenMs: DAY,
  /** A timer is in the list until this long after its event has ended. */
  timerListedMs: 7 * DAY,
  /** A timer that is in no list any more, and what was told about it, is kept until this long after its event. */
  timerKeptMs: 30 * DAY,
  /** A show is in lists until this long after it has ended, and kept so long: what was broadcast tells repeats from news. */
  showListedMs: 14 * DAY,
  showKeptMs: 366 * DAY,
  /** How often it is looked for what is to be forgotten: all that is kept for a time (forget.ts). */
  forgetEveryMs: HOUR,
  /** A larger export, unpacked, or one with a longer line is not imported. */
  exportBytes: 16 * 1024 ** 3,
  exportLineBytes: 32 * 1024 ** 2,
  /** A larger listing, packed or unpacked, is not read. */
  listingBytes: 2 * 1024 ** 3,
  /** One that is not there by then, from an address or a command, is not read this time. */
  listingFetchMs: 30 * MINUTE,
  listingRedirects: 5,
  /** A listing that has lost most of what it had is believed when it stays so for so long. */
  listingShrunkenMs: DAY,
  /** Services that the boxes of an account have found; a scan of more is refused with 406. */
  receivedPerAccount: 5000,
  /** A scan comes in parts: what an earlier one found and the parts of this one do not name is forgotten after this time. */
  scanMs: DAY,
  /** Of the logs of an account's boxes the newest lines are kept, each cut to this many characters. */
  boxLogsPerAccount: 500,
  boxLogLength: 1000,
  /** A line is kept so long at most. */
  boxLogKeptMs: 90 * DAY,
  /** Events of one service that the broadcast's tables told of; further ones, the latest by start, are left out. */
  broadcastEventsPerService: 2000,
  /** EIT schedule reaches 64 days at most (EN 300 468 §5.2.4); what begins later is left out, and what lasts longer than a day. */
  broadcastAheadMs: 64 * DAY,
  toldEventMs: DAY,
  /** Services that the broadcast tells of become channels while the guide has fewer. */
  broadcastChannels: 2000,
  /** That a device was heard of is written down once in this time. */
  contactEveryMs: HOUR,
  /** How often it is looked for devices that are silent. */
  silenceCheckMs: HOUR,
  /** Series in the popularity list, and in the list of new shows. */
  popularSeries: 30,
  newSeries: 100,
  /** What a client is asked to wait when the server is loading or shutting down. */
  retryAfterMs: 5 * SECOND,
  /** The same, after a write has failed: a person must repair something first. */
  retryAfterFailureMs: 5 * MINUTE,
} as const;
