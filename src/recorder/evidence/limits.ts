/** Limits of the proof that a file gives. */
export const EVIDENCE_LIMITS = {
  /** The end of a segment is searched for in this much of the beginning of the next segment. */
  overlapBytes: 16 * 1024 * 1024,
  /** The integrity report lists the longest gaps and the first clock breaks, at most this many of each. */
  reportedGaps: 1000,
} as const;
