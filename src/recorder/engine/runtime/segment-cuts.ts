import type { Attempt } from "../../../model/attempt.ts";
import type { Evidence } from "../../../model/evidence.ts";
import type { Inspection } from "../../../model/inspection.ts";
import type { NetworkSettings } from "../../../model/network.ts";
import type { Digest } from "../../../model/ports.ts";
import type { Triplet } from "../../../model/service.ts";
import type { DurationMs } from "../../../model/time.ts";
import { inspectBeginning } from "../../evidence/file-inspection.ts";
import type { WrittenSegment } from "../../evidence/integrity.ts";
import { findOverlap } from "../../evidence/overlap.ts";

/** A segment with what counts of it: not an incomplete packet at its ends, and not what the next one has too. */
export interface FoundSegment extends WrittenSegment {
  readonly attempt: Attempt;
  readonly file: string;
  /** Where in it the bytes that count begin. */
  readonly from: number;
  /** Of the whole file. */
  readonly fileBytes: number;
  /** Of all that it holds but an incomplete packet at the end. */
  readonly digest: Digest;
}

/** A segment that others come before begins with a whole packet. The file begins as the first segment does. */
export function withoutHeads(segments: readonly FoundSegment[]): readonly FoundSegment[] {
  return segments.map((segment, index) => {
    const { headBytes } = segment.inspection;
    return index === 0 ? segment : { ...segment, from: headBytes, bytes: segment.bytes - headBytes };
  });
}

/** By attempt, of those of which not all is in the file. */
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

/** Where one attempt relieved another, the end of the one that is in the other too counts once (docs/dev/decisions/0015). */
export async function withoutOverlaps(
  segments: readonly FoundSegment[],
  parts: OverlapParts,
  signal: AbortSignal,
): Promise<readonly FoundSegment[]> {
  const rest = await Promise.all(
    segments.map((segment, index) => {
      const next = segments[index + 1];
      const { endedAt = Infinity } = segment.attempt;
      return next !== undefined && next.attempt.startedAt < endedAt
        ? cutBefore(next, { ...parts, segment }, signal)
        : segment;
    }),
  );
  return rest.filter(({ bytes }) => bytes > 0);
}

async function cutBefore(
  next: FoundSegment,
  { segment, service, networks = new Map() }: OverlapParts & { readonly segment: FoundSegment },
  signal: AbortSignal,
): Promise<FoundSegment> {
  const { file, inspection } = segment;
  const pids = new Set([inspection, next.inspection].flatMap((each) => mediaPids(each, service)));
  const overlap = await findOverlap({ first: file, second: next.file, pids });
  if (overlap === undefined) return segment;
  const { bytesBefore: bytes, isSeamless } = overlap;
  // No whole packet of the first one is left.
  if (bytes <= inspection.headBytes) return { ...segment, bytes: 0 };
  const beginning = await inspectBeginning(file, { service, networks, bytes, next: next.file }, signal);
  const writtenAt = segment.writtenAt - (inspection.streamMs - beginning.streamMs);
  // Where the first one lost just what the second begins with, its own clock says that it went on there.
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
