import { type LogVerdict, MEANINGS } from "../log-text.ts";

const MARK = '{"captureHost":1,';

/** The line that the host appends to a segment's log at the end. */
export function formatVerdict(verdict: LogVerdict): string {
  return `${MARK}${JSON.stringify(verdict).slice(1)}\n`;
}

/** `undefined` if there is no such line: ffmpeg wrote the log, or the host died. */
export function readVerdict(log: string): LogVerdict | undefined {
  const line = log.split("\n").findLast((each) => each.startsWith(MARK));
  if (line === undefined) return undefined;
  try {
    const { complaint, signalled, lastWords } = JSON.parse(line) as Partial<LogVerdict>;
    return {
      ...(complaint !== undefined && complaint in MEANINGS ? { complaint } : {}),
      closed: true,
      signalled: signalled === true,
      lastWords: lastWords ?? "",
    };
  } catch {
    return undefined;
  }
}
