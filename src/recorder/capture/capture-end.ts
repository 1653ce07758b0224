import type { CaptureEnd } from "../../model/ports.ts";
import type { Triplet } from "../../model/service.ts";
import { type Complaint, type LogVerdict, MEANINGS } from "./log-text.ts";
import { nothingValid, type Progress } from "./progress.ts";

/** Why a process is gone that nobody asked to go. */
export function endOfProcess(
  progress: Progress,
  { said, service }: { readonly said: LogVerdict; readonly service: Triplet },
): CaptureEnd {
  const { cause, text } = judged(progress, said, service);
  const words = said.lastWords.replace(/[.]?$/, ".");
  return { cause, text: words === "." ? text : `${text} It says: ${words}` };
}

function judged(progress: Progress, said: LogVerdict, service: Triplet): CaptureEnd {
  const { complaint } = said;
  const isCertain = complaint === "STREAM_EXCESSIVE" || (complaint !== undefined && isOurs(complaint));
  if (complaint !== undefined && (!progress.flowing || isCertain)) {
    return { cause: complaint, text: MEANINGS[complaint] };
  }
  if (said.signalled)
    return { cause: "CAPTURE_DIED", text: "The capture was told to end, not by the recorder." };
  if (!said.closed) return { cause: "CAPTURE_DIED", text: "The capture was killed or crashed." };
  if (!progress.flowing) return nothingValid(progress, service);
  return { cause: "STREAM_ENDED", text: "The source ended the stream." };
}

/** Means this machine, not the source: true also when data had flowed. */
export function isOurs(complaint: Complaint): boolean {
  return complaint === "DISK_FULL" || complaint === "WRITE_FAILED";
}
