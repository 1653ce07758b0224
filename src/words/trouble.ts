import type { ErrorCode } from "../model/errors.ts";
import type { Key, Say } from "./catalogue.ts";
import type { WordValues } from "./keys.ts";

/** Texts without values. */
type PlainKey = { readonly [K in Key]: [WordValues[K]] extends [never] ? K : never }[Key];

/** The text for each code: what is wrong, and what to do. Several codes have the same remedy. */
const TROUBLES = {
  GUIDE_NAME_UNRESOLVED: "trouble-guide-unreachable",
  GUIDE_UNREACHABLE: "trouble-guide-unreachable",
  GUIDE_TLS_FAILED: "trouble-guide-certificate",
  GUIDE_TIMEOUT: "trouble-guide-busy",
  GUIDE_UNAVAILABLE: "trouble-guide-busy",
  GUIDE_DOCUMENT_TORN: "trouble-guide-busy",
  GUIDE_DOCUMENT_INVALID: "trouble-guide-unreadable",
  GUIDE_BODY_TOO_LARGE: "trouble-guide-unreadable",
  GUIDE_SET_ASIDE: "trouble-guide-set-aside",
  GUIDE_SIGN_IN_NEEDED: "trouble-guide-signed-out",
  GUIDE_FORBIDDEN: "trouble-guide-forbidden",
  GUIDE_NOT_FOUND: "trouble-guide-not-found",
  GUIDE_METHOD_REFUSED: "trouble-guide-refused",
  GUIDE_NOT_ACCEPTABLE: "trouble-guide-refused",
  GUIDE_MEDIA_TYPE_REFUSED: "trouble-guide-unreadable",
  GUIDE_ANSWER_UNEXPECTED: "trouble-guide-unreadable",
  LISTING_UNREACHABLE: "trouble-listing",
  LISTING_MALFORMED: "trouble-listing",
  LISTING_SHRUNKEN: "trouble-listing",
  CHANNEL_WITHOUT_SERVICE: "trouble-channel",
  CLOCK_WRONG: "trouble-clock-wrong",
  TUNER_NONE_CAPABLE: "trouble-no-tuner-capable",
  TUNER_BUSY: "trouble-no-tuner-free",
  TUNER_IN_USE: "trouble-tuner-in-use",
  TUNER_NO_LOCK: "trouble-no-signal",
  TUNER_UNREACHABLE: "trouble-tuner-unreachable",
  TUNER_FORBIDDEN: "trouble-tuner-forbidden",
  TUNER_CREDENTIALS_WRONG: "trouble-tuner-password",
  TUNER_SERVICE_UNKNOWN: "trouble-tuner-scan",
  STREAM_NO_DATA: "trouble-no-signal",
  STREAM_STALLED: "trouble-stalled",
  STREAM_ENDED: "trouble-ended",
  STREAM_WRONG_SERVICE: "trouble-tuner-scan",
  STREAM_SCRAMBLED: "trouble-scrambled",
  STREAM_EXCESSIVE: "trouble-excessive",
  CAPTURE_DIED: "trouble-capture-died",
  CAPTURE_NOT_STARTED: "trouble-capture-not-started",
  DISK_FULL: "trouble-disk-full",
  DISK_LOW: "trouble-disk-low",
  WRITE_FAILED: "trouble-write-failed",
  STORAGE_OFFLINE: "trouble-disk-missing",
  STORAGE_SLOW: "trouble-disk-slow",
  NODE_AWAY: "trouble-node-away",
  FILE_UNREADABLE: "trouble-file-unreadable",
  FILE_CHANGED: "trouble-file-foreign",
  FILE_REPLACED: "trouble-file-foreign",
  INDEX_UNUSABLE: "trouble-index",
  CHANNEL_LIST_UNKNOWN: "trouble-set-up",
  FILE_NOT_OURS: "trouble-file-foreign",
  RECORDING_UNKNOWN: "trouble-recording-unknown",
  RECORDING_PROTECTED: "trouble-recording-protected",
  FFMPEG_MISSING: "trouble-set-up",
  FFMPEG_FAILED: "trouble-conversion-failed",
  CONVERSION_BUSY: "trouble-conversion-busy",
  CONVERSION_OFF: "trouble-conversion-off",
  CONFIG_INVALID: "trouble-set-up",
  NODE_CANNOT_CHANGE_USER: "trouble-set-up",
  STORE_LOCKED: "trouble-set-up",
  STORE_DAMAGED: "trouble-data-folder",
  STORE_TOO_NEW: "trouble-set-up",
  STORE_WRITE_FAILED: "trouble-data-folder",
  ADDRESS_IN_USE: "trouble-set-up",
  NOTIFY_UNREACHABLE: "trouble-notify",
  NOTIFY_REFUSED: "trouble-notify",
  PLANNING_FAILED: "trouble-planning",
  DAEMON_UNREACHABLE: "trouble-not-ready",
  DAEMON_NOT_READY: "trouble-not-ready",
  SITE_PARAMETER_INVALID: "trouble-site",
  SITE_CREDENTIALS_INVALID: "trouble-site-sign-in",
  SITE_UNREACHABLE: "trouble-site",
  SITE_UNAVAILABLE: "trouble-site",
  SITE_SIGN_IN_NEEDED: "trouble-site-sign-in",
  SITE_NOT_FOUND: "trouble-site",
  SITE_REFUSED: "trouble-site",
  SITE_ANSWER_INVALID: "trouble-site",
  SITE_LIST_TOO_LONG: "trouble-site",
} as const satisfies Record<ErrorCode, PlainKey>;

/** Their messages name the value that is wrong, which no general text can. */
const MESSAGE_SAYS_MORE: readonly PlainKey[] = [
  "trouble-guide-refused",
  "trouble-guide-not-found",
  "trouble-set-up",
  "trouble-notify",
  "trouble-site",
];

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(TROUBLES, code);
}

/** The meaning of an error code and what to do, in whole sentences. A code of another version: that something is wrong. */
export function troubleOf(code: string, say: Say): string {
  return isErrorCode(code) ? say(TROUBLES[code]) : say("trouble-other");
}

/** The text for a refused request; `undefined` where only the recorder's own message says what was wrong with it. */
export function refusalOf(code: string, say: Say): string | undefined {
  return !isErrorCode(code) || MESSAGE_SAYS_MORE.includes(TROUBLES[code]) ? undefined : say(TROUBLES[code]);
}
