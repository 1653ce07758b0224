import { MINUTE, SECOND } from "../../../model/time.ts";

/** Limits of the capture host. */
export const HOST_LIMITS = {
  /** A capture host that dies this often within `leftAloneMs` is avoided where ffmpeg can do its work. */
  deaths: 3,
  /** A source that this many dying capture hosts read is captured by ffmpeg, in a process of its own. */
  sourceDeaths: 2,
  /** A capture host that died, and a source that it read, are avoided for this time. */
  leftAloneMs: 10 * MINUTE,
  /** A capture host without captures ends after this time. */
  idleMs: MINUTE,
  /** A capture host that was made ready stays, and answers at once, for this time. */
  alertMs: 20 * SECOND,
  /**
   * Bytes that wait for the disk of one file; beyond, an HTTP source waits, and UDP and RTP sources drop packets and count them.
   * Five seconds of 50 Mbit/s: a memory card may stall for so long, and few tuner servers wait.
   */
  backlogBytesMost: 32 * 1024 * 1024,
  /** Bytes that wait for all disks; beyond, each file gets `backlogBytes` only. */
  backlogsBytes: 256 * 1024 * 1024,
  /** The same, as a share of the memory of the machine, or of what the service may use. */
  backlogsShare: 1 / 4,
  /** Bytes that wait for the disk of one file while much waits. */
  backlogBytes: 4 * 1024 * 1024,
  /** The JavaScript heap of the host, without the bytes that wait for disks. It needs some tens. */
  heapMiB: 192,
  /** A source that has sent data for this time without a PAT shows what it sends. A PAT comes every 0.5 s (ETSI TR 101 290 §5.2.1). */
  withoutTablesMs: 5 * SECOND,
  /** An HTTP answer with a larger header, preliminary answers (1xx) included, ends with STREAM_EXCESSIVE. */
  headBytes: 64 * 1024,
  /** An HTTP source with more preliminary answers (1xx) ends with STREAM_EXCESSIVE. */
  preliminary: 20,
  /** An HTTP header with more fields ends with STREAM_EXCESSIVE. */
  headFields: 200,
  /** The rate of one source, 200 Mbit/s. A faster HTTP source waits. */
  sourceBytesPerSecond: 25_000_000,
  /** Bytes that an HTTP source may bring at once before the rate counts. */
  sourceBurstBytes: 4 * 1024 * 1024,
  /** An HTTP source that exceeds the rate for this time ends with STREAM_EXCESSIVE. */
  floodMs: 30 * SECOND,
  /** A UDP or RTP source that brings this much beyond the rate ends with STREAM_EXCESSIVE: it cannot wait. */
  datagramsBurstBytes: 25_000_000,
  /** Bytes that are added to the size of each datagram for the work that it causes. */
  datagramExtraBytes: 300,
  /** An HTTP source with more redirects fails with TUNER_UNREACHABLE. */
  redirects: 5,
  /** An HTTP source whose body has not begun after this time fails with TUNER_UNREACHABLE. */
  headMs: 15 * SECOND,
} as const;
