/** The engine's remedy for a failure. Retry code branches on this and on nothing else. */
export type Remedy = "retry" | "sign-in" | "try-another-tuner" | "give-up" | "stop-daemon";

/** Every failure of something outside the daemon, and what is done about it. */
export const ERRORS = {
  GUIDE_NAME_UNRESOLVED: "retry",
  GUIDE_UNREACHABLE: "retry",
  GUIDE_TLS_FAILED: "retry",
  GUIDE_TIMEOUT: "retry",
  GUIDE_UNAVAILABLE: "retry",
  GUIDE_DOCUMENT_TORN: "retry",
  GUIDE_DOCUMENT_INVALID: "retry",
  GUIDE_BODY_TOO_LARGE: "retry",
  GUIDE_SET_ASIDE: "retry",
  GUIDE_SIGN_IN_NEEDED: "sign-in",
  GUIDE_FORBIDDEN: "retry",
  GUIDE_NOT_FOUND: "give-up",
  GUIDE_METHOD_REFUSED: "give-up",
  GUIDE_NOT_ACCEPTABLE: "give-up",
  GUIDE_MEDIA_TYPE_REFUSED: "give-up",
  GUIDE_ANSWER_UNEXPECTED: "retry",
  LISTING_UNREACHABLE: "retry",
  LISTING_MALFORMED: "retry",
  LISTING_SHRUNKEN: "retry",
  CHANNEL_WITHOUT_SERVICE: "retry",
  CLOCK_WRONG: "retry",
  TUNER_NONE_CAPABLE: "retry",
  /** Our own recordings and viewers need it. */
  TUNER_BUSY: "try-another-tuner",
  /** Another program has it. */
  TUNER_IN_USE: "try-another-tuner",
  TUNER_NO_LOCK: "try-another-tuner",
  TUNER_UNREACHABLE: "try-another-tuner",
  TUNER_FORBIDDEN: "try-another-tuner",
  TUNER_CREDENTIALS_WRONG: "try-another-tuner",
  TUNER_SERVICE_UNKNOWN: "try-another-tuner",
  STREAM_NO_DATA: "try-another-tuner",
  STREAM_STALLED: "try-another-tuner",
  STREAM_ENDED: "retry",
  STREAM_WRONG_SERVICE: "try-another-tuner",
  STREAM_SCRAMBLED: "try-another-tuner",
  STREAM_EXCESSIVE: "try-another-tuner",
  CAPTURE_DIED: "retry",
  CAPTURE_NOT_STARTED: "retry",
  DISK_FULL: "give-up",
  DISK_LOW: "retry",
  WRITE_FAILED: "retry",
  STORAGE_OFFLINE: "retry",
  STORAGE_SLOW: "retry",
  /** It has a part of a recording. */
  NODE_AWAY: "retry",
  FILE_UNREADABLE: "retry",
  FILE_CHANGED: "retry",
  FILE_REPLACED: "retry",
  INDEX_UNUSABLE: "retry",
  CHANNEL_LIST_UNKNOWN: "give-up",
  FILE_NOT_OURS: "give-up",
  RECORDING_UNKNOWN: "give-up",
  RECORDING_PROTECTED: "give-up",
  FFMPEG_MISSING: "stop-daemon",
  FFMPEG_FAILED: "give-up",
  CONVERSION_BUSY: "retry",
  CONVERSION_OFF: "give-up",
  CONFIG_INVALID: "stop-daemon",
  NODE_CANNOT_CHANGE_USER: "stop-daemon",
  STORE_LOCKED: "stop-daemon",
  STORE_DAMAGED: "stop-daemon",
  STORE_TOO_NEW: "stop-daemon",
  STORE_WRITE_FAILED: "retry",
  ADDRESS_IN_USE: "stop-daemon",
  NOTIFY_UNREACHABLE: "retry",
  NOTIFY_REFUSED: "give-up",
  PLANNING_FAILED: "give-up",
  DAEMON_UNREACHABLE: "give-up",
  DAEMON_NOT_READY: "retry",
  SITE_PARAMETER_INVALID: "give-up",
  SITE_CREDENTIALS_INVALID: "give-up",
  SITE_UNREACHABLE: "retry",
  SITE_UNAVAILABLE: "retry",
  SITE_SIGN_IN_NEEDED: "give-up",
  SITE_NOT_FOUND: "give-up",
  SITE_REFUSED: "give-up",
  SITE_ANSWER_INVALID: "retry",
  SITE_LIST_TOO_LONG: "give-up",
} as const satisfies Record<string, Remedy>;

export type ErrorCode = keyof typeof ERRORS;
export type Facts = Readonly<Record<string, string | number | boolean>>;

/**
 * A failure of something outside the daemon.
 * A broken promise inside the daemon is an `assert`, never one of these.
 */
export class RecorderdError extends Error {
  override readonly name = "RecorderdError";
  readonly code: ErrorCode;
  readonly facts: Facts;

  constructor(code: ErrorCode, message: string, facts: Facts = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.facts = facts;
  }

  get remedy(): Remedy {
    return ERRORS[this.code];
  }
}
