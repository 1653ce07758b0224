import { stat } from "node:fs/promises";
import type { NameFacts } from "../capture/name-template.ts";
import type { Presence } from "../capture/presence.ts";
import type { Shelf } from "../capture/shelf.ts";
import { type SidecarFacts, sidecarJson, sidecarNfo, writtenIntegrity } from "../capture/sidecar.ts";
import { evidenceOf } from "../inspect/evidence.ts";
import { integrityOf } from "../inspect/integrity.ts";
import type { SharedInspections } from "../inspect/shared.ts";
import { systemCode } from "../kit/system-code.ts";
import { RecorderdError } from "../model/errors.ts";
import type { Inspection } from "../model/inspection.ts";
import type { Integrity } from "../model/integrity.ts";
import type { NetworkSettings } from "../model/network.ts";
import {
  type Attempt,
  attemptId,
  eventToRecord,
  expectedSpan,
  type Recording,
  type RecordingId,
} from "../model/recording.ts";
import { multiplexKey } from "../model/service.ts";
import type { DurationMs, EpochMs } from "../model/time.ts";
import type { Occurrence } from "./occurrence.ts";
import { cutsOf, type FoundSegment, withoutHeads, withoutOverlaps } from "./segment-cuts.ts";

/** The steps that close a recording. Each may be repeated after a crash at any point. */
export interface Closing {
  /**
   * An earlier life has written a part of this attempt's segment, or has had it written: whether the disk refused some of that, only
   * that life was told. What is read of it from now on is what the disk has.
   */
  distrust(attemptId: string): Promise<void>;
  /** Reads every segment to its end and finds the result a name. */
  inspect(recording: Recording, signal: AbortSignal): Promise<Occurrence>;
  /** Makes one file of the segments and gives it its name. */
  publish(recording: Recording, signal: AbortSignal): Promise<Occurrence>;
  /** Writes what lies beside the file of a recording that is done. */
  annotate(recording: Recording, signal: AbortSignal): Promise<Occurrence>;
}

export interface ClosingParts {
  readonly shelf: Shelf;
  readonly inspections: SharedInspections;
  /** Looked at before anything is concluded from a file that is missing. */
  readonly presence: Pick<Presence, "check">;
  readonly sidecars: SidecarPolicy;
  /** As the inspections know them. */
  readonly networks?: NetworkSettings;
}

export interface SidecarPolicy extends Pick<SidecarFacts, "timeZone" | "writtenBy"> {
  readonly json: boolean;
  readonly nfo: boolean;
}

/**
 * All steps throw RecorderdError FILE_UNREADABLE, STORAGE_OFFLINE, DISK_FULL or WRITE_FAILED; nothing is lost then. Disposing waits for
 * those under way: the folders may belong to another daemon from then on.
 */
