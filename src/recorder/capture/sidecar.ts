import type { Attempt } from "../../model/attempt.ts";
import type { Evidence } from "../../model/evidence.ts";
import { type Integrity, knownPosition, type SegmentInFile } from "../../model/integrity.ts";
import { eventToRecord, expectedSpan, type Recording, titleOf } from "../../model/recording.ts";
import { flawsOf, lostPacketsOf } from "../../model/verdict.ts";
import { intersection, lengthMs, type Window } from "../../model/window.ts";
import { WrittenSegments } from "./written-segments.ts";

/**
 * Incremented when a field changes its meaning or is removed; new fields need no increment. docs/dev/recording-files.md describes
 * them.
 */
const SIDECAR_VERSION = 1;
const SCHEMA = "recorderd-recording";

export interface SidecarFacts {
  readonly recording: Recording;
  readonly evidence: Evidence;
  /** The integrity report: freshly computed, or from an earlier sidecar; absent if it was lost, as with a deleted sidecar. */
  readonly integrity?: { readonly found: Integrity } | { readonly written: unknown };
  readonly writtenBy: string;
}

/** The `.json` sidecar: everything known about a recording. */
export function sidecarJson({ recording, evidence, integrity, writtenBy }: SidecarFacts): string {
  const { programme = {}, service, padding, event, window } = recording;
  const { file = "", bytes, sha256 } = evidence;
  const document = {
    schema: SCHEMA,
    schemaVersion: SIDECAR_VERSION,
    writtenBy,
    recordingId: recording.id,
    timerId: recording.timerId,
    showId: recording.showId,
    title: titleOf(recording),
    programme,
    channel: { id: recording.channelId, name: recording.channelName, service },
    event: instants(event),
    window: instants(window),
    padding: { beforeSeconds: padding.beforeMs / 1000, afterSeconds: padding.afterMs / 1000 },
    file: {
      name: file.slice(file.lastIndexOf("/") + 1),
      bytes,
      sha256,
      plainName: evidence.plainName ?? false,
    },
    coverage: coverageOf({ recording, evidence, integrity }),
    errors: {
      total: flawsOf(evidence),
      continuity: evidence.continuityErrors,
      tables: evidence.tableErrors ?? 0,
      transport: evidence.transportErrors,
      scrambledPackets: evidence.scrambledPackets,
      clockBreaks: evidence.clockBreaks,
      junkPackets: lostPacketsOf(evidence),
      damagedPackets: evidence.damagedPackets,
      junkBytes: evidence.junkBytes,
      flawedMs: evidence.flawedMs,
    },
    verdict: evidence.verdict,
    incompleteTracks: evidence.incompleteTracks?.map(trackOf),
    attempts: recording.attempts.map(attemptOf),
    integrity:
      integrity !== undefined && "found" in integrity
        ? integrityOf(integrity.found, eventToRecord(recording))
        : integrity?.written,
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** The integrity report in a `.json`, as written there; `undefined` if it is not ours. */
export function writtenIntegrity(text: string): unknown {
  try {
    const written: unknown = JSON.parse(text);
    const isOurs =
      typeof written === "object" &&
      written !== null &&
      "schema" in written &&
      written.schema === SCHEMA &&
      "schemaVersion" in written &&
      written.schemaVersion === SIDECAR_VERSION &&
      "integrity" in written;
    return isOurs ? written.integrity : undefined;
  } catch {
    // A damaged sidecar: it is rewritten without the report.
    return undefined;
  }
}

function coverageOf({
  recording,
  evidence,
  integrity,
}: Pick<SidecarFacts, "recording" | "evidence"> & {
  readonly integrity: SidecarFacts["integrity"] | undefined;
}) {
  const window = expectedSpan(recording);
  const event = eventToRecord(recording);
  const { eventMs, eventCoveredMs, windowMs, windowCoveredMs, firstAt, lastAt } = evidence;
  const startsAtMs =
    firstAt && knownPosition(event.start, { ...evidence, firstAt, segments: segmentsIn(integrity) });
  return {
    eventMs,
    eventCoveredMs: Math.round(eventCoveredMs),
    windowMs,
    windowCoveredMs: Math.round(windowCoveredMs),
    first: firstAt === undefined ? undefined : instant(firstAt),
    last: lastAt === undefined ? undefined : instant(lastAt),
    startOffsetMs: firstAt === undefined ? undefined : Math.round(firstAt - window.start),
    endOffsetMs: lastAt === undefined ? undefined : Math.round(lastAt - window.stop),
    eventStartsAtMs: startsAtMs === undefined ? undefined : Math.round(startsAtMs),
  };
}

function segmentsIn(integrity: SidecarFacts["integrity"] | undefined): readonly SegmentInFile[] {
  if (integrity !== undefined && "found" in integrity) return integrity.found.segments;
  const written: unknown = integrity?.written;
  const isReport = typeof written === "object" && written !== null && "segments" in written;
  return isReport ? WrittenSegments.parse(written.segments) : [];
}

/** A track with its times in the sidecar's format. */
function trackOf<T extends { readonly missing: readonly Window[] }>({ missing, ...track }: T) {
  return {
    ...track,
    missing: missing.map((span) => ({ ...instants(span), lengthMs: Math.round(lengthMs(span)) })),
  };
}

function integrityOf({ gaps, segments, bitRate, tracks, ...rest }: Integrity, event: Window) {
  return {
    ...rest,
    tracks: tracks.map(trackOf),
    gaps: gaps.map((gap) => {
      const inEventMs = Math.round(lengthMs(intersection(gap, event)));
      const lengthInMs = Math.round(lengthMs(gap));
      return {
        ...instants(gap),
        lacks: gap.lacks,
        streamMs: Math.round(gap.streamMs),
        lengthMs: lengthInMs,
        inEventMs,
        in: inEventMs === 0 ? "padding" : inEventMs === lengthInMs ? "event" : "both",
      };
    }),
    segments: segments.map((segment) => ({ ...segment, ...instants(segment) })),
    bitRate: bitRate === undefined ? undefined : { ...bitRate, from: instant(bitRate.from) },
  };
}

function attemptOf({ number, tunerId, startedAt, flowingAt, endedAt, cause }: Attempt) {
  return {
    number,
    tunerId,
    started: instant(startedAt),
    flowing: flowingAt === undefined ? undefined : instant(flowingAt),
    ended: endedAt === undefined ? undefined : instant(endedAt),
    cause,
  };
}

function instants({ start, stop }: Window) {
  return { start: instant(start), stop: instant(stop) };
}

/** UTC, to the millisecond: `2026-11-20T09:30:00.000Z`. */
function instant(at: number): string {
  return new Date(at).toISOString();
}
