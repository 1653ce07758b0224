import { MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of the HDHomeRun emulation. Streams are limited to the number of tuners. */
export const HDHOMERUN_LIMITS = {
  /** The number of tuners that clients see; the protocol has one byte for it. */
  tuners: 255,
  /** A larger HTTP request is refused. */
  bodyBytes: 4 * 1024,
  /** HTTP requests of one address in a burst; a further one is refused with 429. */
  requestsAtOnce: 100,
  /** HTTP requests of one address per second after a burst; a further one is refused with 429. */
  requestsPerSecond: 10,
  /** Answers to datagrams of one address in a burst; a further datagram gets none. */
  datagramsAtOnce: 30,
  /** Answers to datagrams of one address per second after a burst; a further datagram gets none. */
  datagramsPerSecond: 5,
  /** Answers to datagrams of all addresses in a burst; a further datagram gets none. */
  allDatagramsAtOnce: 200,
  /** Answers to datagrams of all addresses per second after a burst; a further datagram gets none. */
  allDatagramsPerSecond: 50,
  /** Addresses with a count of requests; the one that was idle longest is evicted. */
  addresses: 1000,
  /** Control connections at once; a further one gets the place of one of the address with most, or none. */
  controlConnections: 32,
  /** Control connections of one address at once; a further one is closed. */
  controlConnectionsOfAddress: 8,
  /** A control connection without a request for this time is closed, unless a stream belongs to it. */
  controlIdleMs: MINUTE,
  /** A lock of a tuner ends this long after its last use. */
  lockMs: 5 * MINUTE,
  /** Longest `duration` of a stream in seconds; a longer one is shortened. */
  durationSeconds: 86_400,
  /** A request for a stream waits this long for a tuner to become free. */
  busyMs: SECOND,
  /** A tuner that a request waits for is tried again after this time. */
  busyLookMs: SECOND / 5,
  /** A port that is in use is tried again after this time. */
  retryMs: 10 * SECOND,
} as const;
