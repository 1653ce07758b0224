import { withoutParts } from "../../kit/process/ffmpeg-words.ts";
import type { ErrorCode } from "../../model/errors.ts";

/** The meanings of ffmpeg's complaints, as sentences for people. */
export const MEANINGS = {
  DISK_FULL: "The disk is full.",
  WRITE_FAILED: "The file could not be written.",
  FFMPEG_MISSING: "ffmpeg could not be run.",
  FFMPEG_FAILED: "ffmpeg does not support the options used: install version 5.1 or newer.",
  TUNER_IN_USE: "The source is busy.",
  TUNER_CREDENTIALS_WRONG: "The source rejects the user name or password.",
  TUNER_FORBIDDEN: "The source refuses access.",
  TUNER_UNREACHABLE: "The source could not be reached.",
  TUNER_SERVICE_UNKNOWN: "The source does not have the stream.",
  STREAM_WRONG_SERVICE: "The source does not have the service.",
  STREAM_EXCESSIVE: "The source exceeded the data rate allowed for one source.",
  STREAM_NO_DATA: "The source sent nothing that can be read as the service.",
} as const satisfies Partial<Record<ErrorCode, string>>;

export type Complaint = keyof typeof MEANINGS;

/** The result of a capture according to its log. ffmpeg's exit code is useless: it is 0 when the source dies. */
export interface LogVerdict {
  /** The first complaint with a known meaning. */
  readonly complaint?: Complaint;
  /** ffmpeg closed its output; otherwise it was killed or crashed. */
  readonly closed: boolean;
  /** A signal asked it to end. */
  readonly signalled: boolean;
  /** The last complaints, fit to be shown: addresses are reduced to their host. */
  readonly lastWords: string;
}

/** Complaints by meaning; the first match wins. Written for English messages of ffmpeg 5.1 to 7.1 with `-loglevel level+…`. */
const COMPLAINTS: readonly (readonly [RegExp, Complaint])[] = [
  [/No space left on device|Disk quota exceeded/, "DISK_FULL"],
  [
    /av_interleaved_write_frame|Error (writing|closing|muxing|submitting)|Read-only file system|already exists|\[error\] (Error opening output )?file:/,
    "WRITE_FAILED",
  ],
  [/^timeout: failed to run command/, "FFMPEG_MISSING"],
  [
    /Unrecognized option|Option \S+ not found|Unknown input format|not a suitable output format|out of range/,
    "FFMPEG_FAILED",
  ],
  [/(HTTP error|failed:) (429|503)|Address already in use/, "TUNER_IN_USE"],
  [/(HTTP error|Server returned|failed:) 401/, "TUNER_CREDENTIALS_WRONG"],
  [/(HTTP error|Server returned|failed:) 403/, "TUNER_FORBIDDEN"],
  [/(HTTP error|Server returned|failed:) (404|410)/, "TUNER_SERVICE_UNKNOWN"],
  [
    /Connection refused|Failed to resolve|No route to host|Network is unreachable|Protocol not found/,
    "TUNER_UNREACHABLE",
  ],
  [/matches no streams/, "STREAM_WRONG_SERVICE"],
  [
    /HTTP error \d|Server returned \d|method \w+ failed: \d|Invalid data found when processing|could not find codec parameters|Could not write header/,
    "STREAM_NO_DATA",
  ],
];

const IS_COMPLAINT = /\[(error|fatal|panic)\]|\[warning\] HTTP error|^timeout: /;
const LAST_WORDS = 3;
const LAST_WORDS_LENGTH = 300;

export function readLog(log: string): LogVerdict {
  const lines = log.split("\n");
  const complaints = lines.filter((line) => IS_COMPLAINT.test(line));
  const complaint = COMPLAINTS.find(([pattern]) => complaints.some((line) => pattern.test(line)))?.[1];
  return {
    ...(complaint === undefined ? {} : { complaint }),
    closed: lines.some((line) => line.includes("muxing overhead") || line === "progress=end"),
    signalled: lines.some((line) => line.includes("Exiting normally, received signal")),
    lastWords: complaints.slice(-LAST_WORDS).map(presentable).join("; ").slice(0, LAST_WORDS_LENGTH),
  };
}

function presentable(line: string): string {
  const plain = withoutParts(line).replace(/\[(error|fatal|panic|warning)\] /g, "");
  return withoutFolders(withoutAddresses(plain)).trim();
}

/** Folders of segments may contain spaces; other paths end at one. */
const PATHS = [
  /(?:\bfile:)?(?<![\w/.])\/(?!\/).*?\/([^/]*\.ts\.part)/g,
  /(?:\bfile:)?(?<![\w/.])\/(?!\/)(?:[^\s'":;,)]*\/)?([^\s'":;,)/]+)/g,
];

/** Reduces paths to their last name: the text goes to the service, which need not know the folders. */
function withoutFolders(text: string): string {
  return PATHS.reduce((rest, path) => rest.replace(path, "$1"), text);
}

/** Reduces addresses to scheme and host: user, path and query may be secrets, and paths are at many stream providers. */
export function withoutAddresses(text: string): string {
  return text.replace(
    /\b([a-z][a-z0-9+.-]*):\/\/(?:[^\s/?#]*@)?([^\s/?#@]*)([/?#]\S*)?/gi,
    (_whole, scheme: string, host: string, rest: string | undefined) =>
      `${scheme}://${host}${ending(rest ?? "")}`,
  );
}

/** A colon after the address in ffmpeg's sentences is not part of it. */
function ending(rest: string): string {
  return rest.endsWith(":") ? ":" : "";
}
