import { MINUTE, SECOND } from "../../model/time.ts";

/** Limits of the proof that a file gives. */
export const EVIDENCE_LIMITS = {
  /** Bytes of the beginning of a segment that are compared at once with the end of the previous one. */
  overlapBytes: 16 * 1024 * 1024,
  /** Excerpts of a segment that ffmpeg decodes if picture or sound look as if they could not be decoded; the rest is not covered. */
  excerpts: 8,
  /** One excerpt stands for at most this much of a doubtful part, unless there are too many. */
  excerptStandsForMs: 2 * MINUTE,
  /** Length of an excerpt: key pictures may be 10 s apart. */
  excerptMs: 12 * SECOND,
  /** If nothing in an excerpt decodes, so much before it is decoded too: key pictures of a still scene may be farther apart. */
  excerptLeadMs: MINUTE,
  /** Bytes of an excerpt at most: 12 s of a rich service. */
  excerptBytes: 24 * 1024 * 1024,
  /** A decoder that has not finished after this time is ended. */
  excerptDecodingMs: 30 * SECOND,
  /** The integrity report lists the longest gaps and the first clock breaks, at most this many of each. */
  reportedGaps: 1000,
} as const;