export function createClosing({
  shelf,
  inspections,
  presence,
  sidecars,
  networks,
}: ClosingParts): Closing & AsyncDisposable {
  /** What was found in segments that are part of a file by now, until it is written down beside it. */
  const found = new Map<RecordingId, Integrity>();
  /** One at a time: two of one recording would write the same files. */
  let annotating: Promise<unknown> = Promise.resolve();

  async function look(recording: Recording, signal: AbortSignal): Promise<readonly FoundSegment[]> {
    const segments: FoundSegment[] = [];
    for (const attempt of recording.attempts) {
      const { number } = attempt;
      const file = shelf.segmentFile(attemptId(recording.id, number));
      if (((await statOf(file))?.size ?? 0) === 0) continue;
      await secure(file, attempt);
      await using known = inspections.open(file, recording.service);
      const inspection = await known.advance(signal);
      // After the reading: what a slow disk has let through until then was written no later than this.
      const mtimeMs = (await statOf(file))?.mtimeMs;
      if (mtimeMs === undefined) continue;
      const digest = known.digest(inspection.tailBytes);
      if (!isWorthKeeping(inspection) || isOfAnotherService({ attempt, inspection, recording })) continue;
      segments.push({
        attempt,
        file,
        number,
        inspection,
        writtenAt: lastWrite(attempt, { mtimeMs, streamMs: inspection.streamMs }),
        from: 0,
        bytes: digest.bytes,
        fileBytes: inspection.bytes,
        digest,
      });
    }
    return segments;
  }

  /**
   * What is evidence is to be there after a loss of power too, which the document outlasts. What this life has not followed is taken for
   * refused: an earlier one may have been told so, and ended before it could act on it.
   */
  async function secure(file: string, { cause }: Attempt): Promise<void> {
    try {
      await shelf.secure(file);
      if (inspections.knows(file) && !DISK_UNSURE.includes(cause)) return;
    } catch (error) {
      if (!isOffline(error)) await readAnew(file);
      throw error;
    }
    await readAnew(file);
  }

  /** The system holds what it could not write, and says from the second time on that it has written it. */
  async function readAnew(file: string): Promise<void> {
    await inspections.forget(file);
    await shelf.forgetCached(file);
  }

  async function keep(recordingId: RecordingId, integrity: Integrity): Promise<void> {
    if (!sidecars.json) return;
    found.set(recordingId, integrity);
    try {
      await shelf.keepNote(recordingId, JSON.stringify(integrity));
    } catch (error) {
      // Without it a crash would cost the details of the report; a full disk must not cost the recording.
      if (!(error instanceof RecorderdError)) throw error;
    }
  }

  async function inspect(recording: Recording, signal: AbortSignal): Promise<Occurrence> {
    await presence.check();
    const { id: recordingId } = recording;
    const window = expectedSpan(recording);
    const all = await look(recording, signal);
    // A disk that went away meanwhile has none of them, and must not be taken for one that never had.
    if (all.length < recording.attempts.length) await presence.check();
    const rest = await withoutOverlaps(all, { service: recording.service, networks }, signal);
    const segments = withoutHeads(rest);
    const evidence = evidenceOf({ segments, event: eventToRecord(recording), window });
    if (segments.length === 0) return { kind: "inspected", recordingId, evidence };
    const { file, substituted } = await shelf.reserve(nameFactsOf(recording));
    await keep(recordingId, integrityOf(segments, window));
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

  async function publish(recording: Recording, signal: AbortSignal): Promise<Occurrence> {
    await presence.check();
    const { id: recordingId, evidence, attempts } = recording;
    const { file: wanted, kept = [], keptBytes = {}, keptFrom = {}, sha256, bytes = 0 } = evidence ?? {};
    const segmentOf = (number: number) => shelf.segmentFile(attemptId(recordingId, number));
    const cuts = new Map(
      Object.entries(keptBytes).map(([number, kept]) => [
        segmentOf(Number(number)),
        { from: keptFrom[Number(number)] ?? 0, bytes: kept },
      ]),
    );
    // The same ones again after a crash, whatever of them is left: the document says which.
    const order = {
      recordingId,
      segments: kept.map(segmentOf),
      cuts,
      ...(wanted === undefined ? {} : { file: wanted }),
      ...(sha256 === undefined ? {} : { digest: { bytes, sha256 } }),
    };
    const published = await shelf.publish(order, signal);
    if (published === undefined && wanted !== undefined) await presence.check();
    const others = attempts.map(({ number }) => number).filter((number) => !kept.includes(number));
    await shelf.publish({ recordingId, segments: others.map(segmentOf) }, signal);
    for (const { number } of attempts) await inspections.forget(segmentOf(number));
    if (published === undefined) await forget(recordingId);
    return { kind: "published", recordingId, ...published };
  }

  async function annotate(recording: Recording): Promise<Occurrence> {
    const { id: recordingId, evidence } = recording;
    const file = evidence?.file;
    // Without the file there is nothing to say; the folder's absence is another matter, and is thrown.
    if (evidence !== undefined && file !== undefined && (await shelf.holds(file))) {
      const integrity = await integrityFor(recordingId, file);
      const { timeZone, writtenBy } = sidecars;
      const facts = { recording, evidence, timeZone, writtenBy, ...(integrity && { integrity }) };
      if (sidecars.json) await shelf.writeBeside(file, ".json", sidecarJson(facts));
      if (sidecars.nfo) await shelf.writeBeside(file, ".nfo", sidecarNfo(facts));
    }
    await forget(recordingId);
    return { kind: "annotated", recordingId };
  }

  async function integrityFor(id: RecordingId, file: string): Promise<SidecarFacts["integrity"]> {
    if (!sidecars.json) return undefined;
    const known = found.get(id);
    if (known !== undefined) return { found: known };
    const note = await shelf.readNote(id);
    // Written by this program, as a whole or not at all.
    if (note !== undefined) return { found: JSON.parse(note) as Integrity };
    const before = await shelf.readBeside(file, ".json");
    return before === undefined ? undefined : { written: writtenIntegrity(before) };
  }

  async function forget(id: RecordingId): Promise<void> {
    await shelf.release(id);
    found.delete(id);
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
    distrust: (attemptId) => inspections.forget(shelf.segmentFile(attemptId)),
    inspect: (recording, signal) => tracked(inspect(recording, signal)),
    publish: (recording, signal) => tracked(publish(recording, signal)),
    annotate: (recording) => {
      const done = annotating.then(() => annotate(recording));
      annotating = done.catch(() => {});
      return tracked(done);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(underWay);
    },
  };
}

function nameFactsOf({
  id,
  timerId,
  name,
  channelName,
  event,
  showId,
  programme = {},
}: Recording): NameFacts {
  const { subtitle, season, episode, seriesId } = programme;
  return {
    title: name,
    channel: channelName,
    start: event.start,
    recordingId: id,
    timerId,
    ...(showId === undefined ? {} : { showId }),
    ...(subtitle === undefined ? {} : { subtitle }),
    ...(season === undefined ? {} : { season }),
    ...(episode === undefined ? {} : { episode }),
    ...(seriesId === undefined ? {} : { seriesId }),
  };
}

/**
 * Payload all the same, and found by the same service_id perhaps, but of a programme that nobody ordered. A source that sent
 * the right one first is kept.
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

/** Of what ended so, the last that was written may not be there any more, while the file is still as young as that. */
const END_UNSURE: readonly Attempt["cause"][] = ["WRITE_FAILED", "STORAGE_OFFLINE", "CAPTURE_DIED"];

function isOffline(error: unknown): boolean {
  return error instanceof RecorderdError && error.code === "STORAGE_OFFLINE";
}

/** Of what ended so, the disk may lack what the system's memory still holds. */
const DISK_UNSURE: readonly Attempt["cause"][] = [...END_UNSURE, "DISK_FULL"];

/** When the last byte that is left of a segment was written; what flowed first was there when it was seen to. */
function lastWrite(
  { cause, flowingAt = Infinity, steppedMs = 0 }: Attempt,
  { mtimeMs, streamMs }: { readonly mtimeMs: EpochMs; readonly streamMs: DurationMs },
): EpochMs {
  const writtenAt = mtimeMs + steppedMs;
  return END_UNSURE.includes(cause) ? Math.min(writtenAt, flowingAt + streamMs) : writtenAt;
}

/** Scrambled payload is payload too: who can read it later shall find it. */
function isWorthKeeping({ payloadPackets, undecidedPackets, scrambledPackets }: Inspection): boolean {
  return payloadPackets > 0 || undecidedPackets > 0 || scrambledPackets > 0;
}

async function statOf(
  file: string,
): Promise<{ readonly size: number; readonly mtimeMs: number } | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    const system = systemCode(error);
    // An attempt that never got so far has none.
    if (system === "ENOENT") return undefined;
    throw new RecorderdError(
      "STORAGE_OFFLINE",
      `${file} cannot be reached (${system}).`,
      { file, system },
      { cause: error },
    );
  }
}
