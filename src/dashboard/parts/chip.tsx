import type { RecordingState } from "../../model/recording.ts";
import { stateWords, type Tone } from "../words.ts";
import { outcomeOf, outcomeWords } from "./verdict.ts";

export function Chip({
  tone,
  mark,
  text,
}: {
  readonly tone: Tone;
  readonly mark?: string;
  readonly text: string;
}) {
  return (
    <span class={`chip ${tone}`}>
      {mark === undefined ? null : <span aria-hidden="true">{mark}</span>} {text}
    </span>
  );
}

export function StateChip({ state }: { readonly state: RecordingState }) {
  return <Chip {...stateWords(state)} />;
}

/** The state of a recording, or the verdict of its file where that says more. */
export function OutcomeChip({ of }: { readonly of: Parameters<typeof outcomeOf>[0] }) {
  return <Chip {...outcomeWords(outcomeOf(of))} />;
}
