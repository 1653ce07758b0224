import type { Holder } from "../../model/plan.ts";
import type { Recording } from "../../model/recording.ts";
import { formatTimeOfDay, parseInstant } from "../../model/time.ts";
import type { Difference, WhatIf } from "../../model/what-if.ts";
import { holdersText } from "../../recorder/engine/core/planning-text.ts";
import { spaceText } from "../daemon/status.ts";
import { plainLine } from "../plain-text.ts";

/** Parses a change as people write it; `undefined` if it is invalid. */
export function whatIfOf(text: string): WhatIf | undefined {
  const [word = "", ...rest] = text.trim().split(/\s+/);
  const [first = "", second = ""] = rest;
  const number = (digits: string, most: number) =>
    /^\d{1,4}$/.test(digits) && Number(digits) <= most ? Number(digits) : undefined;
  switch (word) {
    case "without":
      return first === "tuner" && rest.length === 2 ? { kind: "without-tuner", tunerId: second } : undefined;
    case "padding": {
      const minutes = rest.length === 1 ? number(first, 1440) : undefined;
      return minutes === undefined ? undefined : { kind: "padding", minutes };
    }
    case "priority": {
      const priority = rest.length === 2 ? number(second, 100) : undefined;
      return priority === undefined ? undefined : { kind: "priority", timerId: first, priority };
    }
    case "disk": {
      const freeBytes = rest.length === 1 ? bytesOf(first) : undefined;
      return freeBytes === undefined ? undefined : { kind: "disk", freeBytes };
    }
    case "add": {
      const channel = rest.slice(0, -2).join(" ");
      const start = parseInstant(rest.at(-2) ?? "");
      const minutes = number(rest.at(-1) ?? "", 1440);
      if (channel === "" || start === undefined || minutes === undefined || minutes === 0) return undefined;
      return { kind: "add", channel, start, minutes };
    }
  }
  return undefined;
}

/** `200G`, `1.5T`: powers of a thousand, as on disk labels. */
function bytesOf(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,6}(?:\.\d{1,3})?)([MGT])$/.exec(text) ?? [];
  return digits === undefined ? undefined : Math.round(Number(digits) * (BYTES[unit] ?? 1));
}

const BYTES: Readonly<Record<string, number>> = { M: 1e6, G: 1e9, T: 1e12 };

/** Recordings gained, lost, and moved to another tuner. */
export function differenceText(
  { won, lost, moved, added, space }: Difference,
  { recordings, timeZone }: { readonly recordings: readonly Recording[]; readonly timeZone: string },
): string {
  const byId = new Map(recordings.map((recording) => [recording.id, recording]));
  const nameOf = (id: string) => byId.get(id);
  const name = (id: string) => {
    const { name: title, timerId } = byId.get(id) ?? { name: id, timerId: "?" };
    return plainLine(`“${title}” (timer ${timerId})`);
  };
  const because = (holders: readonly Holder[]) => {
    const held = plainLine(holdersText(holders, nameOf, { timeZone }));
    return held === "" ? "" : `: ${held}`;
  };
  const lines = [
    ...(added === undefined ? [] : [`It ${fateText(added, timeZone)}${because(added.holders)}`]),
    ...(space === undefined
      ? []
      : [`now: ${spaceText(space.before, timeZone)}`, `then: ${spaceText(space.after, timeZone)}`]),
    ...won.map((id) => `won: ${name(id)}`),
    ...lost.map(({ recordingId, holders }) => `lost: ${name(recordingId)}${because(holders)}`),
    ...moved.map(({ recordingId, from, to }) => `other tuner: ${name(recordingId)}, ${from} → ${to}`),
  ];
  return lines.length === 0 ? "Nothing would change." : lines.join("\n");
}

function fateText({ placement, holders }: NonNullable<Difference["added"]>, timeZone: string): string {
  if (placement.kind === "conflict")
    return placement.capable ? "would have no tuner" : "cannot be received by any tuner";
  const { tunerId, begin } = placement;
  const whole = `would be recorded on ${tunerId}`;
  return holders.length === 0 ? whole : `${whole}, in part, from ${formatTimeOfDay(begin, timeZone)} on`;
}
