import { spanWords } from "../../../model/clock-trust.ts";
import type { Facts } from "../../../model/errors.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import { type EpochMs, formatDuration, formatTimeOfDay, isInstant } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { spanText } from "./message.ts";

/** The history of one timer, in sentences. */
export interface Explanation {
  /** The title of the event, if known. */
  readonly title?: string;
  /** The final state of the timer with its reason, or the latest one. */
  readonly verdict?: string;
  readonly lines: readonly ExplainedFact[];
}

/** One line: the facts, and the sentence that engineers read. A reader in another zone or language words the facts. */
export interface ExplainedFact {
  readonly at: EpochMs;
  readonly fact: string;
  readonly facts?: Facts;
  readonly text: string;
}

/**
 * Tells the history of one timer (R-10): each fact of the ledger as a sentence, oldest first. An unknown kind of
 * fact, written by another version, is shown as it is.
 */
export function explain(
  facts: readonly LedgerFact[],
  { timeZone }: { readonly timeZone: string },
): Explanation {
  const title = titleOf(facts.findLast(({ fact }) => fact === "ordered")?.facts);
  const last = facts.findLast(({ fact }) => fact === "report-made" || fact === "absence-confirmed");
  const verdict = last?.fact === "absence-confirmed" ? ABSENT : last && factText(last.facts ?? {}, "message");
  const lines = facts.flatMap(({ at, fact, facts: more = {} }) => {
    const sentence = Object.hasOwn(SENTENCES, fact) ? SENTENCES[fact] : undefined;
    const text = sentence === undefined ? rawFact(fact, more) : sentence(more, timeZone);
    if (text === "") return [];
    return [{ at, fact, text, ...(Object.keys(more).length === 0 ? {} : { facts: more }) }];
  });
  return {
    ...withoutUndefined({ title, verdict }),
    lines,
  };
}

const ABSENT = "missing from several consecutive lists of the service: counted as withdrawn";

type Sentence = (facts: Facts, timeZone: string) => string;

const REPEAT_STEPS: Readonly<Record<string, string>> = {
  cancelling: "its timer is being cancelled, as its repeat replaces it",
  dropping: "the timer of its repeat is being cancelled, as this recording is complete",
  moved: "cancelled: its repeat is recorded instead",
  healed: "its repeat was recorded completely",
  needless: "its repeat is no longer needed",
  "given-up": "its repeat was given up",
};

/** Stands for values that an earlier version did not write. */
const UNKNOWN = "unknown";

