import type { Evidence, FileEvidence } from "../../../model/evidence.ts";
import { MODEL_LIMITS } from "../../../model/limits.ts";
import { isTerminal, plannedSpan, type Recording, type RecordingIn } from "../../../model/recording.ts";
import type { Repeat } from "../../../model/repeat.ts";
import {
  DAY,
  type DurationMs,
  type EpochMs,
  formatDuration,
  formatTimeOfDay,
  SECOND,
} from "../../../model/time.ts";
import type { ReportContent, ReportedState } from "../../../model/timer.ts";
import {
  intersection,
  lengthMs,
  longest,
  type Outage,
  overlaps,
  type Window,
} from "../../../model/window.ts";

export interface ReportWording {
  readonly vocabulary: "observed" | "field";
  /** IANA name of the zone for times in messages. */
  readonly timeZone: string;
  /** The latest times without a running daemon. */
  readonly outages: readonly Outage[];
}

/**
 * The content of a recording's report.
 *
 * @returns `undefined` while there is nothing new to report (`tuning`, `cancelled`, `closing` without a blocker)
 */
export function reportFor(recording: Recording, speech: ReportWording): ReportContent | undefined {
  const said = contentOf(recording, speech);
  const told =
    said === undefined
      ? undefined
      : { ...said, message: `${said.message}${repeatSentence(recording, speech)}` };
  return told === undefined ? undefined : withoutStepBack(told, recording.reported?.state);
}

function repeatSentence({ healing }: Recording, speech: ReportWording): string {
  if (healing === undefined) return "";
  const { step, repeat } = healing;
  const where = () => repeatText(repeat, speech);
  if (step === "booked" || step === "cancelling" || step === "dropping")
    return ` Its repeat ${where()} is booked.`;
  return step === "healed" ? ` It was recorded whole ${where()}.` : "";
}

/** The reason for a repeat, in a few words: `Damaged (3 continuity errors)`. */
export function lossText(recording: Recording, { timeZone }: Pick<ReportWording, "timeZone">): string {
  const { state, evidence } = recording;
  if (!isTerminal(state)) return "In conflict";
  if (evidence?.file === undefined) return "Not recorded";
  const wrong = wrongText(evidence, { timeZone });
  return `${state === "partial" ? "Recorded in part" : "Damaged"} (${wrong === "" ? "no errors" : wrong})`;
}

/** The order of states in the life of a timer; a reported state is never taken back (R-08). */
const RANK: Readonly<Record<ReportedState, number>> = {
  waiting: 0,
  pending: 0,
  running: 1,
  completed: 2,
  failed: 2,
};

/** Omits a state that would be a step back and leaves the message alone. */
function withoutStepBack(
  { state, message }: ReportContent,
  before: ReportedState | undefined,
): ReportContent {
  const cut = shortened(message);
  const back = state !== undefined && before !== undefined && RANK[state] < RANK[before];
  return state === undefined || back ? { message: cut } : { state, message: cut };
}

/** Cuts between two words. */
function shortened(message: string): string {
  if (message.length <= MODEL_LIMITS.messageLength) return message;
  const part = message.slice(0, MODEL_LIMITS.messageLength - 1);
  const end = part.lastIndexOf(" ");
  return `${(end < 0 ? part : part.slice(0, end)).replace(/[,;:(\s]+$/, "")}…`;
}

function contentOf(recording: Recording, speech: ReportWording): ReportContent | undefined {
  const scheduled: ReportedState = speech.vocabulary === "field" ? "pending" : "waiting";
  const { clockHoldReason } = recording;
  if (clockHoldReason !== undefined) {
    return {
      message: `The recorder's clock is not trusted: ${clockHoldReason}. The result follows once the clock is trusted.`,
    };
  }
  const span = spanText(plannedSpan(recording), speech);
  switch (recording.state) {
    case "planned":
      // A due recording that is held back reports the reason.
      return {
        state: scheduled,
        message: `Scheduled on tuner ${recording.tunerId}, ${span}.${doubtSentence(recording)}${trimSentence(recording)}${troubleSentence(recording)}`,
      };
    case "conflicted":
      return { state: scheduled, message: recording.trouble?.text ?? "No tuner is free." };
    case "waiting":
      return {
        state: scheduled,
        message: `${recording.trouble?.text ?? "Interrupted."} Trying again until the end, ${span}.`,
      };
    case "recording":
      return { state: "running", message: runningText(recording, speech) };
    case "completed":
      return {
        state: "completed",
        message: `Recorded${verdictWord(recording)}: ${figures(recording.evidence, speech)}.`,
      };
    case "partial":
      return {
        state: "failed",
        message: `${partialText(recording)}: ${figures(recording.evidence, speech)}.${troubleSentence(recording)}`,
      };
    case "failed":
      return {
        state: "failed",
        message: `Not recorded: ${recording.trouble?.text ?? nothingText(recording)}`,
      };
    case "missed":
      return { state: "failed", message: missedText(recording, speech) };
    case "closing":
      return blockerText(recording, speech);
    case "tuning":
    case "cancelled":
      return undefined;
  }
}

