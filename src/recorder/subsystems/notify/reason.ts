import type { ErrorCode } from "../../../model/errors.ts";
import type { Key } from "../../../words/catalogue.ts";

/**
 * The reasons that a household can do something about, or must know. They are not the texts of `words/trouble.ts`: those say what is
 * wrong at the moment, on a page that shows it; a notification says what went wrong, perhaps hours ago, and may be read
 * when it is mended.
 */
const REASONS = {
  TUNER_BUSY: "notification-why-busy",
  TUNER_IN_USE: "notification-why-in-use",
  CHANNEL_WITHOUT_SERVICE: "notification-why-channel",
  TUNER_SERVICE_UNKNOWN: "notification-why-channel",
  CLOCK_WRONG: "notification-why-clock",
  TUNER_NONE_CAPABLE: "notification-why-none",
  TUNER_NO_LOCK: "notification-why-signal",
  TUNER_UNREACHABLE: "notification-why-tuner-gone",
  TUNER_FORBIDDEN: "notification-why-tuner-password",
  TUNER_CREDENTIALS_WRONG: "notification-why-tuner-password",
  STREAM_NO_DATA: "notification-why-silent",
  STREAM_STALLED: "notification-why-silent",
  STREAM_ENDED: "notification-why-silent",
  STREAM_WRONG_SERVICE: "notification-why-wrong",
  STREAM_SCRAMBLED: "notification-why-encrypted",
  STREAM_EXCESSIVE: "notification-why-excess",
  CAPTURE_DIED: "notification-why-capture",
  CAPTURE_NOT_STARTED: "notification-why-capture",
  FFMPEG_FAILED: "notification-why-capture",
  DISK_FULL: "notification-why-full",
  DISK_LOW: "notification-why-full",
  WRITE_FAILED: "notification-why-write",
  STORAGE_OFFLINE: "notification-why-storage",
  STORAGE_SLOW: "notification-why-storage",
  NODE_AWAY: "notification-why-storage",
  GUIDE_NAME_UNRESOLVED: "notification-why-guide-gone",
  GUIDE_UNREACHABLE: "notification-why-guide-gone",
  GUIDE_TIMEOUT: "notification-why-guide-gone",
  GUIDE_TLS_FAILED: "notification-why-guide-certificate",
} as const satisfies Partial<Record<ErrorCode, Key>>;

type ReasonKey =
  | (typeof REASONS)[keyof typeof REASONS]
  | "notification-why-guide-errors"
  | "notification-why-log";

/** The text for the reason of a failure. Codes of later recorders have one too. */
export function reasonKey(code: ErrorCode): ReasonKey {
  const known: Partial<Record<ErrorCode, ReasonKey>> = REASONS;
  return (
    known[code] ?? (code.startsWith("GUIDE_") ? "notification-why-guide-errors" : "notification-why-log")
  );
}

/** The text for the reason of damage: something did arrive. */
export function damageKey(code: ErrorCode): ReasonKey | "notification-why-interrupted" {
  const key = reasonKey(code);
  return key === "notification-why-silent" ? "notification-why-interrupted" : key;
}
