import {
  isTerminal,
  type Recording,
  type RecordingIn,
  type RecordingState,
  withoutForeignFields,
} from "../../src/model/recording.ts";

/** The recording in another state, with the fields that the state requires, and no others. */
export function inState<S extends RecordingState>(
  recording: Recording,
  state: S,
  fields: Partial<Omit<RecordingIn<S>, "state">>,
): RecordingIn<S> {
  const required = isTerminal(state) ? { endedAt: 0 } : state === "closing" ? { closing: { since: 0 } } : {};
  const next: { readonly state: RecordingState } = Object.assign(required, recording, fields, { state });
  return withoutForeignFields(next) as RecordingIn<S>;
}
