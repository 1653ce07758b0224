import { createHash } from "node:crypto";
import type { Facts } from "../../../model/errors.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import { isTerminal, RECORDING_MOVES, type RecordingState } from "../../../model/recording.ts";
import type { EpochMs } from "../../../model/time.ts";

export interface Span {
  /** 8 bytes in hexadecimal digits. */
  readonly id: string;
  readonly parentId?: string;
  readonly name: string;
  /** Whether it is a request to another program. */
  readonly isRequest?: true;
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly attributes: Facts;
  readonly events: readonly { readonly at: EpochMs; readonly name: string; readonly attributes: Facts }[];
  /** The failure; absent on success. */
  readonly error?: string;
}

export interface Trace {
  /** 16 bytes in hexadecimal digits. */
  readonly id: string;
  readonly spans: readonly Span[];
}

const SYNC = [
  "ordered",
  "order-changed",
  "rule-changed",
  "rekeyed",
  "wish-changed",
  "withdrawn",
  "absence-confirmed",
];
const PLAN = ["placed", "tuner-changed", "displaced", "trimmed", "conflict", "held-back"];
const RELIEVES = ["doubted", "drained"];
const ATTEMPT_ENDS = ["attempt-ended", "attempt-unbegun"];
const ATTEMPT = [
  "due",
  "flowing",
  "doubted",
  "drained",
  "relieved",
  "recognised",
  "followed",
  "adopted",
  "refused",
  "interrupted",
  ...ATTEMPT_ENDS,
];
const ANSWERED = ["report-delivered", "report-refused"];

const FOUND = ["bytes", "eventMs", "eventCoveredMs", "continuityErrors", "verdict"];

/** Whether a recording has ended and its last report is answered: no more facts follow. */
export function isFinished(facts: readonly LedgerFact[]): boolean {
  const made = facts.findLastIndex(({ fact }) => fact === "report-made");
  return endOf(facts) !== undefined && made >= 0 && answerTo(facts, made) !== undefined;
}

/**
 * One trace of a recording from its facts in the ledger, oldest first: sync, plan, attempts, inspection, publishing
 * and reports under one span for the timer. The same facts give the same ids.
 */
export function traceOf(facts: readonly LedgerFact[], recordingId: string): Trace | undefined {
  const [first] = facts;
  const last = facts.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const seed = `${first.timerId} ${recordingId} ${first.at}`;
  const idOf = (name: string) => digits(`${seed} ${name}`, 8);
  const rootId = idOf("timer");
  const end = endOf(facts);
  const state = end?.facts?.["to"];
  const children = [
    ...partOf("sync", facts, SYNC),
    ...planOf(facts, end?.at ?? last.at),
    ...attemptsOf(facts, last.at),
    ...closingOf(facts, end?.at),
    ...reportsOf(facts, last.at),
  ];
  const ordered = facts.findLast(({ fact }) => fact === "ordered")?.facts ?? {};
  const evidence = facts.findLast(({ fact }) => fact === "evidence")?.facts ?? {};
  const root: Span = {
    id: rootId,
    name: "timer",
    start: first.at,
    end: last.at,
    attributes: {
      ...(first.timerId === undefined ? {} : { timerId: first.timerId }),
      recordingId,
      ...only(ordered, ["name", "channel", "start", "stop"]),
      ...only(evidence, FOUND),
      ...(state === undefined ? {} : { state }),
    },
    events: [],
    ...(state === "failed" || state === "missed" ? { error: String(end?.facts?.["text"] ?? state) } : {}),
  };
  return {
    id: digits(seed, 16),
    spans: [root, ...children.map((part) => ({ ...part, id: idOf(part.key), parentId: rootId }))],
  };
}

/** A child span before it has its ids. */
type Part = Omit<Span, "id" | "parentId"> & { readonly key: string };

function digits(text: string, bytes: number): string {
  return createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, 2 * bytes);
}

function only(facts: Facts, keys: readonly string[]): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([key]) => keys.includes(key)));
}

function endOf(facts: readonly LedgerFact[]): LedgerFact | undefined {
  return facts.findLast((fact) => {
    const to = String(fact.facts?.["to"] ?? "");
    return Object.hasOwn(RECORDING_MOVES, to) && isTerminal(to as RecordingState);
  });
}

function eventsOf(facts: readonly LedgerFact[]): Span["events"] {
  return facts.map(({ at, fact, facts: attributes = {} }) => ({ at, name: fact, attributes }));
}