/**
 * One entry for each kind of fact that the engine notes. An empty sentence: another fact of the same instant has it.
 */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  started: (facts, zone) =>
    `the recorder started; it had been off since ${time(facts, "offSince", zone)}, and ${factText(facts, "running")} captures continued`,
  "clock-set": (facts) =>
    `the machine's clock was set ${Number(facts["byMs"]) < 0 ? "back" : "forward"} by ${typeof facts["byMs"] === "number" ? spanWords(facts["byMs"]) : UNKNOWN}`,
  "clock-not-trusted": (facts) =>
    `from then on, the machine's clock was not trusted: ${factText(facts, "text")}; no recording was ended because of it`,
  "clock-trusted": () => "the machine's clock was trusted again",
  asleep: (facts, zone) => `the machine was asleep ${span(facts, zone)}`,
  ordered: (facts, zone) => `ordered${ruleText(facts)}: ${titleOf(facts) ?? UNKNOWN}, ${span(facts, zone)}`,
  "order-changed": (facts, zone) => `the service changed the timer: the event is now ${span(facts, zone)}`,
  "rule-changed": (facts) =>
    `${facts["rule"] === undefined ? "it no longer belongs to a rule" : `rule ${facts["rule"]} has changed`}: its priority is ${factText(facts, "priority")}`,
  "wish-changed": overrideText,
  "repeat-ordered": (facts) =>
    `the recorder books its repeat, as ${facts["by"] === "person" ? "requested" : "configured"}: ${factText(facts, "text")}`,
  "repeat-booked": () => "the service has booked its repeat",
  "repeat-delayed": (facts) =>
    `the recorder asks the service again about its repeat: ${factText(facts, "text")}`,
  "repeat-step": (facts) => REPEAT_STEPS[factText(facts, "step")] ?? `its repeat: ${factText(facts, "step")}`,
  rekeyed: (facts) =>
    `the service gave the event a new timer; the previous one was ${factText(facts, "before")}`,
  "absence-confirmed": () => ABSENT,
  "not-understood": (facts) => `the service's entry could not be read: ${factText(facts, "text")}`,
  placed: (facts) => `planned on tuner ${factText(facts, "tuner")}`,
  "tuner-changed": (facts) => `planned on tuner ${factText(facts, "tuner")} instead`,
  displaced: (facts) => `lost its place in the plan: ${factText(facts, "text")}`,
  trimmed: (facts) => `planned with trimmed padding or in part: ${factText(facts, "text")}`,
  conflict: (facts) => `no place in the plan: ${factText(facts, "text")}`,
  "held-back": (facts) => `due, but postponed: ${factText(facts, "text")}`,
  due: (facts) => `requested tuner ${factText(facts, "tuner")} (attempt ${factText(facts, "attempt")})`,
  flowing: (facts) => `the first payload is on disk: recording on tuner ${factText(facts, "tuner")}`,
  doubted: (facts) =>
    `the capture seems to fail: ${factText(facts, "text")} A second attempt starts on tuner ${factText(facts, "tuner")}`,
  drained: (facts) =>
    `the node of the running capture is drained: a second attempt starts on tuner ${factText(facts, "tuner")}`,
  relieved: (facts) =>
    `the recording continues on tuner ${factText(facts, "tuner")}; the other attempt is stopped`,
  recognised: (facts) => `the broadcast announces the event in its EIT (event ${factText(facts, "eventId")})`,
  followed: (facts, zone) => `the recording follows the broadcast, until ${time(facts, "stop", zone)}`,
  "stray-ended": (facts) =>
    `capture ${factText(facts, "attempt")} belonged to no open recording and was ended; its file is kept`,
  "lease-taken": (facts) =>
    `tuner ${factText(facts, "tuner")} was taken from a ${factText(facts, "use")}: ${factText(facts, "text")}`,
  "tuner-quarantined": (facts) =>
    `tuner ${factText(facts, "tuner")} does not work (${factText(facts, "cause")}): the plan no longer counts on it`,
  "tuner-back": (facts) => `tuner ${factText(facts, "tuner")} works again`,
  adopted: () => "the capture survived the restart of the recorder and was adopted",
  "attempt-ended": (facts) =>
    facts["cause"] === "asked"
      ? `attempt ${factText(facts, "attempt")} was stopped`
      : `attempt ${factText(facts, "attempt")} failed: ${factText(facts, "text")} (${factText(facts, "cause")})`,
  "attempts-found": (facts) =>
    `attempts that the stored plan had lost were found beside their files: ${factText(facts, "attempts")}`,
  "attempt-unbegun": (facts) => `attempt ${factText(facts, "attempt")} had not begun when the recorder ended`,
  refused: () => "",
  interrupted: () => "",
  withdrawn: () => "withdrawn",
  expired: (facts) =>
    facts["to"] === "missed"
      ? `its time passed without an attempt${reasonText(facts)}`
      : "its time is over: closing",
  "was-off": (facts, zone) =>
    `the recorder was ${facts["asleep"] === true ? "asleep" : "off"} ${span(facts, zone)}`,
  "closing-failed": (facts) =>
    `the recording could not be closed and will be tried again: ${factText(facts, "text")} (${factText(facts, "code")})`,
  inspected: () => "",
  evidence: (facts) => evidenceText(facts),
  "plain-name": () => "the file system refused the full file name: the recording has a plain one",
  complaint: (facts) => factText(facts, "text"),
  gap: (facts, zone) => {
    const what = facts["lacks"] === undefined ? "missing" : `${facts["lacks"]} missing`;
    return `${what} on disk: ${span(facts, zone)}`;
  },
  whole: () => "completed",
  shortened: (facts) => `recorded only in part${reasonText(facts)}`,
  empty: (facts) => `nothing was recorded${reasonText(facts)}`,
  discarded: () => "cancelled; the recorded part is kept",
  deleted: (facts) =>
    `deleted by ${facts["actor"] === "person" ? "request" : factText(facts, "actor")}: ${factText(facts, "reason")}, ${factText(facts, "file")}`,
  "file-gone": (facts) => `another program removed its file: ${factText(facts, "file")}`,
  "file-back": (facts) => `its file is back: ${factText(facts, "file")}`,
  "file-damaged": (facts) => `its file is ${factText(facts, "kind")}: ${factText(facts, "file")}`,
  "file-sound": (facts) => `its file is intact again: ${factText(facts, "file")}`,
  "report-made": () => "",
  "report-delivered": (facts) =>
    `reported${stateText(facts)} to the service: “${factText(facts, "message")}”`,
  "report-refused": (facts) =>
    `the service refused${stateText(facts)} “${factText(facts, "message")}”: ${factText(facts, "text")} (${factText(facts, "code")})`,
  "state-refused": (facts) =>
    `the service does not accept the state ${factText(facts, "state")}: ${factText(facts, "text")}`,
};

