import type { LibraryEntry } from "../model/library.ts";
import { type Outcome, outcomeOf } from "./parts/verdict.ts";
import { view } from "./state/live.ts";

/** The outcome of a recording on disk, by the latest verdict that is known. */
export function entryOutcome({ recordingId, state, ...entry }: LibraryEntry): Outcome {
  const { verdict = entry.verdict } = view.value?.recordings.get(recordingId)?.evidence ?? {};
  return outcomeOf({ state, evidence: { verdict } });
}
