import type { Healing } from "../model/healing.ts";
import type { LibraryEntry } from "../model/library.ts";
import type { RecordingState } from "../model/recording.ts";
import type { Window } from "../model/window.ts";
import { troubleOf } from "../words/trouble.ts";
import { now } from "./clock.ts";
import { reader, say } from "./state/language.ts";

/** Shorter names for what pages ask the reader for most. */
export const clockText = (at: number) => reader().clock(at);
export const exactText = (at: number) => reader().exact(at);
export const dayText = (at: number, now: number) => reader().day(at, now);
export const whenText = (window: Window, now: number) => reader().when(window, now);
export const sizeText = (bytes: number) => reader().size(bytes);
export const durationText = (ms: number) => reader().duration(ms);

/** `99.9 %` of a length. Cut, not rounded: 99.99 % must not read as 100 %. */
export function shareText(partMs: number, wholeMs: number): string {
  return reader().percent(wholeMs <= 0 ? 0 : Math.floor((1000 * partMs) / wholeMs) / 1000);
}

/** `19:06`, with the day where that is another one. */
export function momentText(at: number): string {
  return reader().moment(at, now.value);
}

/** The meaning of a failure by its code, and what to do. The recorder's English sentence is not for a household. */
export function troubleText({ code }: { readonly code: string }): string {
  return troubleOf(code, say);
}

/** Six styles of a state: meaning never depends on colour alone. */
export type Tone = "plain" | "planned" | "busy" | "good" | "warn" | "bad";

interface StateWords {
  readonly text: string;
  readonly tone: Tone;
  readonly mark: string;
}

const STATES: Readonly<Record<RecordingState, Omit<StateWords, "text">>> = {
  planned: { tone: "planned", mark: "○" },
  conflicted: { tone: "warn", mark: "!" },
  tuning: { tone: "busy", mark: "◌" },
  waiting: { tone: "warn", mark: "↻" },
  recording: { tone: "busy", mark: "●" },
  closing: { tone: "busy", mark: "◐" },
  completed: { tone: "good", mark: "✓" },
  partial: { tone: "warn", mark: "◑" },
  failed: { tone: "bad", mark: "✕" },
  missed: { tone: "bad", mark: "✕" },
  cancelled: { tone: "plain", mark: "–" },
};

export function stateWords(state: RecordingState): StateWords {
  return { ...STATES[state], text: say(`state-${state}`) };
}

/** The state of a repeat, in a sentence. */
export function repeatStepText({ step, repeat, trouble }: Healing): string {
  const where = { at: reader().inside.at(repeat.event.start, now.value), channel: repeat.channelName };
  switch (step) {
    case "booking":
      return trouble === undefined ? say("repeat-booking", where) : say("repeat-again");
    case "booked":
    case "cancelling":
      return say("repeat-booked", where);
    case "moved":
      return say("repeat-moved", where);
    case "dropping":
    case "needless":
      return say("repeat-needless");
    case "healed":
      return say("repeat-healed");
    case "given-up":
      return trouble === undefined ? say("repeat-given-up") : say("repeat-not-booked");
  }
}

/** The fault of a recording's file in a few words; `undefined` where none is known. */
export function fileTroubleText({
  goneSince,
  flaw,
  bytes,
}: Pick<LibraryEntry, "goneSince" | "flaw" | "bytes">): string | undefined {
  if (goneSince !== undefined) return say("file-missing");
  if (flaw === undefined) return undefined;
  return flaw.kind === "truncated"
    ? say("file-truncated", { size: sizeText(flaw.bytes ?? 0), whole: sizeText(bytes) })
    : say(`file-${flaw.kind}`);
}
