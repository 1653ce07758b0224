import type { Verdict } from "../../model/evidence.ts";
import type { Recording, RecordingState } from "../../model/recording.ts";
import type { Window } from "../../model/window.ts";
import { say } from "../state/language.ts";
import { stateWords, type Tone } from "../words.ts";

/** A mark with its word, as a chip shows it. */
export interface Mark {
  readonly tone: Tone;
  readonly mark: string;
  /** In the reader's language. */
  readonly text: string;
}

const VERDICTS: Readonly<Record<Verdict, Mark>> = {
  perfect: {
    tone: "good",
    mark: "★",
    get text() {
      return say("verdict-perfect");
    },
  },
  good: {
    tone: "good",
    mark: "✓",
    get text() {
      return say("verdict-good");
    },
  },
  damaged: {
    tone: "warn",
    mark: "◑",
    get text() {
      return say("verdict-damaged");
    },
  },
  unusable: {
    tone: "bad",
    mark: "✕",
    get text() {
      return say("verdict-unusable");
    },
  },
};

/** The subject of chip and sentence of a recording: the verdict of its file, or its state where that says more. */
export type Outcome = Verdict | RecordingState | "partly";

/** A chip and a sentence about a recording agree, because both are made from this. */
export function outcomeOf({
  state,
  evidence,
  event,
  trim,
}: {
  readonly state: RecordingState;
  readonly event?: Window;
  readonly trim?: Recording["trim"];
  readonly evidence?: { readonly verdict?: Verdict | undefined } | undefined;
}): Outcome {
  const verdict = evidence?.verdict;
  if (state === "planned" && trim !== undefined && event !== undefined && trim.span.start > event.start)
    return "partly";
  if (state === "completed" && verdict !== undefined) return verdict;
  // Nothing to watch is worse than a part.
  return state === "partial" && verdict === "unusable" ? verdict : state;
}

export function outcomeWords(outcome: Outcome): Mark {
  if (outcome === "partly") return { tone: "warn", mark: "◑", text: say("state-partly") };
  return isVerdict(outcome) ? VERDICTS[outcome] : stateWords(outcome);
}

function isVerdict(outcome: Outcome): outcome is Verdict {
  return Object.hasOwn(VERDICTS, outcome);
}
