import { DAY, HOUR, MINUTE, SECOND } from "./time.ts";

/**
 * The bound of every queue, body and wait, in one place. What happens at each limit is said beside it.
 * Values that a person may want to change are keys of the configuration instead.
 */
export const LIMITS = {
  /** An answer of the guide service larger than this is refused with GUIDE_BODY_TOO_LARGE. */
  guideBodyBytes: 64 * 1024 * 1024,
  /** A longer one is read on a thread of its own, which others need not wait for; one that says nothing for so long is ended. */
  guideReadHereBytes: 128 * 1024,
  guideReadMs: MINUTE,
  guideReadMiB: 1024,
  /** A document of the guide beyond one of these is refused with GUIDE_DOCUMENT_INVALID before anything is built of it. */
  guideDepth: 64,
  guideXmlElements: 1_000_000,
  guideXmlAttributes: 2_000_000,
  guideXmlTagAttributes: 10_000,
  /** Characters of one tag or one text: one title without measure must not cost the rest of a list, and is cut when it is read. */
  guideXmlPieceLength: 32 * 1024 * 1024,
  guideListEntries: 250_000,
  guideJsonValues: 4_000_000,
  /** A request to the guide service that has no complete answer by then fails with GUIDE_TIMEOUT. */
  guideRequestMs: 30 * SECOND,
  /** A longer Retry-After is cut to this. */
  guideRetryAfterMsMax: HOUR,
  /** Programme data: channels of one request, and how often what is known is asked for changes. */
  programmeChannels: 50,
  programmeRefreshMs: 6 * HOUR,
  /** Programme data is fetched until this long after the event: sidecars follow the guide. */
  programmeAfterMs: DAY,
  /** Repeats: recordings that they are sought for at once, the soonest first; how often they are sought again; how many are kept. */
  repeatsWanted: 50,
  repeatsRefreshMs: 6 * HOUR,
  repeatsKept: 5,
  /** For a recording that was lost they are looked for so long. */
  repeatsAfterMs: 14 * DAY,
  /** So many are booked for one recording, one after the other; what was booked is in the service's list by then. */
  repeatsBooked: 3,
  repeatListedMs: HOUR,
  /** Back-off between failed requests for it doubles up to the second; a service that does not have it is asked again after the third. */
  programmeBackOffMsMin: 5 * MINUTE,
  programmeBackOffMsMax: HOUR,
  programmeRefusedMs: DAY,
  /** Longer texts keep their beginning, longer lists their first categories: the document holds them all. */
  programmeTextLength: 200,
  programmeDescriptionLength: 1000,
  programmeCategories: 10,
  /** EIT gathering: how often events go to the guide service, and how often it is asked whether it takes them. */
  gatherBringMs: 10 * MINUTE,
  gatherAskMs: 6 * HOUR,
  /** Events of all streams being read, sections and names included. Each stream takes at most half of the rest; more is not read. */
  gatherEvents: 100_000,
  /** Events that could not be delivered for this long are dropped: the tables have changed by then. */
  gatherKeptMs: 6 * HOUR,
  /** Unchanged events are not delivered again for this long; beyond this many parts the oldest is forgotten. */
  gatherAgainMs: DAY,
  gatherParts: 50_000,
  /** One request has at most so many events and characters: fewer bytes than a guide server takes. */
  gatherRequestEvents: 400,
  gatherRequestLength: 250_000,
  /** A file that was last written longer ago is not of a stream that is read now. */
  gatherLiveMs: 2 * MINUTE,
  /** Idle tuners: a multiplex is listened to for so long, or until nothing new was told for the second; then again after the third. */
  idleListenMs: MINUTE,
  idleQuietMs: 30 * SECOND,
  idleAgainMs: 6 * HOUR,
  /** How often it is looked for one that is due; what no tuner was free for is due after the second, what failed after the third. */
  idleLookMs: MINUTE,
  idleBusyMs: 10 * MINUTE,
  idleFailedMs: HOUR,
  /** Pauses between failures in a row double from `idleLookMs` up to this. */
  idleBackOffMsMax: HOUR,
  /** Back-off between failed polls and failed deliveries doubles up to this. */
  guideBackOffMsMax: 15 * MINUTE,
  /** With more reports waiting, deliveries keep a gap, so that a service that comes back is not overrun. */
  deliveriesQuick: 20,
  deliveryGapMs: SECOND / 20,
  /** How often it is looked whether somebody has signed in beside the daemon. */
  secretsLookMs: 2 * SECOND,
  /** A timer for a longer event than this is malformed: no broadcast is, and arithmetic on instants stays sound. */
  timerMinutesMax: 7 * 24 * 60,
  /** Occurrences that wait for the engine; a sender beyond waits for room. */
  inboxSize: 10_000,
  /** Changes of a timer list that are taken in at once: for the others it is decided again, when what waits had its turn. */
  newsAtOnce: 100,
  /** About more open recordings is decided in steps, between which others have their turn. */
  recordingsAtOnce: 75,
  /** Reports that wait for delivery; beyond, the oldest report that a newer one of its timer makes redundant is dropped. */
  outboxSize: 20_000,
  /** Entries of the timer list that cannot be read and were told of; further ones are passed over until these leave the list. */
  refusedEntries: 1000,
  /** A processed `forget` that stays in the list is told of again after this: doubles from the first to the last value. */
  forgetAgainMsMin: 10 * MINUTE,
  forgetAgainMsMax: DAY,
  /** Texts of the service beyond this are cut: titles and descriptions are shorter, and every program that is told of them has a limit. */
  wireTextLength: 8192,
  /** A longer identifier is refused with its record: cut, it would be another one's. */
  wireIdLength: 256,
  /** A longer message to the service is cut. */
  messageLength: 500,
  /** One wait on the clock; longer ones are cut into slices of this, so that steps of the clock and suspend are noticed. */
  waitSliceMs: 10 * SECOND,
  /** A wall clock that is off by so much from where it should be was set, a monotonic clock that stood still so long means sleep. */
  clockStepMs: SECOND / 2,
  clockSleepMs: 2 * SECOND,
  /** An engine whose loop did not go round for this long is not told of as alive: the service manager starts the daemon anew. */
  engineSilentMs: 5 * MINUTE,
  /** Time for the command that sets the machine's alarm clock. */
  wakeAlarmMs: MINUTE,
  /** How often the kernel is asked whether NTP keeps its clock, and how often while the clock is not trusted. */
  kernelClockLookMs: MINUTE,
  kernelClockDoubtMs: 5 * SECOND,
  /** Time for `timedatectl` or `chronyc` to answer; without an answer the kernel counts as silent. */
  kernelClockMs: 2 * SECOND,
  /** A source's statement about the clock counts for this long; later steps are added to it. */
  clockHeardMs: 6 * HOUR,
  /** By a clock that is wrong by more than this nothing begins and nothing is over: what is on the air goes by another source. */
  clockGrossMs: DAY,
  /** A clock that is not trusted keeps recordings from ending for so long; then it is believed nevertheless. */
  clockHoldMs: DAY,
  /** A capture whose window is further ahead than this, by a clock that was set right, began by mistake. */
  prematureMs: MINUTE,
  /** Times without a daemon that are remembered; beyond, the oldest is forgotten. */
  outages: 16,
  /** Wait between attempts of one recording: doubles from the first to the last value. */
  retryMsMin: SECOND,
  retryMsMax: 30 * SECOND,
  /** After an attempt shorter than this the next one waits, even if payload had flowed. */
  briefAttemptMs: 10 * SECOND,
  /** From opening a tuner to its source being ready. */
  tuneMs: 20 * SECOND,
  /** From the start of a capture to the first valid payload on disk; then STREAM_NO_DATA. */
  firstPayloadMs: 15 * SECOND,
  /** Without a new byte for this long a capture is STREAM_STALLED. */
  stallMs: 10 * SECOND,
  /** A capture that has flowed for `steadyMs` and then brings nothing, or much that is damaged, for `doubtMs` is relieved if it can be. */
  doubtMs: 3 * SECOND,
  steadyMs: 10 * SECOND,
  /** Flaws in a hundred packets that make an attempt doubtful. */
  doubtFlawsPercent: 1,
  /** The end of a segment is sought in this much of the beginning of the next one. */
  overlapBytes: 16 * 1024 * 1024,
  /** Tables that name another service are believed when they do so for this long: a source may still end the one before. */
  wrongServiceMs: 3 * SECOND,
  /** How often a capture is looked at until payload flows, and from then on. */
  captureLookFirstMs: SECOND / 8,
  captureLookMs: 2 * SECOND,
  /** A file that grows may have been taken away all the same: it is looked for under its name this often. */
  captureNameMs: 4 * SECOND,
  /** ffmpeg's output is on the disk after this long at the latest: a power failure loses no more. The host keeps the same limit. */
  captureSyncMs: 15 * SECOND,
  /** A capture gives up a silent source by itself after this long: matters only while no daemon watches it. */
  inputTimeoutMs: 30 * SECOND,
  /** A capture's own log is emptied when it grows beyond this; its end is what counts. */
  captureLogBytes: 1024 * 1024,
  /** After a capture is asked to stop: asked again, then killed. */
  stopPatienceMs: 2 * SECOND,
  /** The capture host has so long to start, to introduce itself, to answer; then it is killed. */
  hostAnswerMs: 15 * SECOND,
  /** A capture host that dies so often within that time, or does not start, is left alone for that time where ffmpeg can do its work. */
  hostDeaths: 3,
  /** A source that so many of them read is kept apart for that time: ffmpeg reads it, in a process of its own. */
  hostSourceDeaths: 2,
  hostLeftAloneMs: 10 * MINUTE,
  /** A capture host without captures ends after so long. */
  hostIdleMs: MINUTE,
  /** So long before a tuner is opened captures are made ready for it: a process starts in a second, also on a slow machine that does much else. */
  captureAheadMs: 15 * SECOND,
  /** A capture host that is told that something comes soon stays, and obeys at once, for so long: until the next word, or until what comes has come. */
  hostAlertMs: 20 * SECOND,
  /** Bytes that wait for a file's disk before an HTTP source has to wait; for a source with several readers the second value. UDP and RTP drop and count more. */
  hostBacklogBytes: 4 * 1024 * 1024,
  hostSharedBacklogBytes: 32 * 1024 * 1024,
  /** Beyond this sum over all files, each file gets the smaller of these two. */
  hostBacklogsBytes: 128 * 1024 * 1024,
  /** The capture host's JavaScript heap, without the bytes that wait for disks. It needs some tens. */
  hostHeapMiB: 192,
  /**
   * One answer of an HTTP source: bytes of its header with those of the preliminary answers (1xx) before it, their number, and fields of
   * one header; beyond, STREAM_EXCESSIVE.
   */
  hostHeadBytes: 64 * 1024,
  hostPreliminary: 20,
  hostHeadFields: 200,
  /** The most that one source may bring, 200 Mbit/s. An HTTP source with more waits, and ends with STREAM_EXCESSIVE when that lasts. */
  hostSourceBytesPerSecond: 25_000_000,
  hostSourceBurstBytes: 4 * 1024 * 1024,
  hostFloodMs: 30 * SECOND,
  /** UDP and RTP sources cannot wait: what one brings beyond a second of that rate ends it. Each datagram counts as so much longer: it costs that. */
  hostDatagramsBurstBytes: 25_000_000,
  hostDatagramExtraBytes: 300,
  /** Changes of PAT and PMT at once, and packets after which there may be one more; then STREAM_EXCESSIVE. */
  hostTableChanges: 200,
  hostPacketsPerTableChange: 1000,
  /** How often an HTTP source may redirect, and how long it has until its body begins; then TUNER_UNREACHABLE. */
  hostRedirects: 5,
  hostHeadMs: 15 * SECOND,
  /** A capture is stopped this long after the end of its window, so that what was sent until then is on disk. */
  stopDelayMs: SECOND / 2,
  /** A capture ends by itself this long after the end of its window, daemon or no daemon; more than an event is followed. */
  captureOverrunMs: 2 * HOUR,
  /** An event that should be over and is not is followed by so much at a time. */
  followStepMs: MINUTE,
  /**
   * A segment is read again before it is evidence: so many bytes a second at most, so that captures have the disk when they need it. Where
   * it changes meanwhile it is read again, so often; then closing is tried again later.
   */
  closingReadBytesPerSecond: 200_000_000,
  closingReads: 3,
  /** One step of closing that takes longer than this is told of: its storage is slow, or hangs. It goes on. */
  closingSlowMs: 15 * MINUTE,
  /** A recording that has had so many attempts waits the longest time before each further one: the document holds them all. */
  attemptsQuick: 1000,
  /** Captures that belonged to no recording and are remembered; the ledger holds them all. */
  straysMax: 20,
  /** Finished recordings and withdrawn timers stay in the document this long. */
  historyMs: 30 * DAY,
  /** Size at which a ledger file is rotated, and how many old ones are kept. */
  ledgerBytes: 8 * 1024 * 1024,
  ledgerFiles: 8,
  /** Services of which it is known what they take on disk; the one that taught something longest ago goes. */
  learntServices: 1000,
  /** Recordings that the library holds; further ones stay on disk, unknown to retention, and the log says so. */
  libraryEntries: 100_000,
  /** Kept in the data folder for the time when its disk is full: some thousand commits of a small document. */
  reserveBytes: 4 * 1024 * 1024,
  /** How often it is looked whether there is a reserve, and room for one. */
  reserveLookMs: 30 * SECOND,
  /** How often the disk is looked at; the look is given up after as long, as when a network disk does not answer. */
  spaceLookMs: 5 * SECOND,
  /** Jobs that wait; further ones are not taken, and the log says so. Of those that ended, so many are remembered. */
  jobsWaiting: 10_000,
  jobsRemembered: 200,
  /** A job that fails is tried so often, the wait between doubling from the first. */
  jobTries: 3,
  jobRetryMs: 5 * MINUTE,
  /** A job that takes longer is given up: a day of picture takes less. */
  jobMs: DAY,
  /** Questions to ffmpeg and ffprobe. */
  toolAnswerMs: 30 * SECOND,
  toolAnswerBytes: 1024 * 1024,
  /** Hooks that run at once, one of a recording; further ones wait. What one says is cut to its end in the log. */
  hooksAtOnce: 4,
  /** Waits that end with the daemon at once: one for each capture that runs, and a few loops. */
  signalListeners: 1000,
  /** A recording's end is told when its sidecars are written; where they cannot be, after so long. */
  hookSidecarMs: MINUTE,
  hookOutputBytes: 4096,
  /** A longer value in the environment of a hook is cut; the JSON on its input is whole. The system takes 131,072 bytes for each. */
  hookValueLength: 8192,
  /** A hook that failed for a reason of ours is begun again after so long. */
  hookAgainMs: MINUTE,
  /** All sums of one group of recordings together; then the best that was found is taken, with its bound. */
  optimizerMs: 30 * SECOND,
  /** A thread beside the loop that says nothing for so long is ended, and what is known of the plan has to do. */
  planningThreadMs: 2 * MINUTE,
  planningThreadMiB: 1024,
  /** How often retention looks for what is due. */
  retentionLookMs: MINUTE,
  /** A list that is asked for shows files as they were looked at this long ago at most. */
  fileLookMs: 2 * SECOND,
  /** A file that is verified is read at this pace at most, from the disk itself. */
  verifyReadBytesPerSecond: 50_000_000,
  /** A sidecar that is larger is not read for the SHA-256 in it. */
  sidecarBytes: 16 * 1024 * 1024,
  /** Files that are told of as damaged at once; the list of recordings shows the others too. */
  damagedFiles: 100,
  /** Taking the lock of the data folder; then STORE_LOCKED. */
  lockMs: 5 * SECOND,
  /** So long it is waited for those who need the folder for one piece of work only, as a command that orders a recording; then STORE_LOCKED. */
  lockWaitMs: 30 * SECOND,
  /** Packing or unpacking a backup. */
  backupMs: 10 * MINUTE,
  /** A backup that holds more is refused with FILE_UNREADABLE. */
  backupBytes: 2 ** 40,
  backupFiles: 100_000,
  backupManifestBytes: 16 * 1024 * 1024,
  /** A data folder that is written without a pause for so long is not backed up: FILE_UNREADABLE. */
  backupQuietMs: 30 * SECOND,
  /** A larger configuration file is refused with CONFIG_INVALID. */
  configBytes: 1024 * 1024,
  /** The document says at least this often that the daemon was alive. */
  heartbeatMs: MINUTE,
  /** Spans and clock breaks kept of one inspected file; what comes after is not counted as covered, or not listed. */
  inspectedSpans: 10_000,
  /** Spans of time for which the bit rate of one file is kept apart; they become longer instead of more. */
  inspectedRateSpans: 240,
  /** Gaps and clock breaks that the integrity report lists: the longest gaps, the first breaks. */
  reportedGaps: 1000,
  /** Services of one inspected stream; further ones are not looked at. */
  inspectedServices: 1024,
  /** Changes of its tables that are read at once, and packets of tables after which one more is. */
  inspectedTableChanges: 1024,
  inspectedPacketsPerTableChange: 250,
  /** Readings of clocks and starts of units kept until the tables say which of them belong to the service: some seconds of a multiplex. */
  inspectedBeginnings: 16_384,
  /** Elementary streams of one service whose presence is followed, and changes of its PMT; further ones are not looked at. */
  inspectedTracks: 64,
  inspectedEras: 256,
  /** Services of tuners of which names and numbers are remembered; the one told of longest ago goes. Candidates shown for one channel. */
  knownServices: 20_000,
  serviceCandidates: 40,
  /** The guide's channels are asked for again after this while the channel of a timer has no service. */
  channelsAgainMs: 2 * MINUTE,
  /** How long after a poll it is looked whether it brought a timer of such a channel. */
  channelsLookMs: 2 * SECOND,
  /** A larger channel list is refused with FILE_UNREADABLE; services and mistakes beyond are not kept. */
  channelListBytes: 32 * 1024 * 1024,
  channelListServices: 100_000,
  channelListMistakes: 1000,
  /** PIDs of a service in one, and its conditional access systems. */
  channelListPids: 256,
  /** An answer of a tuner's server that is larger, or later, is TUNER_UNREACHABLE. */
  tunerAnswerBytes: 16 * 1024 * 1024,
  tunerAnswerMs: 10 * SECOND,
  /** How long after all have answered those tuners that are held are asked again how well they receive. */
  receptionLookMs: 15 * SECOND,
  /** From the start of a tuner process to its lock, then to the tables of the multiplex; then TUNER_NO_LOCK. */
  tunerLockMs: 10 * SECOND,
  tunerTablesMs: 5 * SECOND,
  /** A tuner process that nobody reads ends after the first of these when its outputs have just changed, else after the second. */
  tunerUnreadFirstMs: 30 * SECOND,
  tunerUnreadMs: 10 * SECOND,
  /** Its log is cut when it grows beyond this. */
  tunerLogBytes: 1024 * 1024,
  /** Multiplexes of tuners of which it is known how they are received; the one that taught something longest ago goes. */
  healthPairs: 2000,
  /** Older results no longer count against a tuner. */
  healthMs: 7 * DAY,
  /** Failures in a row after which a tuner may be taken for dead. */
  quarantineAfter: 3,
  /** How often a dead tuner is tried; doubles from the first to the last value. A try that takes longer has failed. */
  probeMsMin: MINUTE / 2,
  probeMsMax: 5 * MINUTE,
  probeMs: 30 * SECOND,
  /** A service that is tried by hand is listened to for so long once it is received: tables come every two seconds at the latest. */
  probeListenMs: 5 * SECOND,
  /** How often it is looked whether a tuner's server that was away accepts connections. */
  serverLookMs: SECOND,
  /** One that does not say what it has is asked again after the first of these; doubles up to the second. */
  askAgainMsMin: 5 * SECOND,
  askAgainMsMax: 2 * MINUTE,
  /** A tuner keeps its multiplex for so long after its last use, for one that follows. */
  lingerMs: 3 * SECOND,
  /** Uses of tuners that are no recordings, at once; a further one is refused with TUNER_BUSY. */
  leases: 64,
  /** A viewer holds a tuner for so long at most. */
  viewMs: 12 * HOUR,
  /** Time for another use to release a tuner that a recording takes. */
  evictMs: 2 * SECOND,
  /** Recordings missed while the recorder was off are not ended before the service lists its timers, or before this has passed. */
  listAwaitMs: 5 * MINUTE,
  /** News: how long after a change, and how often anyway, it is looked whether something is one. */
  newsLookMs: 2 * SECOND,
  newsConditionsMs: MINUTE / 2,
  /** A recording that ended longer ago is none; a condition that comes back is one at the earliest after the second; a service that fails for the third. */
  newsAgeMs: DAY,
  newsAgainMs: HOUR,
  newsSyncMs: 15 * MINUTE,
  /** A target has so long to take one; then pauses double from the second to the third. */
  newsSendMs: 30 * SECOND,
  newsRetryMsMin: 15 * SECOND,
  newsRetryMsMax: HOUR,
  /** Undelivered for so long, or more than so many: given up, the oldest first. */
  newsWaitMs: 3 * DAY,
  newsWaiting: 1000,
  /** An answer of the content site beyond one of these is refused with SITE_ANSWER_INVALID. */
  siteBodyBytes: 16 * 1024 * 1024,
  siteDepth: 64,
  /** A request to the content site that has no complete answer by then fails with SITE_UNREACHABLE. */
  siteRequestMs: 30 * SECOND,
  /** Requests that reading a whole list may take; then SITE_LIST_TOO_LONG. */
  siteListRequests: 1000,
  /** Identifiers in one parameter, and characters of a search: so that the address stays below 8 KiB. */
  siteIds: 500,
  siteSearchLength: 200,
  /** A larger file of a request is refused with SITE_PARAMETER_INVALID, a larger credentials file with SITE_CREDENTIALS_INVALID. */
  siteRequestBytes: 16 * 1024 * 1024,
  siteCredentialsBytes: 4096,
  /** After a failure the announcements of the site are asked for again at the latest then. */
  siteRetryMs: HOUR,
  /** Characters of one text of the site that are shown; the rest is cut. */
  siteTextLength: 200,
  /** Lines of the log that are shown to people; older ones are the system's to keep. */
  logLines: 1000,
  /** Listeners of events; one more is refused. A listener with this much unread data is disconnected. */
  eventListeners: 50,
  eventBufferLength: 32 * 1024 * 1024,
  /** Past events for who comes back: who missed more is told everything anew. */
  eventsKept: 500,
  eventsKeptLength: 4 * 1024 * 1024,
  /** How often it is looked whether something changed that nobody told of; after a change, others have so long to come with it; a sign of life when nothing happens. */
  eventLookMs: SECOND,
  eventGatherMs: SECOND / 20,
  eventSilenceMs: 15 * SECOND,
  /** Shows that people look at are asked for again after this, so many channels are remembered, and so many shows shown at once. */
  guideFreshMs: 10 * MINUTE,
  guideFreshChannels: 1000,
  guideShows: 20_000,
  /** How often a recording that is watched while it grows is looked at for more. */
  playLookMs: SECOND / 4,
  /** A recording read this recently counts as being watched. */
  playedMs: 15 * MINUTE,
  /** A request to the API that is larger is refused. */
  apiBodyBytes: 64 * 1024,
  /** One that a stranger may send is smaller: a sign-in, or a login with the device that it registers. */
  openBodyBytes: 16 * 1024,
  /** Requests of one address: so many at once, and so many a second from then on; further ones are refused with 429. */
  webRequestsAtOnce: 1000,
  webRequestsPerSecond: 100,
  /** Failed sign-ins within the time: of one name, and from one address; a further one is refused with 429. */
  guessesPerName: 10,
  guessesPerAddress: 30,
  guessesMs: 15 * MINUTE,
  /** Names, addresses and pairs of both of which that is remembered; beyond, the oldest is forgotten. */
  guessersKept: 10_000,
  /** Passwords that wait to be worked out; a further one is refused with 503. */
  passwordsWaiting: 20,
  /** Addresses of which that is remembered; the one that was quiet for longest goes. */
  webAddresses: 10_000,
  /** A sign-in of a browser counts for so long; beyond so many, the oldest ends. */
  sessionMs: 30 * DAY,
  sessions: 1000,
  /** A one-time link that was asked for counts for so long. */
  linkMs: 15 * MINUTE,
  /** A password that was right is not worked out again for so long. */
  passwordMs: 10 * MINUTE,
  /** A port that is taken is tried again after this. */
  webRetryMs: 10 * SECOND,
  /** So many recordings wait to be told as traces; beyond, the oldest is not. Each try ends after this; the next one follows after a growing pause. */
  tracesWaiting: 1000,
  traceMs: 10 * SECOND,
  traceRetryMs: 5 * SECOND,
  traceRetryMsMax: 5 * MINUTE,
  traceAnswerBytes: 64 * 1024,
  /**
   * The event loop is starved when its thread has computed for `loopStarvedMs` without going round: it goes round every `loopBeatMs`, and
   * computing counts from `loopLookMs` after the last time. A watcher that died is started anew after the last.
   */
  loopBeatMs: 2 * SECOND,
  loopLookMs: 4 * SECOND,
  loopStarvedMs: 8 * SECOND,
  loopWatcherMs: MINUTE,
  /** Work that starved the loop is set aside for the first, doubled with each repetition up to the second; forgotten after the third. */
  setAsideMs: HOUR,
  setAsideMsMax: DAY,
  setAsideForgetMs: 7 * DAY,
  /** So many pieces of work are remembered; so many of one kind at once mean all of the kind. */
  setAsideKept: 50,
  setAsideWholeKind: 3,
  /** A connection that takes nothing of an answer for so long is ended: a player may be paused. */
  webPauseMs: 10 * MINUTE,
} as const;
