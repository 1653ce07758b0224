import { SECOND } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import { descriptionOf, titleOf } from "../names.ts";

/*
 * The file `info` of a recording of VDR (vdr(5)): a letter, a blank and a value in each line. Kept: C channel, E event, T title,
 * S short text, D description (`|` is a line end), F frame rate, O errors. The others are VDR's own.
 */

export interface Info {
  readonly channelId?: string;
  readonly channelName?: string;
  /** Absent where VDR knew no event. */
  readonly event?: Window;
  readonly title?: string;
  readonly subtitle?: string;
  readonly description?: string;
  readonly framesPerSecond: number;
  readonly outcome: "ok" | "damaged" | "unknown";
}

/** The frame rate of a recording without the field. */
const FRAMES_PER_SECOND = 25;

export function parseInfo(text: string): Info {
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [letter, value] = [line[0] ?? "", line.slice(2)];
    if (line[1] === " " && !values.has(letter)) values.set(letter, value);
  }
  const [channelId = "", ...name] = (values.get("C") ?? "").split(" ");
  const event = eventOf(values.get("E") ?? "");
  const [title, subtitle] = [titleOf(values.get("T")), titleOf(values.get("S"))];
  const description = descriptionOf(values.get("D")?.replaceAll("|", "\n"));
  return {
    ...(channelId === "" ? {} : { channelId, channelName: name.join(" ") }),
    ...(event === undefined ? {} : { event }),
    ...(title === undefined ? {} : { title }),
    ...(subtitle === undefined ? {} : { subtitle }),
    ...(description === undefined ? {} : { description }),
    framesPerSecond: framesOf(values.get("F")),
    outcome: outcomeOf(values.get("O")),
  };
}

/** `id start duration …`, in seconds; zeros where VDR knew no event. */
function eventOf(text: string): Window | undefined {
  const [, start, length] = /^\d+ (\d{1,11}) (\d{1,7})\b/.exec(text) ?? [];
  if (start === undefined || Number(start) === 0 || Number(length) === 0) return undefined;
  return { start: Number(start) * SECOND, stop: (Number(start) + Number(length)) * SECOND };
}

function framesOf(text: string | undefined): number {
  const value = Number.parseFloat(text ?? "");
  return value >= 1 && value <= 1000 ? value : FRAMES_PER_SECOND;
}

function outcomeOf(errors: string | undefined): Info["outcome"] {
  if (errors === undefined || !/^\d+$/.test(errors.trim())) return "unknown";
  return Number(errors) === 0 ? "ok" : "damaged";
}
