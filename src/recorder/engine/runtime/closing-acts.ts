import type { FileState } from "../../../kit/files/file-state.ts";
import { type Attempt, attemptId } from "../../../model/attempt.ts";
import type { Inspection } from "../../../model/inspection.ts";
import type { NetworkSettings } from "../../../model/network.ts";
import { eventToRecord, expectedSpan, type Recording, type RecordingId } from "../../../model/recording.ts";
import { multiplexKey } from "../../../model/service.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { MountCheck } from "../../capture/mount-check.ts";
import type { RecordingFiles } from "../../capture/recording-files.ts";
import { evidenceOf } from "../../evidence/evidence.ts";
import type { DecodesExcerpt } from "../../evidence/excerpt.ts";
import { withoutHollowParts } from "../../evidence/hollow-parts.ts";
import { integrityOf } from "../../evidence/integrity.ts";
import type { ReadWhole } from "../../evidence/whole-file.ts";
import type { Occurrence } from "../core/occurrence.ts";
import { cutsOf, type FoundSegment, trimHeads, withoutOverlaps } from "./segment-cuts.ts";
import { datesOf } from "./segment-dates.ts";
import { isForeign, SegmentReader, segmentState } from "./segment-reading.ts";
import { createSidecars, nameFactsOf, type SidecarPolicy } from "./sidecar-acts.ts";

/** The steps that close a recording. Each may be repeated after a crash at any point. */
export interface Closing {
  /**
   * Marks an attempt that this run of the daemon watched from start to end, so every write error is known. Segments
   * of other attempts are read from the disk itself.
   */
  trust(attemptId: string): void;
  /** Reads every segment from its first byte to its last and chooses a name for the result. */
  inspect(recording: Recording, signal: AbortSignal): Promise<Occurrence>;
  /** Joins the segments into one file and names it; inspects segments again that changed since they were read. */
  publish(recording: Recording, signal: AbortSignal): Promise<Occurrence>;
  /** Writes the sidecars of a finished recording. */
  annotate(recording: Recording, signal: AbortSignal): Promise<Occurrence>;
}

export interface ClosingParts {
  readonly shelf: RecordingFiles;
  /** In a fleet whose nodes share no folder: waits until all parts of a recording are here. @throws RecorderdError NODE_AWAY */
  readonly waitForParts?: ((recording: Recording, signal: AbortSignal) => Promise<void>) | undefined;
  /** Inspects and hashes a segment in one pass. */
  readonly readWhole: ReadWhole;
  /** Asked only about parts that look as if they could not be decoded. */
  readonly decodesExcerpt: DecodesExcerpt;
  /** Checked before a missing file counts as gone. */
  readonly presence: Pick<MountCheck, "check">;
  readonly sidecars: SidecarPolicy;
  readonly networks?: NetworkSettings;
}

/**
 * All steps throw RecorderdError FILE_UNREADABLE, FILE_CHANGED, STORAGE_OFFLINE, NODE_AWAY, DISK_FULL or WRITE_FAILED; nothing
 * is lost then. Disposing waits for running steps: the folders may belong to another daemon from then on.
 */
