import type { Inspection, PidFacts, ServiceFacts, StreamFacts } from "../../model/inspection.ts";
import { type BitRate, type Integrity, type PidIntegrity, positionInFile } from "../../model/integrity.ts";
import { type DurationMs, type EpochMs, SECOND } from "../../model/time.ts";
import { intersection, lengthMs, longest, type Window } from "../../model/window.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { MPEG_TS_LIMITS } from "../../mpeg-ts/limits.ts";
import { clockApartMs, type InspectedSegment, onTimeLine } from "../../mpeg-ts/streams/time-line.ts";
import { tracksOf } from "../../mpeg-ts/streams/tracks.ts";
import { clockOf, missingIn } from "./evidence.ts";
import { EVIDENCE_LIMITS } from "./limits.ts";
import { withSharedMains } from "./shared-mains.ts";
import { withoutUndatableSpans } from "./undatable.ts";

/** One segment of a recording, and the attempt that wrote it. */
export interface WrittenSegment extends InspectedSegment {
  readonly number: number;
}

/** The integrity report of a recording's segments, in order. Figures are sums, or positions on the common timeline. */
export function integrityOf(written: readonly WrittenSegment[], window: Window): Integrity {
  const segments = withSharedMains(withoutUndatableSpans(written));
  const sum = (of: (inspection: Inspection) => number) =>
    segments.reduce((total, { inspection }) => total + of(inspection), 0);
  const placed = inFile(segments);
  const bitRate = bitRateOf(placed);
  const gaps = missingIn(window, segments);
  const nothing = gaps.filter(({ lacks }) => lacks === undefined);
  return {
    packets: sum(({ packets }) => packets),
    nullPackets: sum(({ nullPackets }) => nullPackets),
    damagedPackets: sum(({ damagedPackets }) => damagedPackets),
    junkBytes: sum(({ junkBytes }) => junkBytes),
    payloadPackets: sum(({ payloadPackets }) => payloadPackets),
    pids: pidsOf(segments.map(({ inspection }) => inspection)),
    gaps: longest(gaps, EVIDENCE_LIMITS.reportedGaps).map((gap) => ({
      ...gap,
      streamMs: Math.max(0, positionInFile(gap.start, placed)),
    })),
    tracks: tracksOf(segments, { window, nothing }).map(({ spans: _placed, missing, ...track }) => ({
      ...track,
      missing: longest(missing, EVIDENCE_LIMITS.reportedGaps),
    })),
    clock: clockOf(segments),
    clockBreaks: placed
      .flatMap(({ inspection, streamMs }) => inspection.clockBreaks.map((at) => streamMs + at))
      .slice(0, EVIDENCE_LIMITS.reportedGaps),
    services: segments.reduce<readonly ServiceFacts[]>(
      (services, { inspection }) => latest(services, inspection.services),
      [],
    ),
    segments: placed.map(({ number, bytes, start, stop, streamMs }) => ({
      attempt: number,
      bytes,
      start,
      stop,
      streamMs,
    })),
    ...(bitRate === undefined ? {} : { bitRate }),
  };
}

interface PlacedSegment extends WrittenSegment, Window {
  /** Position of its start in the file. */
  readonly streamMs: DurationMs;
}

function inFile(segments: readonly WrittenSegment[]): readonly PlacedSegment[] {
  const spans = onTimeLine(segments);
  let endMs = 0;
  return segments.map((segment, index) => {
    const { inspection, writtenAt } = segment;
    const { start, stop } = spans[index] ?? { start: writtenAt, stop: writtenAt };
    const before = segments[index - 1];
    // Players go by time stamps: those of another clock tell them nothing of the time between.
    const missingMs = before === undefined ? 0 : Math.max(0, clockApartMs(before, segment) ?? 0);
    const streamMs = endMs + missingMs;
    endMs = streamMs + inspection.streamMs;
    return { ...segment, start, stop, streamMs };
  });
}

