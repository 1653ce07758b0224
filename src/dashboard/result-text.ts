import type { Evidence } from "../model/evidence.ts";
import { plannedSpan, type Recording } from "../model/recording.ts";
import type { TunerStatus } from "../model/snapshot.ts";
import { SECOND } from "../model/time.ts";
import { lengthMs, longest } from "../model/window.ts";
import { now } from "./clock.ts";
import { type Outcome, outcomeOf } from "./parts/verdict.ts";
import { reader, say } from "./state/language.ts";
import {
  clockText,
  durationText,
  exactText,
  momentText,
  repeatStepText,
  shareText,
  troubleText,
} from "./words.ts";

/** Facts about a recording that it does not hold itself. */
export interface Around {
  /** The planned tuner may begin so late. */
  readonly seamMs?: number | undefined;
  readonly tuner?: { readonly quarantine?: TunerStatus["quarantine"] | undefined } | undefined;
}

/** The state of a recording in whole sentences: the one that matters most first. */
export function resultSentences(recording: Recording, around: Around = {}): readonly string[] {
  const { clockHoldReason, healing } = recording;
  return [
    ...(clockHoldReason === undefined ? [] : [say("result-clock")]),
    outcomeSentence(recording),
    ...reasons(recording),
    ...blockerSentences(recording),
    ...doubtSentences(recording, around),
    ...trimSentences(recording, around),
    ...evidenceSentences(recording.evidence),
    ...(healing === undefined ? [] : [repeatStepText(healing)]),
  ];
}

/** The one sentence that agrees with the recording's chip. */
export function outcomeSentence(recording: Recording): string {
  const outcome = outcomeOf(recording);
  const { evidence } = recording;
  const share = shareText(evidence?.eventCoveredMs ?? 0, evidence?.eventMs ?? 0);
  const stop = clockText(plannedSpan(recording).stop);
  switch (outcome) {
    case "planned":
      return say("result-planned", { when: reader().inside.when(plannedSpan(recording), now.value) });
    case "partly":
      return say("result-partly", { when: reader().inside.when(plannedSpan(recording), now.value) });
    case "waiting":
      return say("result-waiting", { stop });
    case "recording":
      return say("result-recording", { stop });
    case "damaged":
      return say("result-damaged", { share });
    case "unusable":
      return say("result-unusable", { share });
    case "partial":
      return evidence?.clock === "none" ? say("result-unverified") : say("result-partial", { share });
    case "conflicted":
    case "tuning":
    case "closing":
    case "completed":
    case "perfect":
    case "good":
    case "failed":
    case "missed":
    case "cancelled":
      return say(`result-${outcome}`);
  }
}

/** The one sentence that agrees with the chip of a recording that only the library still knows: it has no figures. */
export function entrySentence(outcome: Outcome): string {
  switch (outcome) {
    case "damaged":
    case "unusable":
      return say(`result-${outcome}-plain`);
    case "partial":
      return say("happened-shortened");
    case "cancelled":
    case "perfect":
    case "good":
      return say(`result-${outcome}`);
    default:
      return say("result-completed");
  }
}

/** The trouble of a recording by its code. */
export function troubleSentence({ trouble }: Recording): string {
  return troubleText(trouble ?? { code: "TUNER_BUSY" });
}

/** A good result needs no reason, even if there was trouble on the way. */
function reasons(recording: Recording): readonly string[] {
  const { state, trouble } = recording;
  if (state === "conflicted") return [troubleSentence(recording)];
  const isFine =
    state === "completed" || state === "recording" || state === "cancelled" || state === "closing";
  return trouble === undefined || isFine ? [] : [troubleSentence(recording)];
}

function blockerSentences({ closing }: Recording): readonly string[] {
  if (closing?.blocker === undefined) return [];
  const { code, since } = closing.blocker;
  const at = { at: momentText(since) };
  if (code === "STORAGE_OFFLINE") return [say("result-storage-missing", at)];
  if (code === "STORAGE_SLOW") return [say("result-storage-slow", at)];
  if (code === "NODE_AWAY") return [say("result-node-away", at)];
  return [say("result-storage-failed", at), troubleText({ code })];
}

function doubtSentences({ doubt, tunerId }: Recording, { tuner }: Around): readonly string[] {
  if (doubt === undefined) return [];
  const { quarantine } = tuner ?? {};
  if (quarantine === undefined || tunerId === undefined) return [say("result-doubt-plain")];
  return [say("result-doubt", { tuner: tunerId, at: momentText(quarantine.since) })];
}

/** The parts of the window that the plan gave up, from the spans: nothing where people would not notice. */
function trimSentences({ trim, event, window }: Recording, { seamMs = 0 }: Around): readonly string[] {
  if (trim === undefined) return [];
  const { span } = trim;
  const lateMs = span.start - event.start;
  if (lateMs >= SECOND)
    return [say("result-late", { lost: durationText(lateMs), from: clockText(span.start) })];
  const beforeMs = span.start - window.start;
  const afterMs = window.stop - span.stop;
  const seam = Math.ceil(seamMs / SECOND) * SECOND;
  return [
    ...(beforeMs >= SECOND ? [say("result-less-before", { lost: durationText(beforeMs) })] : []),
    ...(afterMs >= SECOND ? [say("result-less-after", { lost: durationText(afterMs) })] : []),
    ...(seam > 0 ? [say("result-seam", { lost: durationText(seam) })] : []),
  ];
}

const GAPS_TOLD = 3;

function evidenceSentences(evidence: Evidence | undefined): readonly string[] {
  if (evidence?.file === undefined) return [];
  const { continuityErrors, transportErrors, scrambledPackets, damagedPackets, gaps } = evidence;
  const errors = continuityErrors + transportErrors + scrambledPackets + damagedPackets;
  const worthTelling = longest(
    gaps.filter((gap) => lengthMs(gap) >= SECOND),
    GAPS_TOLD,
  ).toSorted((a, b) => a.start - b.start);
  const spans = worthTelling.map(({ start, stop }) => `${exactText(start)}–${exactText(stop)}`);
  return [
    errors === 0 ? say("result-no-errors") : say("result-errors", { count: errors }),
    ...(spans.length === 0 ? [] : [say("result-missing", { spans: reader().list(spans) })]),
  ];
}
