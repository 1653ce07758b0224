import type { Facts } from "../model/errors.ts";
import { DAY, isInstant } from "../model/time.ts";
import { isErrorCode } from "../words/trouble.ts";
import { now } from "./clock.ts";
import { reader, say } from "./state/language.ts";
import { clockText, exactText, troubleText } from "./words.ts";

/** A line of a timer's history as the recorder tells it (`/v1/timers/:id/why`). */
export interface HistoryLine {
  readonly at: number;
  readonly fact: string;
  readonly facts?: Facts;
  /** English, for engineers. */
  readonly text: string;
}

/** A line in the reader's words. */
export interface ToldLine {
  readonly at: number;
  readonly text: string;
}

/**
 * The history for a household: equal lines in a row become one. Kinds of facts that only engineers need, and those of
 * other versions, are left out; the technical details have them all.
 */
export function toldLines(lines: readonly HistoryLine[]): readonly ToldLine[] {
  const told = lines.flatMap((line) => {
    const text = lineText(line);
    return text === undefined ? [] : [{ at: line.at, text }];
  });
  const runs: { readonly first: ToldLine; count: number }[] = [];
  for (const line of told) {
    const last = runs.at(-1);
    if (last?.first.text === line.text) last.count += 1;
    else runs.push({ first: line, count: 1 });
  }
  return runs.map(({ first: { at, text }, count }) => ({
    at,
    text: count === 1 ? text : say("happened-times", { text, count }),
  }));
}

function lineText({ fact, facts = {} }: HistoryLine): string | undefined {
  return Object.hasOwn(LINES, fact) ? LINES[fact]?.(facts) : undefined;
}

/** `undefined`: nothing that a household needs to know. */
type Line = (facts: Facts) => string | undefined;

const TELLS_NOTHING: Line = () => undefined;

/** One entry for each kind of fact in src/recorder/report/core/why.ts; a test compares the two. */
export const LINES: Readonly<Record<string, Line>> = {
  started: (facts) => say("happened-started", { since: momentOf(facts, "offSince") }),
  "clock-set": ({ byMs }) => {
    const by = reader().duration(typeof byMs === "number" ? byMs : 0);
    return Number(byMs) < 0 ? say("happened-clock-back", { by }) : say("happened-clock-forward", { by });
  },
  "clock-not-trusted": () => say("happened-clock-not-trusted"),
  "clock-trusted": () => say("happened-clock-trusted"),
  asleep: (facts) => say("happened-asleep", { when: whenOf(facts) }),
  ordered: (facts) => {
    const order = { name: textOf(facts, "name"), channel: textOf(facts, "channel"), when: whenOf(facts) };
    return facts["rule"] === undefined ? say("happened-ordered", order) : say("happened-ordered-rule", order);
  },
  "order-changed": (facts) => say("happened-order-changed", { when: whenOf(facts) }),
  "rule-changed": () => say("happened-rule-changed"),
  "wish-changed": overrideText,
  "repeat-ordered": (facts) =>
    say("happened-repeat-ordered", { at: momentOf(facts, "start"), channel: textOf(facts, "channel") }),
  "repeat-booked": () => say("happened-repeat-booked"),
  "repeat-delayed": withReason(() => say("happened-repeat-delayed")),
  "repeat-step": repeatText,
  rekeyed: TELLS_NOTHING,
  "absence-confirmed": () => say("happened-absent"),
  "not-understood": () => say("happened-not-understood"),
  placed: (facts) => say("happened-placed", tunerOf(facts)),
  "tuner-changed": (facts) => say("happened-tuner-changed", tunerOf(facts)),
  displaced: withReason(() => say("happened-displaced")),
  trimmed: () => say("happened-trimmed"),
  conflict: withReason(() => say("happened-conflict")),
  "held-back": withReason(() => say("happened-held-back")),
  due: TELLS_NOTHING,
  flowing: (facts) => say("happened-flowing", tunerOf(facts)),
  doubted: (facts) => say("happened-doubted", tunerOf(facts)),
  drained: (facts) => say("happened-drained", tunerOf(facts)),
  relieved: (facts) => say("happened-relieved", tunerOf(facts)),
  recognised: TELLS_NOTHING,
  followed: (facts) => say("happened-followed", { stop: clockOf(facts, "stop") }),
  "stray-ended": TELLS_NOTHING,
  "lease-taken": (facts) => say("happened-lease-taken", tunerOf(facts)),
  "tuner-quarantined": withReason((facts) => say("happened-tuner-quarantined", tunerOf(facts))),
  "tuner-back": (facts) => say("happened-tuner-back", tunerOf(facts)),
  adopted: () => say("happened-adopted"),
  "attempt-ended": (facts) =>
    facts["cause"] === "asked" ? undefined : withReason(() => say("happened-attempt-failed"))(facts),
  "attempts-found": TELLS_NOTHING,
  "attempt-unbegun": TELLS_NOTHING,
  refused: TELLS_NOTHING,
  interrupted: TELLS_NOTHING,
  withdrawn: () => say("happened-withdrawn"),
  expired: (facts) =>
    facts["to"] === "missed" ? withReason(() => say("happened-missed"))(facts) : say("happened-over"),
  "was-off": (facts) =>
    facts["asleep"] === true
      ? say("happened-asleep", { when: whenOf(facts) })
      : say("happened-off", { when: whenOf(facts) }),
  "closing-failed": withReason(() => say("happened-closing-failed")),
  inspected: TELLS_NOTHING,
  evidence: (facts) =>
    say("happened-evidence", {
      covered: lengthOf(facts, "eventCoveredMs"),
      length: lengthOf(facts, "eventMs"),
    }),
  "plain-name": () => say("happened-plain-name"),
  complaint: TELLS_NOTHING,
  gap: (facts) => {
    const span = { span: exactSpanOf(facts) };
    if (facts["lacks"] === "picture") return say("happened-gap-picture", span);
    return facts["lacks"] === "sound" ? say("happened-gap-sound", span) : say("happened-gap", span);
  },
  whole: () => say("happened-whole"),
  shortened: withReason(() => say("happened-shortened")),
  empty: withReason(() => say("happened-empty")),
  discarded: () => say("happened-discarded"),
  deleted: ({ actor }) => {
    if (actor === "person") return say("happened-deleted-person");
    return actor === "repeat" ? say("happened-deleted-repeat") : say("happened-deleted-retention");
  },
  "file-gone": () => say("happened-file-gone"),
  "file-back": () => say("happened-file-back"),
  "file-damaged": () => say("happened-file-damaged"),
  "file-sound": () => say("happened-file-sound"),
  "report-made": TELLS_NOTHING,
  "report-delivered": TELLS_NOTHING,
  "report-refused": withReason(() => say("happened-report-refused")),
  "state-refused": TELLS_NOTHING,
};

