import type { Evidence, FileEvidence } from "../../../model/evidence.ts";
import type { Health } from "../../../model/health.ts";
import { plannedSpan, type Recording, type RecordingIn } from "../../../model/recording.ts";
import {
  type DoubtFacts,
  type FigureFacts,
  FLAWS,
  type ReportFacts,
  type ReportSubject,
  type TroubleFacts,
} from "../../../model/report-facts.ts";
import { type DurationMs, SECOND } from "../../../model/time.ts";
import { intersection, lengthMs, longest, type Outage, overlaps } from "../../../model/window.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";

/** Facts that a recording does not hold itself. */
export interface ReportSurroundings {
  /** The latest times without a running daemon. */
  readonly outages: readonly Outage[];
  /** Tuners that do not work. */
  readonly quarantine: Health["quarantine"];
  /** By so much, others are ahead of a wrong clock, and reports name their time. */
  readonly airAheadMs?: DurationMs;
}

/**
 * The facts for a report about a recording.
 *
 * @returns `undefined` while there is nothing new to report (`tuning`, `cancelled`, `closing` without a blocker)
 */
export function factsOf(recording: Recording, around: ReportSurroundings): ReportFacts | undefined {
  const about = subjectOf(recording, around);
  return about === undefined ? undefined : { about, ...withoutUndefined({ repeat: repeatOf(recording) }) };
}

function repeatOf({ healing }: Recording): ReportFacts["repeat"] {
  if (healing === undefined) return undefined;
  const { step, repeat } = healing;
  const { event, channelName } = repeat;
  if (step === "healed") return { step, event, channelName };
  const isBooked = step === "booked" || step === "cancelling" || step === "dropping";
  return isBooked ? { step: "booked", event, channelName } : undefined;
}

function subjectOf(recording: Recording, around: ReportSurroundings): ReportSubject | undefined {
  if (recording.clockHoldReason !== undefined) return { is: "clock" };
  const trouble = withoutUndefined({ trouble: troubleOf(recording) });
  switch (recording.state) {
    case "planned": {
      // A due recording that is held back reports the reason.
      const { tunerId } = recording;
      const doubt = doubtOf(recording, around);
      const trim = trimOf(recording);
      const span = plannedSpan(recording);
      return { is: "scheduled", tunerId, span, ...withoutUndefined({ doubt, trim }), ...trouble };
    }
    case "conflicted":
      return { is: "conflict", ...trouble };
    case "waiting":
      return { is: "waiting", span: plannedSpan(recording), ...trouble };
    case "recording":
      return runningFacts(recording, around);
    case "completed":
      return { is: "recorded", ...resultOf(recording.evidence) };
    case "partial":
      return { is: "recorded-part", ...resultOf(recording.evidence), ...trouble };
    case "failed": {
      const hasFlowed = recording.attempts.some(({ flowingAt }) => flowingAt !== undefined);
      return { is: "not-recorded", hasFlowed, ...trouble };
    }
    case "missed": {
      const isOfClock = recording.trouble?.code === "CLOCK_WRONG";
      const outage = isOfClock ? undefined : outageOf(recording, around.outages);
      return { is: "missed", ...withoutUndefined({ outage }), ...trouble };
    }
    case "closing":
      return blockerFacts(recording, around);
    case "tuning":
    case "cancelled":
      return undefined;
  }
}

/** The trouble, with the tuner where it is the tuner's. */
function troubleOf({ trouble, attempts }: Recording): TroubleFacts | undefined {
  if (trouble === undefined) return undefined;
  const last = attempts.at(-1);
  const isOfTuner = last?.cause === trouble.code && /^(TUNER|STREAM)_/.test(trouble.code);
  return isOfTuner ? { ...trouble, tunerId: last.tunerId } : trouble;
}

function doubtOf(
  { doubt, tunerId }: RecordingIn<"planned">,
  { quarantine, airAheadMs = 0 }: ReportSurroundings,
): DoubtFacts | undefined {
  const dead = quarantine[tunerId];
  return doubt === undefined || dead === undefined
    ? undefined
    : { tunerId, since: dead.since + airAheadMs, code: dead.code };
}

function trimOf({ trim }: Recording) {
  return trim === undefined ? undefined : { text: trim.text, ...withoutUndefined({ news: trim.news }) };
}

/** Smaller delays are not reported. */
const LATE_MS = 2 * SECOND;

function runningFacts(
  { attempts, window, tunerId }: RecordingIn<"recording">,
  { airAheadMs = 0 }: ReportSurroundings,
): ReportSubject {
  const flowing = attempts.filter(({ flowingAt }) => flowingAt !== undefined);
  const [first] = flowing;
  const since = first?.flowingAt === undefined ? window.start : first.flowingAt + airAheadMs;
  const lateMs = since - window.start;
  // An attempt that was relieved by another left no gap.
  const breaks = flowing.filter(({ startedAt }, at) => (flowing[at - 1]?.endedAt ?? Infinity) <= startedAt);
  return {
    is: "recording",
    tunerId: flowing.at(-1)?.tunerId ?? tunerId,
    since,
    ...(lateMs > LATE_MS ? { lateMs } : {}),
    interruptions: breaks.length,
  };
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

/** Without a state: the result is known when the file can be read. */
function blockerFacts(
  { closing: { blocker } }: RecordingIn<"closing">,
  { airAheadMs = 0 }: ReportSurroundings,
): ReportSubject | undefined {
  if (blocker === undefined) return undefined;
  const { since, ...trouble } = blocker;
  return { is: "unfinished", since: since + airAheadMs, trouble };
}

function resultOf(evidence: FileEvidence): { readonly figures: FigureFacts } {
  return { ...withoutUndefined({ verdict: evidence.verdict }), figures: figuresOf(evidence) };
}

const GAPS_TOLD = 3;
const TRACKS_TOLD = 2;

export function figuresOf(evidence: Evidence): FigureFacts {
  const { eventMs, eventCoveredMs, bytes, clock, plainName, gaps, hollow, incompleteTracks = [] } = evidence;
  const eventPercent = eventMs === 0 ? 0 : Math.floor((1000 * eventCoveredMs) / eventMs) / 10;
  const flaws = FLAWS.map((flaw) => [flaw, evidence[flaw] ?? 0] as const).filter(([, count]) => count > 0);
  const worthTelling = gaps.filter((gap) => lengthMs(gap) >= SECOND);
  return {
    ...(clock === "none" ? {} : { eventPercent }),
    bytes,
    flaws: Object.fromEntries(flaws),
    gaps: [...longest(worthTelling, GAPS_TOLD)].sort((a, b) => a.start - b.start),
    ...(hollow === undefined ? {} : { hollow }),
    tracks: incompleteTracks
      // The others are gaps.
      .filter(({ isMain }) => !isMain)
      .slice(0, TRACKS_TOLD)
      .map(({ kind, language, codec, missing, neverSent }) => ({
        kind,
        codec,
        missing: missing.slice(0, GAPS_TOLD),
        ...withoutUndefined({ language, neverSent }),
      })),
    hasPlainName: plainName === true,
  };
}
