import { DAY, HOUR, MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of playback. */
export const PLAYBACK_LIMITS = {
  /** A growing recording is checked for more data this often while it is watched. */
  lookMs: SECOND / 4,
  /** Read from a file at once for a player, in bytes: whole packets. */
  readBytes: 1394 * 188,
  /** A repeat replaces no recording that was read within this time: somebody may be watching it. */
  playedMs: 15 * MINUTE,
  /** The first segments of HLS are short, so that a growing recording can be played soon. */
  firstSegments: 3,
  /** A first segment lasts at least this long. Broadcasters send an access point each second or half second. */
  firstSegmentMs: 750,
  /** The first request for the playlist of a growing recording waits this long for a segment. */
  firstSegmentWaitMs: 15 * SECOND,
  /** A player that asks for the next segment of a live service waits this long for it: longer than a segment lasts. */
  reloadWaitMs: 12 * SECOND,
  /** A segment of HLS lasts at least this long, where the recording is not interrupted. Shorter ones cost more requests, and longer ones delay a viewer of a growing recording. */
  segmentMs: 4 * SECOND,
  /** No segment lasts longer: the target duration must not change (RFC 8216 §6.2.1). Broadcasters send an access point at least every 5 s. */
  targetMs: 10 * SECOND,
  /** Data is missing between access points that are farther apart: playback goes on after it. With `segmentMs` it is `targetMs`. */
  gapMs: 6 * SECOND,
  /** Assumed distance between access points where only one is known. */
  groupMs: SECOND,
  /** Access points in memory of the recordings that are watched: a day of one each second. */
  pointsKept: 100_000,
  /** Bytes at the beginning of a segment in which parameters of its streams are searched. */
  parameterSearchBytes: 1024 * 1024,
  /** Bytes of each stream that are searched. */
  parameterBytes: 4096,
  /** Segments that a conversion makes beyond the one requested last; then it waits. */
  convertAheadSegments: 4,
  /** Converted segments that stay on disk behind that one, for a player that requests them again. */
  convertKeptSegments: 8,
  /** A request for a segment beyond the converted ones waits, if it is no farther than this; otherwise a new conversion begins there. */
  convertReachSegments: 3,
  /** The conversion for a viewer ends this long after the last request. */
  convertIdleMs: 20 * SECOND,
  /** A conversion that a viewer waits for fails if ffmpeg writes nothing for so long. */
  convertStallMs: 30 * SECOND,
  /** A request for a converted segment fails after this time: the machine is too slow. */
  convertWaitMs: MINUTE,
  /** Waiting requests and conversions look this often. */
  convertLookMs: SECOND / 20,
  /** A conversion looks for new segments of a growing source this often. */
  convertFollowMs: SECOND / 2,
  /** Converted data of one viewer that is not yet a whole segment, in bytes; no segment of HLS is as large. */
  convertPendingBytes: 64 * 1024 * 1024,
  /** Niceness of ffmpeg in a conversion, as for nice(1): recordings come first. */
  convertNiceness: 19,
  /** Threads of the encoder of one conversion. */
  convertThreads: 2,
  /** Converted pictures are no wider: a slow processor encodes this size in real time. */
  convertWidth: 1280,
  /** Converted pictures are no higher. */
  convertHeight: 720,
  /** Highest rate of a converted picture, in bits per second. */
  convertVideoRate: 4_000_000,
  /** Rate of converted sound, in bits per second. */
  convertAudioRate: 160_000,
  /** The end of ffmpeg's messages that an error quotes, in characters. */
  convertMessageLength: 300,
  /** The trial of a hardware encoder is ended after this time. */
  convertTrialMs: 10 * SECOND,
  /** Bytes of this much time before a segment are searched for subtitles that are still shown in it. */
  subtitlesBehindMs: 8 * SECOND,
  /** Bytes of this much time after a segment are searched for subtitles of its end. A picture waits at most this long in a decoder for its time. */
  subtitlesAheadMs: 2 * SECOND,
  /** A larger logo is not shown. */
  logoBytes: 512 * 1024,
  /** A logo that takes longer to fetch is not shown. */
  logoFetchMs: 10 * SECOND,
  /** A logo that could not be fetched is requested again after this time. */
  logoRetryMs: HOUR,
  /** A fetched logo is fetched again after this time. */
  logoFreshMs: 30 * DAY,
  /** Pictures of recordings are so wide: a phone's screen, or a tile on a large one. */
  stillWidth: 480,
  /** Pictures in a row from which the most typical one is shown: rarely a black one. */
  stillChoice: 12,
  /** A picture that takes longer to make is not shown: usually one second, but everything else comes first on a busy machine. */
  stillMs: 60 * SECOND,
  /** The picture of a growing recording is made again after this time; one that could not be made is tried again. */
  stillFreshMs: 10 * MINUTE,
  /** Pictures that wait to be made, one after the other. A page shows fewer. */
  stillsWaiting: 100,
  /** Pictures on the disk; the oldest are removed when a further one is made. */
  stillsKept: 1000,
  /** Fetched logos on the disk; the oldest is removed when a further one is fetched. */
  logosKept: 500,
} as const;
