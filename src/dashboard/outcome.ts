import type { Verdict } from "../model/evidence.ts";
import type { RecordingState } from "../model/recording.ts";
import { VERDICTS } from "./parts/verdict.ts";
import { stateWords, type Tone } from "./words.ts";

/** A mark with its word, as a chip shows it. */
export interface Mark {
  readonly tone: Tone;
  readonly mark: string;
  readonly text: string;
}

/** The word of lists for a recording: the verdict of its file, or its state where that says more. */
type Outcome = Verdict | RecordingState;

export function outcomeOf({
  state,
  evidence,
}: {
  readonly state: RecordingState;
  readonly evidence?: { readonly verdict?: Verdict | undefined } | undefined;
}): Outcome {
  const verdict = evidence?.verdict;
  if (state === "completed" && verdict !== undefined) return verdict;
  // Nothing to watch is worse than a part.
  return state === "partial" && verdict === "unusable" ? verdict : state;
}

export function outcomeWords(outcome: Outcome): Mark {
  return isVerdict(outcome) ? VERDICTS[outcome] : stateWords(outcome);
}

function isVerdict(outcome: Outcome): outcome is Verdict {
  return Object.hasOwn(VERDICTS, outcome);
}