function partialText(recording: RecordingIn<"partial">): string {
  if (recording.evidence.clock === "none") return "Recorded, but not verified";
  return `Recorded only in part${verdictWord(recording)}`;
}

function nothingText({ attempts }: Recording): string {
  const hasFlowed = attempts.some(({ flowingAt }) => flowingAt !== undefined);
  return hasFlowed
    ? "picture or sound arrived, but none of it is left on the disk."
    : "no picture and no sound arrived.";
}

function doubtSentence({ doubt }: Recording): string {
  return doubt === undefined ? "" : ` ${doubt}`;
}

function trimSentence({ trim }: Recording): string {
  return trim === undefined ? "" : ` ${trim.text}`;
}

/** The verdict in a word, as in `Recorded, good: …`; empty for recordings from before verdicts. */
function verdictWord({ evidence }: RecordingIn<"completed" | "partial">): string {
  return evidence.verdict === undefined ? "" : `, ${evidence.verdict}`;
}

/** The message without a state: the result is known when the file can be read. */
function blockerText(
  { closing }: RecordingIn<"closing">,
  { timeZone }: ReportWording,
): ReportContent | undefined {
  if (closing.blocker === undefined) return undefined;
  const { code, text, since } = closing.blocker;
  const at = formatTimeOfDay(since, timeZone);
  switch (code) {
    case "STORAGE_OFFLINE":
      return {
        message: `Ended; storage offline since ${at}. The recorder finishes the file when the storage is back.`,
      };
    case "STORAGE_SLOW":
      return { message: `Ended; the storage has not answered since ${at}, so the file is not finished yet.` };
    default:
      return {
        message: `Ended; since ${at} the file could not be finished. The recorder keeps trying: ${text}`,
      };
  }
}

function troubleSentence({ trouble }: Recording): string {
  return trouble === undefined ? "" : ` ${trouble.text}`;
}

/** Smaller delays are not reported. */
const LATE_MS = 2 * SECOND;

