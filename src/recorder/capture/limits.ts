import { SECOND } from "../../model/time.ts";

/** Limits of a capture's supervision. */
export const CAPTURE_LIMITS = {
  /** A capture without valid payload on disk this long after its start fails with STREAM_NO_DATA. */
  firstPayloadMs: 15 * SECOND,
  /** A capture without a new byte for this time, and for what it brought ahead of its time, fails with STREAM_STALLED. */
  stallMs: 10 * SECOND,
  /** A steady capture that brings nothing, or much damaged data, for this time is taken over if possible. */
  doubtMs: 3 * SECOND,
  /** A capture is steady after it has flowed for this time. */
  steadyMs: 10 * SECOND,
  /** Damaged packets among a hundred that make an attempt doubtful. */
  doubtFlawsPercent: 1,
  /** Tables that name another service are believed after this time: a source may still end the former one. */
  wrongServiceMs: 3 * SECOND,
  /** A capture is checked this often until payload flows. */
  captureLookFirstMs: SECOND / 8,
  /** A capture is checked this often while payload flows. */
  captureLookMs: 2 * SECOND,
  /** A growing file is looked up by its name this often: somebody may have moved it. */
  captureNameMs: 4 * SECOND,
  /**
   * Output is written to disk at least this often, by the daemon for ffmpeg and by the capture host: a power failure
   * loses no more.
   */
  captureSyncMs: 15 * SECOND,
  /** A larger log of a capture is emptied: only its end counts. */
  captureLogBytes: 1024 * 1024,
  /** A capture gives up a silent source after this time. The daemon is faster; this counts while no daemon runs. */
  inputTimeoutMs: 30 * SECOND,
  /** A capture that still runs this long after the request to stop is asked again, then killed. */
  stopPatienceMs: 2 * SECOND,
  /** The capture host has this long to start, to introduce itself and to answer; then it is killed. */
  hostAnswerMs: 15 * SECOND,
} as const;

/** Limits of the index of access points. */
export const INDEX_LIMITS = {
  /** A larger index is not read: that of a day with ten points each second is smaller. */
  bytes: 32 * 1024 * 1024,
  /** Packets of a file that are compared with its index, which may be another file's. */
  checks: 8,
} as const;