function pidsOf(inspections: readonly Inspection[]): readonly PidIntegrity[] {
  const streams = new Map<number, StreamFacts>();
  for (const { services } of inspections) {
    for (const stream of services.flatMap((service) => service.streams)) streams.set(stream.pid, stream);
  }
  const sums = new Map<number, PidFacts>();
  for (const facts of inspections.flatMap(({ pids }) => pids)) {
    const before = sums.get(facts.pid);
    sums.set(facts.pid, before === undefined ? facts : sumOf(before, facts));
  }
  return [...sums.values()]
    .sort((a, b) => a.pid - b.pid)
    .map((facts) => {
      const { kind, codec, language } = streams.get(facts.pid) ?? {};
      return {
        ...facts,
        scrambledShare: facts.scrambledPackets / facts.packets,
        ...withoutUndefined({ kind, codec, language }),
      };
    });
}

function sumOf(a: PidFacts, b: PidFacts): PidFacts {
  return {
    pid: a.pid,
    packets: a.packets + b.packets,
    continuityErrors: a.continuityErrors + b.continuityErrors,
    transportErrors: a.transportErrors + b.transportErrors,
    scrambledPackets: a.scrambledPackets + b.scrambledPackets,
    duplicates: a.duplicates + b.duplicates,
  };
}

/** Later facts win if they are as complete: a segment may be too short for its tables. */
function latest(before: readonly ServiceFacts[], after: readonly ServiceFacts[]): readonly ServiceFacts[] {
  const bySid = new Map(before.map((service) => [service.sid, service]));
  for (const service of after) {
    const known = bySid.get(service.sid);
    const streams = service.streams.length > 0 ? service.streams : (known?.streams ?? []);
    bySid.set(service.sid, { ...known, ...service, streams });
  }
  return [...bySid.values()].sort((a, b) => a.sid - b.sid);
}

/** Instants have millisecond precision: a shorter rest has no meaningful rate, and joins the span before. */
const RATE_REST_MS = 250;

/** The bit rates of all segments on one raster, no finer than theirs; bytes are spread evenly over their span. */
function bitRateOf(segments: readonly PlacedSegment[]): BitRate | undefined {
  const dated = segments.filter(({ inspection, undatable }) => inspection.streamMs > 0 && undatable !== true);
  const from = Math.min(...dated.map(({ start }) => start));
  const to = Math.max(...dated.map(({ stop }) => stop));
  if (dated.length === 0) return undefined;
  let spanMs = Math.max(SECOND, ...dated.map(({ inspection }) => inspection.rate.spanMs));
  while ((to - from) / spanMs > MPEG_TS_LIMITS.rateSpans) spanMs *= 2;
  const count = Math.max(1, Math.ceil((to - from - RATE_REST_MS) / spanMs));
  const stopOf = (index: number) => (index === count - 1 ? to : from + (index + 1) * spanMs);
  const bytes = new Array<number>(count).fill(0);
  for (const { inspection, start, stop } of dated) {
    for (const [index, amount] of inspection.rate.bytes.entries()) {
      const at = start + index * inspection.rate.spanMs;
      const span = { start: at, stop: Math.min(stop, at + inspection.rate.spanMs) };
      const indexOf = (instant: EpochMs) => Math.min(count - 1, Math.floor((instant - from) / spanMs));
      const first = indexOf(span.start);
      const last = indexOf(span.stop);
      for (let into = first; into <= last; into += 1) {
        const raster = { start: from + into * spanMs, stop: stopOf(into) };
        const share = lengthMs(intersection(raster, span)) / lengthMs(span);
        bytes[into] = (bytes[into] ?? 0) + share * amount;
      }
    }
  }
  const lengthOf = (index: number) => stopOf(index) - from - index * spanMs;
  return {
    from,
    spanMs,
    bitsPerSecond: bytes.map((amount, index) => Math.round((amount * 8 * SECOND) / lengthOf(index))),
  };
}