function runningText({ attempts, window, tunerId }: RecordingIn<"recording">, speech: ReportWording): string {
  const flowing = attempts.filter(({ flowingAt }) => flowingAt !== undefined);
  const first = flowing[0]?.flowingAt ?? window.start;
  const lateMs = first - window.start;
  const late = lateMs > LATE_MS ? `, ${formatDuration(lateMs)} late` : "";
  // An attempt that was relieved by another left no gap.
  const breaks = flowing.filter(({ startedAt }, at) => (flowing[at - 1]?.endedAt ?? Infinity) <= startedAt);
  const again = breaks.length > 0 ? `, interrupted ${times(breaks.length)}` : "";
  return `Recording on tuner ${flowing.at(-1)?.tunerId ?? tunerId} since ${formatTimeOfDay(first, speech.timeZone)}${late}${again}.`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function missedText({ window, trouble }: Recording, speech: ReportWording): string {
  const outage = outageOf({ window }, speech.outages);
  if (outage !== undefined) {
    return `Not recorded: the recorder was ${outage.asleep ? "asleep" : "off"} ${spanText(outage, speech)}.`;
  }
  return `Not recorded: ${trouble?.text ?? "its time passed before it could start."}`;
}

/** The outage that took most of a window. */
export function outageOf(
  { window }: Pick<Recording, "window">,
  outages: readonly Outage[],
): Outage | undefined {
  const share = (outage: Outage) => lengthMs(intersection(window, outage));
  return outages
    .filter((outage) => outage.start < outage.stop && overlaps(outage, window))
    .reduce<Outage | undefined>(
      (most, outage) => (most === undefined || share(outage) >= share(most) ? outage : most),
      undefined,
    );
}

function figures(evidence: FileEvidence, speech: ReportWording): string {
  const { eventMs, eventCoveredMs, bytes, clock, plainName } = evidence;
  const wrong = wrongText(evidence, speech);
  const share = clock === "none" ? "" : `${percent(eventCoveredMs, eventMs)} of the event, `;
  const length = clock === "none" ? "; the stream has no clock, so the share of the event is unknown" : "";
  const name = plainName === true ? ", under a plain name, as the disk refused the full name" : "";
  return `${share}${size(bytes)}, ${wrong === "" ? "no errors" : wrong}${length}${name}`;
}

/** All flaws of a recording; empty if there are none. */
function wrongText(evidence: Evidence, speech: Pick<ReportWording, "timeZone">): string {
  return [flawText(evidence), gapText(evidence, speech), trackText(evidence, speech)]
    .filter((text) => text !== "")
    .join(", ");
}

const GAPS_TOLD = 3;

/** The longest gaps, in order of time: `missing 20:05:10–20:05:12, no picture 20:14:30–20:45:00 (sound present)`. */
function gapText({ gaps }: Pick<Evidence, "gaps">, speech: Pick<ReportWording, "timeZone">): string {
  const worthTelling = gaps.filter((gap) => lengthMs(gap) >= SECOND);
  const inOrder = [...longest(worthTelling, GAPS_TOLD)].sort((a, b) => a.start - b.start);
  const kinds = [
    { kind: undefined, before: "missing", after: "" },
    { kind: "picture", before: "no picture", after: " (sound present)" },
    { kind: "sound", before: "no sound", after: "" },
  ] as const;
  return kinds
    .flatMap(({ kind, before, after }) => {
      const spans = inOrder.filter(({ lacks }) => lacks === kind).map((gap) => spanText(gap, speech));
      return spans.length === 0 ? [] : [`${before} ${spans.join(", ")}${after}`];
    })
    .join(", ");
}

const TRACKS_TOLD = 2;

/** Missing parts of picture and sound that people notice only if they choose that track. */
function trackText({ incompleteTracks = [] }: Evidence, speech: Pick<ReportWording, "timeZone">): string {
  return incompleteTracks
    .filter(({ isMain }) => !isMain)
    .slice(0, TRACKS_TOLD)
    .map((track) => {
      const { language, codec, kind, missing, neverSent } = track;
      const name = `further ${kind === "video" ? "picture" : "sound"} (${[language, codec].filter(Boolean).join(", ")})`;
      const spans = missing.slice(0, GAPS_TOLD).map((span) => spanText(span, speech));
      return neverSent === true ? `${name} announced but never sent` : `${name} missing ${spans.join(", ")}`;
    })
    .join(", ");
}

function flawText(evidence: Evidence): string {
  const { continuityErrors, transportErrors, scrambledPackets, clockBreaks, damagedPackets, junkBytes } =
    evidence;
  const kinds = [
    counted(continuityErrors, "continuity error"),
    counted(transportErrors, "transport error"),
    counted(scrambledPackets, "packet", "scrambled"),
    counted(clockBreaks, "break", "of the clock"),
    counted(damagedPackets, "damaged packet"),
    counted(junkBytes, "byte", "of junk"),
  ].filter((text) => text !== "");
  return kinds.join(", ");
}

function counted(count: number, one: string, rest = ""): string {
  return count === 0 ? "" : `${count} ${one}${count === 1 ? "" : "s"}${rest === "" ? "" : ` ${rest}`}`;
}

/** Cut, not rounded: 99.99 % must not read as 100 %. */
function percent(part: DurationMs, whole: DurationMs): string {
  return `${whole === 0 ? 0 : Math.floor((1000 * part) / whole) / 10} %`;
}

function size(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(2)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `20:05–21:40`; with dates if the span is as long as a day, since times alone would read as a shorter one. */
export function spanText(span: Window, { timeZone }: { readonly timeZone: string }): string {
  const isLong = lengthMs(span) >= DAY;
  const clock = (at: EpochMs) =>
    `${isLong ? `${formatDay(at, timeZone)} ` : ""}${formatTimeOfDay(at, timeZone)}`;
  return `${clock(span.start)}–${clock(span.stop)}`;
}

/** `on Thu 26 Nov 22:10 on BBC One` */
export function repeatText(
  { event, channelName }: Pick<Repeat, "event" | "channelName">,
  { timeZone }: { readonly timeZone: string },
): string {
  const weekday = new Intl.DateTimeFormat("en-GB", { timeZone, weekday: "short" }).format(event.start);
  const day = formatDay(event.start, timeZone);
  return `on ${weekday} ${day} ${formatTimeOfDay(event.start, timeZone)} on ${channelName}`;
}

function formatDay(at: EpochMs, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, day: "numeric", month: "short" }).format(at);
}