export function createClosing({
  shelf,
  waitForParts,
  readWhole,
  decodesExcerpt,
  presence,
  sidecars,
  networks,
}: ClosingParts): Closing & AsyncDisposable {
  const reader = new SegmentReader({ shelf, readWhole, networks });
  const annotations = createSidecars(shelf, sidecars);

  async function readSegments(
    recording: Recording,
    signal: AbortSignal,
  ): Promise<{ readonly segments: readonly FoundSegment[]; readonly foreign: readonly number[] }> {
    const segments: FoundSegment[] = [];
    const foreign: number[] = [];
    for (const attempt of recording.attempts) {
      const { number } = attempt;
      const file = shelf.segmentFile(attemptId(recording.id, number));
      const there = await segmentState(file);
      if (there === undefined) continue;
      if (isForeign(attempt, there)) foreign.push(number);
      else if (there.bytes > 0) segments.push(...(await readSegment({ recording, attempt, file }, signal)));
    }
    return { segments, foreign };
  }

  /** @returns none if it holds nothing of the service */
  async function readSegment(
    { recording, attempt, file }: Pick<FoundSegment, "attempt" | "file"> & { readonly recording: Recording },
    signal: AbortSignal,
  ): Promise<readonly FoundSegment[]> {
    const { inspection, wholePackets: digest, state } = await reader.read(recording, attempt, signal);
    if (!isWorthKeeping(inspection) || isOfAnotherService({ attempt, inspection, recording })) return [];
    const { number } = attempt;
    const { bytes } = digest;
    const place = { attempt, file, number, from: 0, bytes, fileBytes: state.bytes, digest };
    const dates = datesOf(attempt, { attempts: recording.attempts, inspection, mtimeMs: timeOf(state) });
    return [{ ...place, inspection, ...dates }];
  }

  async function inspect(recording: Recording, signal: AbortSignal): Promise<Occurrence> {
    await presence.check();
    await waitForParts?.(recording, signal);
    const { id: recordingId } = recording;
    const window = expectedSpan(recording);
    const { segments: all, foreign } = await readSegments(recording, signal);
    // A disk that is away has no files: do not mistake that for a recording without any.
    if (all.length < recording.attempts.length) await presence.check();
    const rest = await withoutOverlaps(all, { service: recording.service, networks }, signal);
    const segments = await Promise.all(trimHeads(rest).map((segment) => withoutHollow(segment, signal)));
    const found = evidenceOf({ segments, event: eventToRecord(recording), window });
    const evidence = foreign.length === 0 ? found : { ...found, foreign };
    if (segments.length === 0) return { kind: "inspected", recordingId, evidence };
    const { file, substituted } = await shelf.reserve(nameFactsOf(recording));
    await annotations.keepReport(recordingId, integrityOf(segments, window));
    const kept = segments.map(({ number }) => number);
    const [first, ...others] = segments;
    const alone = others.length === 0 && first?.bytes === first?.digest.bytes ? first?.digest : undefined;
    return {
      kind: "inspected",
      recordingId,
      evidence: {
        ...evidence,
        file,
        kept,
        ...cutsOf(segments),
        ...(alone === undefined ? {} : { sha256: alone.sha256 }),
        ...(substituted ? { plainName: true } : {}),
      },
    };
  }

  async function withoutHollow(segment: FoundSegment, signal: AbortSignal): Promise<FoundSegment> {
    const { file, inspection } = segment;
    return { ...segment, inspection: await withoutHollowParts(inspection, { file, decodesExcerpt }, signal) };
  }

  async function publish(recording: Recording, signal: AbortSignal): Promise<Occurrence> {
    await presence.check();
    const { id: recordingId, evidence, attempts } = recording;
    const {
      file: wanted,
      kept = [],
      keptBytes = {},
      keptFrom = {},
      foreign = [],
      sha256,
      bytes = 0,
    } = evidence ?? {};
    const segmentOf = (number: number) => shelf.segmentFile(attemptId(recordingId, number));
    const isProven = await areAsRead(recordingId, kept);
    if (!isProven && (await allExist(kept.map(segmentOf)))) return await inspect(recording, signal);
    const cuts = new Map(
      Object.entries(keptBytes).map(([number, kept]) => [
        segmentOf(Number(number)),
        { from: keptFrom[Number(number)] ?? 0, bytes: kept },
      ]),
    );
    const beginnings = new Map(
      attempts.flatMap(({ number, flowingAt }) =>
        flowingAt === undefined ? [] : [[segmentOf(number), flowingAt]],
      ),
    );
    // After a crash the document names the same segments, whatever is left of them.
    const order = {
      recordingId,
      segments: kept.map(segmentOf),
      cuts,
      beginnings,
      ...(wanted === undefined ? {} : { file: wanted }),
      ...(sha256 === undefined || !isProven ? {} : { digest: { bytes, sha256 } }),
      isUnchanged: () => areAsRead(recordingId, kept),
    };
    const published = await shelf.publish(order, signal);
    if (published === undefined && wanted !== undefined) await presence.check();
    const stays = [...kept, ...foreign];
    const others = attempts.map(({ number }) => number).filter((number) => !stays.includes(number));
    await shelf.publish({ recordingId, segments: others.map(segmentOf) }, signal);
    for (const { number } of attempts) reader.forget(attemptId(recordingId, number));
    if (published === undefined) await annotations.forget(recordingId);
    return { kind: "published", recordingId, ...published };
  }

  async function areAsRead(recordingId: RecordingId, kept: readonly number[]): Promise<boolean> {
    for (const number of kept) {
      if (!(await reader.isUnchanged(attemptId(recordingId, number)))) return false;
    }
    return true;
  }

  const underWay = new Set<Promise<unknown>>();

  function tracked(step: Promise<Occurrence>): Promise<Occurrence> {
    const over = step.then(noted, noted);
    function noted(): void {
      underWay.delete(over);
    }
    underWay.add(over);
    return step;
  }

  return {
    trust: (attemptId) => reader.trust(attemptId),
    inspect: (recording, signal) => tracked(inspect(recording, signal)),
    publish: (recording, signal) => tracked(publish(recording, signal)),
    annotate: (recording) => tracked(annotations.annotate(recording)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(underWay);
    },
  };
}

/** After a crash some segments may be part of the result already. */
async function allExist(files: readonly string[]): Promise<boolean> {
  const states = await Promise.all(files.map(segmentState));
  return files.length > 0 && states.every((state) => state !== undefined);
}

/**
 * Whether payload under the same service_id belongs to another programme. A source that sent the right one first is
 * kept.
 */
function isOfAnotherService({
  attempt,
  inspection,
  recording: { service },
}: {
  readonly attempt: Attempt;
  readonly inspection: Inspection;
  readonly recording: Recording;
}): boolean {
  if (attempt.cause !== "STREAM_WRONG_SERVICE" || service === undefined) return false;
  return !inspection.multiplexes.includes(multiplexKey(service));
}

/** Scrambled payload counts too: it may be readable later. */
function isWorthKeeping({ payloadPackets, undecidedPackets, scrambledPackets }: Inspection): boolean {
  return payloadPackets > 0 || undecidedPackets > 0 || scrambledPackets > 0;
}

function timeOf({ modifiedNs }: FileState): EpochMs {
  return Number(modifiedNs) / 1e6;
}
