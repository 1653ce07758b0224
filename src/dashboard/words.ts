import type { Healing } from "../model/healing.ts";
import type { RecordingState } from "../model/recording.ts";
import type { Window } from "../model/window.ts";
import { reader } from "./state/language.ts";

/** Shorter names for what pages ask the reader for most. */
export const clockText = (at: number) => reader().clock(at);
export const exactText = (at: number) => reader().exact(at);
export const dayText = (at: number, now: number) => reader().day(at, now);
export const whenText = (window: Window, now: number) => reader().when(window, now);
export const sizeText = (bytes: number) => reader().size(bytes);
export const durationText = (ms: number) => reader().duration(ms);

/** Six styles of a state: meaning never depends on colour alone. */
export type Tone = "plain" | "planned" | "busy" | "good" | "warn" | "bad";

interface StateWords {
  readonly text: string;
  readonly tone: Tone;
  readonly mark: string;
}

const STATES: Readonly<Record<RecordingState, StateWords>> = {
  planned: { text: "planned", tone: "planned", mark: "○" },
  conflicted: { text: "conflict", tone: "warn", mark: "!" },
  tuning: { text: "tuning", tone: "busy", mark: "◌" },
  waiting: { text: "trying again", tone: "warn", mark: "↻" },
  recording: { text: "recording", tone: "busy", mark: "●" },
  closing: { text: "closing", tone: "busy", mark: "◐" },
  completed: { text: "completed", tone: "good", mark: "✓" },
  partial: { text: "partial", tone: "warn", mark: "◑" },
  failed: { text: "failed", tone: "bad", mark: "✕" },
  missed: { text: "missed", tone: "bad", mark: "✕" },
  cancelled: { text: "cancelled", tone: "plain", mark: "–" },
};

export function stateWords(state: RecordingState): StateWords {
  return STATES[state];
}

/** The state of a repeat, in a sentence. */
export function repeatStepText({ step, text, trouble }: Healing): string {
  switch (step) {
    case "booking":
      return `Its repeat is being booked${trouble === undefined ? "" : `, again: ${trouble.text}`}`;
    case "booked":
    case "cancelling":
    case "moved":
      return `Repeat booked. ${text}`;
    case "dropping":
    case "needless":
      return "It is complete: its repeat is not needed";
    case "healed":
      return "Recorded whole at its repeat";
    case "given-up":
      return trouble === undefined
        ? "Its repeat did not replace it"
        : `No repeat was booked: ${trouble.text}`;
  }
}
