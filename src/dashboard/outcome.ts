import type { Verdict } from "../model/evidence.ts";
import { isTerminal, type Recording, type RecordingState } from "../model/recording.ts";
import { VERDICTS } from "./parts/verdict.ts";
import { stateWords, type Tone } from "./words.ts";

/** A mark with its word, as a chip shows it. */
export interface Mark {
  readonly tone: Tone;
  readonly mark: string;
  readonly text: string;
}

const RANK: Readonly<Record<Tone, number>> = { plain: 0, planned: 0, busy: 0, good: 0, warn: 1, bad: 2 };

/** The one word about a recording: its state, or the verdict on its file where that is worse. */
export function outcomeOf({ state, evidence }: Pick<Recording, "state" | "evidence">): Mark {
  return worse(state, evidence?.verdict);
}

/** The same for a file in the library: its verdict is worth more than “completed”. */
export function fileOutcome(state: RecordingState, verdict: Verdict | undefined): Mark {
  return state === "completed" && verdict !== undefined ? VERDICTS[verdict] : worse(state, verdict);
}

function worse(state: RecordingState, verdict: Verdict | undefined): Mark {
  const words = stateWords(state);
  if (verdict === undefined || !isTerminal(state)) return words;
  return RANK[VERDICTS[verdict].tone] > RANK[words.tone] ? VERDICTS[verdict] : words;
}
