import type { ErrorCode } from "../../model/errors.ts";

/** What a complaint of ffmpeg's can mean, and how that is said to people. */
export const MEANINGS = {
  DISK_FULL: "The disk is full.",
  WRITE_FAILED: "The file could not be written.",
  FFMPEG_MISSING: "ffmpeg could not be run.",
  FFMPEG_FAILED: "ffmpeg does not know what it was asked to do: version 5.1 or newer is needed.",
  TUNER_BUSY: "The source is busy.",
  TUNER_CREDENTIALS_WRONG: "The source wants a user and a password that it knows.",
  TUNER_FORBIDDEN: "The source does not let us in.",
  TUNER_UNREACHABLE: "The source could not be reached.",
  STREAM_WRONG_SERVICE: "The service is not on the source.",
  STREAM_EXCESSIVE: "The source sent more than a recording takes from one source.",
  STREAM_NO_DATA: "What the source sent cannot be read as the service.",
} as const satisfies Partial<Record<ErrorCode, string>>;

export type Complaint = keyof typeof MEANINGS;

/** What ffmpeg's own log says about how a capture ended. Its exit code says nothing: it is 0 when the source dies. */
export interface LogVerdict {
  /** The first complaint that has a meaning of its own. */
  readonly complaint?: Complaint;
  /** ffmpeg closed its output; without this it was killed or crashed. */
  readonly closed: boolean;
  /** It ended because a signal asked for it. */
  readonly signalled: boolean;
  /** The last complaints, fit to be shown: no more than the host is left of an address. */
  readonly lastWords: string;
}

/** Complaints by meaning; the first row that fits wins. Written for ffmpeg 5.1 to 7.1 with `-loglevel level+…` in English. */
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
  [/(HTTP error|Server returned|failed:) (503|5XX)|Address already in use/, "TUNER_BUSY"],
  [/(HTTP error|Server returned|failed:) 401/, "TUNER_CREDENTIALS_WRONG"],
  [/(HTTP error|Server returned|failed:) 403/, "TUNER_FORBIDDEN"],
  [
    /HTTP error \d|Server returned \d|method \w+ failed: \d|Connection refused|Failed to resolve|No route to host|Network is unreachable|Protocol not found/,
    "TUNER_UNREACHABLE",
  ],
  [/matches no streams/, "STREAM_WRONG_SERVICE"],
  [
    /Invalid data found when processing|could not find codec parameters|Could not write header/,
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
  const plain = line.replace(/\[(error|fatal|panic|warning)\] |\[\w+ @ 0x[0-9a-f]+\] /g, "");
  return withoutFolders(withoutAddresses(plain)).trim();
}

/** A segment's folders may have spaces in their names; other paths end at one. */
const PATHS = [
  /(?:\bfile:)?(?<![\w/.])\/(?!\/).*?\/([^/]*\.ts\.part)/g,
  /(?:\bfile:)?(?<![\w/.])\/(?!\/)(?:[^\s'":;,)]*\/)?([^\s'":;,)/]+)/g,
];

/** Leaves the last name of every path: what is said goes to the service, and where files lie is nobody's business there. */
function withoutFolders(text: string): string {
  return PATHS.reduce((rest, path) => rest.replace(path, "$1"), text);
}

/** Leaves scheme and host of every address: user, path and query may be secrets (paths are, at many providers of streams). */
export function withoutAddresses(text: string): string {
  return text.replace(
    /\b([a-z][a-z0-9+.-]*):\/\/(?:[^\s/?#]*@)?([^\s/?#@]*)([/?#]\S*)?/gi,
    (_whole, scheme: string, host: string, rest: string | undefined) =>
      `${scheme}://${host}${ending(rest ?? "")}`,
  );
}

/** A colon that ends the address in ffmpeg's sentences is not part of it. */
function ending(rest: string): string {
  return rest.endsWith(":") ? ":" : "";
}