/** A span from the first to the last of these facts, each an event of it; none without facts. */
function partOf(name: string, facts: readonly LedgerFact[], names: readonly string[]): readonly Part[] {
  const own = facts.filter(({ fact }) => names.includes(fact));
  const [first] = own;
  if (first === undefined) return [];
  const end = own.at(-1)?.at ?? first.at;
  return [{ key: name, name, start: first.at, end, attributes: {}, events: eventsOf(own) }];
}

/** Planning lasts until the first attempt begins. */
function planOf(facts: readonly LedgerFact[], over: EpochMs): readonly Part[] {
  const due = facts.find(({ fact }) => fact === "due")?.at ?? over;
  return partOf("plan", facts, PLAN).map((plan) => ({ ...plan, end: Math.max(plan.end, due) }));
}

function attemptsOf(facts: readonly LedgerFact[], over: EpochMs): readonly Part[] {
  const own = facts.filter(({ fact }) => ATTEMPT.includes(fact));
  const ids = new Set(own.flatMap(({ facts: more }) => more?.["attempt"] ?? []));
  return [...ids].map((attempt) => {
    const about = own.filter(({ facts: more }) => more?.["attempt"] === attempt);
    const firstAt = about[0]?.at ?? over;
    const begun = about.find(({ fact }) => fact === "due");
    // An attempt that relieves another begins at that one's doubt, or when its node is drained.
    const doubt = own.findLast(({ at, fact }) => RELIEVES.includes(fact) && at <= firstAt);
    const start = begun?.at ?? doubt?.at ?? firstAt;
    const tuner = (begun ?? about.find(({ fact }) => fact === "relieved") ?? doubt)?.facts?.["tuner"];
    const ended = about.find(({ fact }) => ATTEMPT_ENDS.includes(fact));
    const { cause = "asked", text = "" } = ended?.facts ?? {};
    return {
      key: `attempt ${attempt}`,
      name: "attempt",
      start,
      end: ended?.at ?? over,
      attributes: { attempt, ...(tuner === undefined ? {} : { tuner }), cause },
      events: eventsOf(about.filter((fact) => fact !== begun && fact !== ended)),
      ...(cause === "asked" ? {} : { error: String(text) }),
    };
  });
}

/** Inspection begins when the captures have ended, publishing when the evidence is known. */
function closingOf(facts: readonly LedgerFact[], over: EpochMs | undefined): readonly Part[] {
  const inspected = facts.findLast(({ fact }) => fact === "inspected");
  if (inspected === undefined || over === undefined) return [];
  const before = facts.slice(0, facts.indexOf(inspected));
  const isBeginning = ({ fact, facts: more }: LedgerFact) =>
    ATTEMPT_ENDS.includes(fact) || more?.["to"] === "closing";
  const start = before.findLast(isBeginning)?.at ?? inspected.at;
  const troubles = facts.filter(({ fact }) => fact === "closing-failed" || fact === "complaint");
  const plain = { attributes: {}, events: [] };
  return [
    { key: "inspection", name: "inspection", start, end: inspected.at, ...plain },
    { key: "publish", name: "publish", start: inspected.at, end: over, ...plain, events: eventsOf(troubles) },
  ];
}

/** The service's answer to a report: the next one with its text. */
function answerTo(facts: readonly LedgerFact[], made: number): LedgerFact | undefined {
  const message = facts[made]?.facts?.["message"];
  return facts
    .slice(made + 1)
    .find(({ fact, facts: more }) => ANSWERED.includes(fact) && more?.["message"] === message);
}

function reportsOf(facts: readonly LedgerFact[], over: EpochMs): readonly Part[] {
  const made = [...facts.keys()].filter((index) => facts[index]?.fact === "report-made");
  return made.flatMap((index, number) => {
    const report = facts[index];
    if (report === undefined) return [];
    const answer = answerTo(facts, index);
    const replacedAt = facts[made[number + 1] ?? -1]?.at;
    const refused = answer?.fact === "report-refused" ? { error: String(answer.facts?.["text"]) } : {};
    return {
      key: `report ${number + 1}`,
      name: "report",
      isRequest: true as const,
      start: report.at,
      end: answer?.at ?? replacedAt ?? over,
      attributes: {
        ...only(report.facts ?? {}, ["state", "message"]),
        delivered: answer?.fact === "report-delivered",
      },
      events: [],
      ...refused,
    };
  });
}
