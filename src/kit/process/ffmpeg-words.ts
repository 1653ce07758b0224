/** Lines of ffmpeg's parts that are quoted, the last ones. */
const COMPLAINTS_MAX = 2;
/** The name and address of the part of ffmpeg that writes a line, such as `[aost#0:0/aac @ 0x55d0c8a3f640]`. */
const PART = /\[[^\]\s]+ @ 0x[0-9a-f]+\] /g;

export function withoutParts(line: string): string {
  return line.replace(PART, "");
}

/**
 * fluent-ffmpeg quotes no lines of ffmpeg's parts; from version 7 on, these alone name the cause.
 *
 * @param message that of fluent-ffmpeg
 */
export function reasonOf(message: string, stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line !== withoutParts(line));
  const complaints = [...new Set(lines.map((line) => withoutParts(line).trim()))];
  return [...complaints.slice(-COMPLAINTS_MAX), message.trim()].join("; ");
}
