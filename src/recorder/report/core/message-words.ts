import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { DoubtFacts, ReportFacts, ReportSubject, TroubleFacts } from "../../../model/report-facts.ts";
import { detailWords } from "../../../words/details.ts";
import type { Reader } from "../../../words/reader.ts";
import { shortened } from "../../../words/shortened.ts";
import { troubleOf } from "../../../words/trouble.ts";
import { figureWords } from "./figure-words.ts";
import {
  airingValues,
  conflictWords,
  groups,
  sentences,
  spanWords,
  timeWords,
  trimWords,
} from "./plan-words.ts";

/** A message to the guide service in the reader's words, as long as the service takes. */
export function messageWords(facts: ReportFacts, reader: Reader): string {
  return shortened(wholeMessage(facts, reader), MODEL_LIMITS.messageLength);
}

export function wholeMessage({ about, repeat }: ReportFacts, reader: Reader): string {
  const parts = [
    ...subjectSentences(about, reader),
    ...(repeat === undefined
      ? []
      : [reader.say(`report-repeat-${repeat.step}`, airingValues(repeat, reader))]),
  ];
  return sentences(parts, reader);
}

function subjectSentences(about: ReportSubject, reader: Reader): readonly string[] {
  const { say } = reader;
  switch (about.is) {
    case "scheduled":
    case "conflict":
    case "waiting":
      return aheadSentences(about, reader);
    case "recording": {
      const { tunerId: tuner, lateMs, interruptions } = about;
      const late = lateMs === undefined ? "none" : reader.duration(lateMs);
      return [say("report-recording", { tuner, since: timeWords(about.since, reader), late, interruptions })];
    }
    case "recorded":
    case "recorded-part":
    case "not-recorded":
    case "missed":
      return endSentences(about, reader);
    case "unfinished":
      return unfinishedSentences(about, reader);
    case "clock":
      return [say("result-clock")];
    case "withdrawn":
      return [say(about.isPartKept ? "report-withdrawn-kept" : "report-withdrawn")];
    case "not-understood": {
      const { reason } = about;
      return [
        ...(about.isOrderKept ? [say("report-order-kept")] : []),
        say("report-not-understood", { reason }),
      ];
    }
  }
}

type Of<Is extends ReportSubject["is"]> = Extract<ReportSubject, { readonly is: Is }>;

/** Not recording yet, or not at the moment. */
function aheadSentences(
  about: Of<"scheduled"> | Of<"conflict"> | Of<"waiting">,
  reader: Reader,
): readonly string[] {
  const { say } = reader;
  const troubles = about.trouble === undefined ? [] : [troubleWords(about.trouble, reader)];
  switch (about.is) {
    case "scheduled": {
      const { tunerId: tuner, doubt, trim } = about;
      return [
        say("report-scheduled", { tuner, span: spanWords(about.span, reader) }),
        ...(doubt === undefined ? [] : [doubtWords(doubt, reader)]),
        // A trim that an earlier version noted has its text only.
        ...(trim === undefined ? [] : [trim.news === undefined ? trim.text : trimWords(trim.news, reader)]),
        ...troubles,
      ];
    }
    case "conflict":
      return troubles.length > 0 ? troubles : [say("report-no-tuner")];
    case "waiting":
      return [
        ...(troubles.length > 0 ? troubles : [say("report-interrupted")]),
        say("report-trying", { span: spanWords(about.span, reader) }),
      ];
  }
}

function endSentences(
  about: Of<"recorded" | "recorded-part"> | Of<"not-recorded"> | Of<"missed">,
  reader: Reader,
): readonly string[] {
  const { say } = reader;
  const { trouble } = about;
  switch (about.is) {
    case "recorded":
    case "recorded-part": {
      const figures = figureWords(about.figures, reader);
      const isUnverified = about.is === "recorded-part" && about.figures.eventPercent === undefined;
      const result = isUnverified
        ? say("report-recorded-unverified", { figures })
        : say(`report-${about.is}`, { verdict: about.verdict ?? "none", figures });
      return [result, ...(trouble === undefined ? [] : [troubleWords(trouble, reader)])];
    }
    case "not-recorded": {
      const nothing = say(about.hasFlowed ? "report-nothing-left" : "report-nothing-arrived");
      return [trouble === undefined ? nothing : notRecorded(trouble, reader)];
    }
    case "missed": {
      const { outage } = about;
      if (outage === undefined)
        return [trouble === undefined ? say("report-too-late") : notRecorded(trouble, reader)];
      const span = spanWords(outage, reader);
      return [say(outage.asleep ? "report-was-asleep" : "report-was-off", { span })];
    }
  }
}

function notRecorded(trouble: TroubleFacts, reader: Reader): string {
  return reader.say("report-not-recorded", { why: troubleWords(trouble, reader) });
}

function unfinishedSentences({ since, trouble }: Of<"unfinished">, reader: Reader): readonly string[] {
  const { say } = reader;
  const at = timeWords(since, reader);
  switch (trouble.code) {
    case "STORAGE_OFFLINE":
      return [say("report-storage-offline", { at })];
    case "STORAGE_SLOW":
      return [say("report-storage-slow", { at })];
    case "NODE_AWAY":
      return [say("report-node-away", { at })];
    default:
      return [say("report-unfinished", { at, why: troubleWords(trouble, reader) })];
  }
}

function doubtWords({ tunerId: tuner, since, code }: DoubtFacts, reader: Reader): string {
  return reader.say("report-doubt", { tuner, since: timeWords(since, reader), code });
}

/** The engine's text is English: other readers get what its code means, and its values. */
function troubleWords(trouble: TroubleFacts, reader: Reader): string {
  const { code, text, details, conflict, tunerId: tuner } = trouble;
  if (conflict !== undefined) return conflictWords(conflict, reader);
  if (reader.language === "en") return text;
  const meaning = troubleOf(code, reader.say);
  const named =
    tuner === undefined ? meaning : reader.say("report-tuner-trouble", { tuner, trouble: meaning });
  const values = details === undefined ? [] : detailWords(details, reader);
  return sentences(
    [
      named,
      ...(values.length === 0 ? [] : [reader.say("report-details", { details: groups(values, reader) })]),
    ],
    reader,
  );
}
