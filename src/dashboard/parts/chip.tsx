import type { RecordingState } from "../../model/recording.ts";
import { stateWords, type Tone } from "../words.ts";

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
