import type { ErrorCode } from "../model/errors.ts";

export const EXIT_OK = 0;
export const EXIT_USAGE = 64;
/** An internal error. */
export const EXIT_SOFTWARE = 70;

/** A file cannot be written, or is damaged. */
export const EXIT_DAMAGED = 74;

/** Exit codes by kind of failure, in the numbers of sysexits.h; everything else is 1. */
const BY_CODE: Readonly<Partial<Record<ErrorCode, number>>> = {
  SITE_PARAMETER_INVALID: EXIT_USAGE,
  GUIDE_NOT_ACCEPTABLE: 65,
  SITE_REFUSED: 65,
  CHANNEL_LIST_UNKNOWN: 65,
  FILE_UNREADABLE: 66,
  DAEMON_UNREACHABLE: 69,
  DAEMON_NOT_READY: 69,
  GUIDE_NAME_UNRESOLVED: 69,
  GUIDE_UNREACHABLE: 69,
  GUIDE_TLS_FAILED: 69,
  GUIDE_TIMEOUT: 69,
  GUIDE_UNAVAILABLE: 69,
  SITE_UNREACHABLE: 69,
  SITE_UNAVAILABLE: 69,
  FFMPEG_MISSING: 69,
  TUNER_BUSY: 69,
  TUNER_IN_USE: 69,
  TUNER_NO_LOCK: 69,
  TUNER_UNREACHABLE: 69,
  STORE_DAMAGED: 74,
  STORE_TOO_NEW: 74,
  STORE_WRITE_FAILED: 74,
  WRITE_FAILED: 74,
  DISK_FULL: 74,
  STORE_LOCKED: 75,
  ADDRESS_IN_USE: 75,
  GUIDE_DOCUMENT_TORN: 76,
  GUIDE_DOCUMENT_INVALID: 76,
  GUIDE_SET_ASIDE: 76,
  GUIDE_BODY_TOO_LARGE: 76,
  GUIDE_ANSWER_UNEXPECTED: 76,
  GUIDE_METHOD_REFUSED: 76,
  GUIDE_MEDIA_TYPE_REFUSED: 76,
  SITE_ANSWER_INVALID: 76,
  GUIDE_SIGN_IN_NEEDED: 77,
  GUIDE_FORBIDDEN: 77,
  SITE_SIGN_IN_NEEDED: 77,
  TUNER_FORBIDDEN: 77,
  TUNER_CREDENTIALS_WRONG: 77,
  NODE_CANNOT_CHANGE_USER: 77,
  CONFIG_INVALID: 78,
  SITE_CREDENTIALS_INVALID: 78,
};

export function exitCodeOf(code: ErrorCode): number {
  return BY_CODE[code] ?? 1;
}

/** The meaning of each exit code for people. */
export const EXIT_MEANINGS: readonly (readonly [exit: number, meaning: string])[] = [
  [EXIT_OK, "done"],
  [1, "not found, or another failure"],
  [EXIT_USAGE, "the command line is wrong; nothing was done"],
  [65, "the data sent or read is invalid"],
  [66, "a file cannot be read"],
  [69, "no server or daemon answers, or it is unavailable at the moment"],
  [EXIT_SOFTWARE, "a bug in recorderd"],
  [EXIT_DAMAGED, "a file cannot be written, or is damaged"],
  [75, "another process uses the file or the address, or the file cannot be locked"],
  [76, "the answer does not follow the protocol"],
  [77, "sign-in or more rights are needed"],
  [78, "the configuration or the secrets file has mistakes"],
];
