import type { FileEvidence } from "../../../../model/evidence.ts";
import type { NewsFacts } from "../../../../model/news.ts";
import { isSound, type Recording, titleOf } from "../../../../model/recording.ts";
import { SECOND } from "../../../../model/time.ts";
import { flawsOf } from "../../../../model/verdict.ts";
import { lengthMs, longest } from "../../../../model/window.ts";
import { withoutUndefined } from "../../../../model/without-undefined.ts";
import { NOTIFY_CORE_LIMITS } from "./limits.ts";

/** The facts about a recording's end; `undefined` if it has not ended, or was cancelled. */
export function endFacts(recording: Recording): NewsFacts | undefined {
  const show = showOf(recording);
  const code = codeOf(recording);
  switch (recording.state) {
    case "completed":
    case "partial":
      return {
        is: "recorded",
        ...show,
        isWhole: isSound(recording),
        ...figures(recording.evidence),
        ...code,
      };
    case "failed": {
      const hasFlowed = recording.attempts.some(({ flowingAt }) => flowingAt !== undefined);
      return { is: "not-recorded", ...show, hasFlowed, ...code };
    }
    case "missed":
      return { is: "missed", ...show, ...code };
    default:
      return undefined;
  }
}

/** The broadcast of a recording, as news name it. */
export function showOf(recording: Recording) {
  const { channelName, event } = recording;
  return { name: titleOf(recording), channelName, event };
}

export function codeOf({ trouble }: Recording) {
  if (trouble === undefined) return {};
  const { code, details } = trouble;
  return { code, ...withoutUndefined({ details }) };
}

function figures(evidence: FileEvidence) {
  const { bytes, eventMs, eventCoveredMs, clock, gaps } = evidence;
  const worthTelling = gaps.filter((gap) => lengthMs(gap) >= SECOND);
  const share = clock === "none" || eventMs <= 0 ? {} : { share: Math.min(1, eventCoveredMs / eventMs) };
  return {
    bytes,
    ...share,
    errors: flawsOf(evidence),
    gaps: [...longest(worthTelling, NOTIFY_CORE_LIMITS.gaps)].sort((a, b) => a.start - b.start),
  };
}
