import type { Attempt } from "../../../model/attempt.ts";
import type { Evidence } from "../../../model/evidence.ts";
import type { Inspection } from "../../../model/inspection.ts";
import type { NetworkSettings } from "../../../model/network.ts";
import type { Digest } from "../../../model/ports.ts";
import type { Triplet } from "../../../model/service.ts";
import type { DurationMs } from "../../../model/time.ts";
import { inspectBeginning } from "../../evidence/file-inspection.ts";
import type { WrittenSegment } from "../../evidence/integrity.ts";
import { findOverlap, isWithin } from "../../evidence/overlap.ts";

/**
 * A segment with the bytes that count: without incomplete packets at its ends, and without the overlap with the next
 * one.
 */
export interface FoundSegment extends WrittenSegment {
  readonly attempt: Attempt;
  readonly file: string;
  /** Offset of the first byte that counts. */
  readonly from: number;
  /** Size of the whole file. */
  readonly fileBytes: number;
  /** Digest of the whole file except an incomplete packet at its end. */
  readonly digest: Digest;
}

/** Makes every segment but the first begin with a whole packet. The file begins as the first segment does. */
export function trimHeads(segments: readonly FoundSegment[]): readonly FoundSegment[] {
  return segments.map((segment, index) => {
    const { headBytes } = segment.inspection;
    return index === 0 ? segment : { ...segment, from: headBytes, bytes: segment.bytes - headBytes };
  });
}

/** By attempt number, for segments that are in the file only in part. */
export function cutsOf(segments: readonly FoundSegment[]): Pick<Evidence, "keptBytes" | "keptFrom"> {
  const cut = segments.filter(({ bytes, fileBytes }) => bytes < fileBytes);
  const keptBytes = Object.fromEntries(cut.map(({ number, bytes }) => [number, bytes]));
  const begun = cut.filter(({ from }) => from > 0);
  const keptFrom = Object.fromEntries(begun.map(({ number, from }) => [number, from]));
  return {
    ...(cut.length === 0 ? {} : { keptBytes }),
    ...(begun.length === 0 ? {} : { keptFrom }),
  };
}

interface OverlapParts {
  readonly service: Triplet | undefined;
  readonly networks: NetworkSettings | undefined;
}

/**
 * Removes the end of a segment that the next one repeats: after a takeover (docs/dev/decisions/0015), or because a capture on
 * a node that was lost went on after its attempt was given up.
 */
export async function withoutOverlaps(
  segments: readonly FoundSegment[],
  parts: OverlapParts,
  signal: AbortSignal,
): Promise<readonly FoundSegment[]> {
  const outlived = await withoutOutlived(segments, parts);
  const rest = await Promise.all(
    outlived.map((segment, index) => {
      const next = outlived[index + 1];
      return next !== undefined && mayRepeat(segment, next)
        ? cutBefore(next, { ...parts, segment }, signal)
        : segment;
    }),
  );
  return rest.filter(({ bytes }) => bytes > 0);
}

/** The next segment began before the last write of this one. */
function mayRepeat(
  { attempt: { endedAt = Infinity }, writtenAt }: FoundSegment,
  next: FoundSegment,
): boolean {
  return next.attempt.startedAt < Math.max(endedAt, writtenAt);
}

/** A capture on a lost node may continue longer than the one that replaced it, and then contains all of it. */
async function withoutOutlived(
  segments: readonly FoundSegment[],
  { service }: OverlapParts,
): Promise<readonly FoundSegment[]> {
  const left: FoundSegment[] = [];
  for (const segment of segments) {
    const before = left.at(-1);
    const isOutlived =
      before !== undefined &&
      mayRepeat(before, segment) &&
      segment.writtenAt <= before.writtenAt &&
      (await isWithin({
        first: before.file,
        second: segment.file,
        pids: pidsOf([before, segment], service),
      }));
    if (!isOutlived) left.push(segment);
  }
  return left;
}

function pidsOf(segments: readonly FoundSegment[], service: Triplet | undefined): ReadonlySet<number> {
  return new Set(segments.flatMap(({ inspection }) => mediaPids(inspection, service)));
}

async function cutBefore(
  next: FoundSegment,
  { segment, service, networks = new Map() }: OverlapParts & { readonly segment: FoundSegment },
  signal: AbortSignal,
): Promise<FoundSegment> {
  const { file, inspection } = segment;
  const pids = pidsOf([segment, next], service);
  const overlap = await findOverlap({ first: file, second: next.file, pids });
  if (overlap === undefined) return segment;
  const { bytesBefore: bytes, isSeamless } = overlap;
  // No whole packet of the first one is left.
  if (bytes <= inspection.headBytes) return { ...segment, bytes: 0 };
  const beginning = await inspectBeginning(file, { service, networks, bytes, next: next.file }, signal);
  const writtenAt = segment.writtenAt - (inspection.streamMs - beginning.streamMs);
  // If the first segment lost exactly the second one's beginning, its own clock shows that it went on there.
  const goesOn = isSeamless || runsPast(inspection, beginning.spans.at(-1)?.stop);
  return { ...segment, inspection: beginning, bytes, writtenAt, goesOn };
}

function runsPast({ spans }: Inspection, at: DurationMs | undefined): boolean {
  return at !== undefined && spans.some(({ start, stop }) => start <= at && at < stop);
}

/** PIDs of picture, sound, subtitles and clock of the service. */
function mediaPids({ services }: Inspection, service: Triplet | undefined): readonly number[] {
  return services
    .filter(({ sid }) => service === undefined || sid === service.sid)
    .flatMap(({ streams, pcrPid }) => [
      ...streams.map(({ pid }) => pid),
      ...(pcrPid === undefined ? [] : [pcrPid]),
    ]);
}