export const FACT_KINDS: readonly string[] = Object.keys(SENTENCES);

/** Kinds that have no line of their own. */
export function isSilent(kind: string): boolean {
  return SENTENCES[kind]?.({}, "UTC") === "";
}

function evidenceText(facts: Facts): string {
  const { eventMs, eventCoveredMs, continuityErrors, bytes, file, verdict } = facts;
  const worth = verdict === undefined ? "" : `, ${verdict}`;
  const length = (ms: unknown) => (typeof ms === "number" ? formatDuration(ms) : UNKNOWN);
  const where = file === undefined ? "" : `, in ${file}`;
  return `on disk${worth}: ${length(eventCoveredMs)} of the event's ${length(eventMs)}, ${bytes ?? UNKNOWN} bytes, ${continuityErrors ?? UNKNOWN} continuity errors${where}`;
}

function ruleText({ rule }: Facts): string {
  return rule === undefined ? "" : ` by rule ${rule}`;
}

function reasonText(facts: Facts): string {
  return facts["text"] === undefined ? "" : `: ${facts["text"]}`;
}

function stateText(facts: Facts): string {
  return facts["state"] === undefined ? "" : ` ${facts["state"]}`;
}

function titleOf(facts: Facts | undefined): string | undefined {
  return facts === undefined ? undefined : `“${factText(facts, "name")}” on ${factText(facts, "channel")}`;
}

function factText(facts: Facts, key: string): string {
  return String(facts[key] ?? UNKNOWN);
}

function time(facts: Facts, key: string, timeZone: string): string {
  const at = facts[key];
  return isInstant(at) ? formatTimeOfDay(at, timeZone) : UNKNOWN;
}

function span({ start, stop }: Facts, timeZone: string): string {
  return isInstant(start) && isInstant(stop) ? spanText({ start, stop }, { timeZone }) : UNKNOWN;
}

function rawFact(fact: string, facts: Facts): string {
  const more = Object.entries(facts).map(([key, value]) => `${key} ${value}`);
  return more.length === 0 ? fact : `${fact}: ${more.join(", ")}`;
}

/** The override that a user set. */
function overrideText({ priority, before, after }: Facts): string {
  const parts = [
    priority === undefined ? "" : `priority ${priority}`,
    before === undefined ? "" : `padding of ${before} and ${after} min`,
  ].filter((part) => part !== "");
  const change =
    parts.length === 0 ? "removed; the settings of rules and account apply again" : parts.join(", ");
  return `the override was changed: ${change}`;
}
