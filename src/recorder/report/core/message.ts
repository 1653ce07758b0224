import type { NamedRepeat } from "../../../model/plan-news.ts";
import { isTerminal, type Recording } from "../../../model/recording.ts";
import type { ReportFacts, ReportSubject } from "../../../model/report-facts.ts";
import type { ReportContent, ReportedState } from "../../../model/timer.ts";
import type { Window } from "../../../model/window.ts";
import { englishReader } from "../../../words/english.ts";
import { factsOf, figuresOf, type ReportSurroundings } from "./facts.ts";
import { flawWords } from "./figure-words.ts";
import { messageWords } from "./message-words.ts";
import { airingValues, spanWords } from "./plan-words.ts";

interface Zone {
  /** IANA name of the zone for times in texts. */
  readonly timeZone: string;
}

export interface ReportWorld extends ReportSurroundings, Zone {
  readonly vocabulary: "observed" | "field";
}

/** A report with its facts. Its message is the English text of the same facts, in which two reports are compared. */
export interface MadeReport extends ReportContent {
  readonly content: ReportFacts;
}

/**
 * The content of a recording's report.
 *
 * @returns `undefined` while there is nothing new to report
 */
export function reportFor(recording: Recording, world: ReportWorld): MadeReport | undefined {
  const content = factsOf(recording, world);
  if (content === undefined) return undefined;
  const state = stateOf(content.about, world.vocabulary);
  const before = recording.reported?.state;
  const isBack = state !== undefined && before !== undefined && RANK[state] < RANK[before];
  const told = { message: englishMessage(content, world), content };
  return state === undefined || isBack ? told : { state, ...told };
}

export function englishMessage(content: ReportFacts, { timeZone }: Zone): string {
  return messageWords(content, englishReader(timeZone));
}

/** The order of states in the life of a timer; a reported state is never taken back. */
const RANK: Readonly<Record<ReportedState, number>> = {
  waiting: 0,
  pending: 0,
  running: 1,
  completed: 2,
  failed: 2,
};

function stateOf({ is }: ReportSubject, vocabulary: ReportWorld["vocabulary"]): ReportedState | undefined {
  switch (is) {
    case "scheduled":
    case "conflict":
    case "waiting":
      return vocabulary === "field" ? "pending" : "waiting";
    case "recording":
      return "running";
    case "recorded":
    case "withdrawn":
      return "completed";
    case "recorded-part":
    case "not-recorded":
    case "missed":
      return "failed";
    case "unfinished":
    case "clock":
    case "not-understood":
      return undefined;
  }
}

/** The reason for a repeat, in a few words: `Damaged (3 continuity errors)`. */
export function lossText({ state, evidence }: Recording, { timeZone }: Zone): string {
  if (!isTerminal(state)) return "In conflict";
  if (evidence?.file === undefined) return "Not recorded";
  const wrong = flawWords(figuresOf(evidence), englishReader(timeZone));
  return `${state === "partial" ? "Recorded in part" : "Damaged"} (${wrong === "" ? "no errors" : wrong})`;
}

/** `20:05–21:40` */
export function spanText(span: Window, { timeZone }: Zone): string {
  return spanWords(span, englishReader(timeZone));
}

/** `on Thu 26 Nov 22:10 on BBC One` */
export function repeatText(repeat: NamedRepeat, { timeZone }: Zone): string {
  const { day, time, channel } = airingValues(repeat, englishReader(timeZone));
  return `on ${day} ${time} on ${channel}`;
}