/** Adds what the code of the fact means, where it has one. */
function withReason(line: (facts: Facts) => string): Line {
  return (facts) => {
    const code = facts["cause"] ?? facts["code"];
    const text = line(facts);
    return typeof code === "string" && isErrorCode(code) ? `${text} ${troubleText({ code })}` : text;
  };
}

function repeatText({ step }: Facts): string | undefined {
  switch (step) {
    case "cancelling":
    case "dropping":
    case "moved":
    case "healed":
    case "needless":
    case "given-up":
      return say(`happened-repeat-${step}`);
    default:
      return undefined;
  }
}

function overrideText({ priority, before, after }: Facts): string {
  const lines = [
    ...(priority === undefined ? [] : [say("happened-priority", { priority: String(priority) })]),
    ...(before === undefined
      ? []
      : [say("happened-padding", { before: String(before), after: String(after ?? before) })]),
  ];
  return lines.length === 0 ? say("happened-override-removed") : lines.join(" ");
}

function textOf(facts: Facts, key: string): string {
  return facts[key] === undefined ? say("happened-unknown") : String(facts[key]);
}

function tunerOf(facts: Facts): { readonly tuner: string } {
  return { tuner: textOf(facts, "tuner") };
}

function lengthOf(facts: Facts, key: string): string {
  const ms = facts[key];
  return typeof ms === "number" ? reader().duration(ms) : say("happened-unknown");
}

function clockOf(facts: Facts, key: string): string {
  const at = facts[key];
  return isInstant(at) ? clockText(at) : say("happened-unknown");
}

/** Day and time. */
function momentOf(facts: Facts, key: string): string {
  const at = facts[key];
  return isInstant(at) ? reader().inside.at(at, now.value) : say("happened-unknown");
}

/** Day and times; of a span that is as long as a day, both days. */
function whenOf({ start, stop }: Facts): string {
  if (!isInstant(start) || !isInstant(stop)) return say("happened-unknown");
  const { inside } = reader();
  if (stop - start < DAY) return inside.when({ start, stop }, now.value);
  return `${inside.at(start, now.value)}–${inside.at(stop, now.value)}`;
}

function exactSpanOf({ start, stop }: Facts): string {
  if (!isInstant(start) || !isInstant(stop)) return say("happened-unknown");
  return `${exactText(start)}–${exactText(stop)}`;
}
