import type { CaptureEnd } from "../../model/ports.ts";
import type { Triplet } from "../../model/service.ts";
import { type Complaint, type LogVerdict, MEANINGS } from "./log-text.ts";
import { endForPace, endWithoutPayload, type Progress } from "./progress.ts";

/** Explains why a process ended without being asked. */
export function endOfProcess(
  progress: Progress,
  {
    verdict,
    service,
    nowMs,
  }: { readonly verdict: LogVerdict; readonly service: Triplet; readonly nowMs: number },
): CaptureEnd {
  const { cause, text } =
    endForFault(progress, verdict) ?? endForPace(progress, nowMs) ?? judged(progress, verdict, service);
  const words = verdict.lastWords.replace(/[.]?$/, ".");
  if (words === ".") return { cause, text };
  return { cause, text: `${text} Its message: ${words}`, details: { message: verdict.lastWords } };
}

/** The fault that the capture itself named, if the data on disk does not speak against it. */
function endForFault({ flowing }: Progress, { complaint }: LogVerdict): CaptureEnd | undefined {
  if (complaint === undefined) return undefined;
  const isCertain = complaint === "STREAM_EXCESSIVE" || isLocalFault(complaint);
  return !flowing || isCertain ? { cause: complaint, text: MEANINGS[complaint] } : undefined;
}

function judged(progress: Progress, said: LogVerdict, service: Triplet): CaptureEnd {
  if (said.signalled) return { cause: "CAPTURE_DIED", text: "The capture was stopped by another program." };
  if (!said.closed) return { cause: "CAPTURE_DIED", text: "The capture was killed or crashed." };
  if (!progress.flowing) return endWithoutPayload(progress, service);
  return { cause: "STREAM_ENDED", text: "The source ended the stream." };
}

/** Whether the fault is this machine's, not the source's; possible even after data has flowed. */
export function isLocalFault(complaint: Complaint): boolean {
  return complaint === "DISK_FULL" || complaint === "WRITE_FAILED";
}
