import { SECOND } from "../../model/time.ts";

/** Limits of questions to ffmpeg, ffprobe and other programs. */
export const PROCESS_LIMITS = {
  /** A program that has not answered after this time is ended. */
  toolAnswerMs: 30 * SECOND,
  /** Bytes of an answer that are kept; a longer answer loses its beginning. */
  toolAnswerBytes: 1024 * 1024,
} as const;
