import type { Clock } from "../../kit/time/clock.ts";
import { type AttemptNote, type AttemptNotes, attemptId } from "../../model/attempt.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Inspection } from "../../model/inspection.ts";
import { expectedSpan, type Recording } from "../../model/recording.ts";
import type { EpochMs } from "../../model/time.ts";
import { lengthMs, type Window } from "../../model/window.ts";
import type { InspectedSegment } from "../../mpeg-ts/streams/time-line.ts";
import type { Closing } from "../../recorder/engine/runtime/closing-acts.ts";
import { evidenceOf } from "../../recorder/evidence/evidence.ts";
import type { Captures } from "./captures.ts";
import type { ChanceNow } from "./chance.ts";
import type { Machine } from "./machine.ts";

interface SimulatedFilesParts {
  readonly captures: Pick<Captures, "all" | "span" | "storageOffline">;
  readonly clock: Clock;
  readonly machine: Pick<Machine, "shownAt">;
  readonly chance: ChanceNow;
}

/** Closes recordings from the captured spans, with the daemon's own evidence code. */
export class SimulatedFiles implements Closing {
  /** Finished files and their spans. */
  readonly files = new Map<string, readonly Window[]>();
  /** Segments merged into a file, or removed. */
  readonly #taken = new Set<string>();
  readonly #notes = new Map<string, AttemptNote>();
  readonly #parts: SimulatedFilesParts;

  constructor(parts: SimulatedFilesParts) {
    this.#parts = parts;
  }

  /** Spans of the recording in no finished file and no segment any more: lost payload. */
  lost(recordingId: string): readonly Window[] {
    const published = this.files.get(fileOf(recordingId)) ?? [];
    return [...this.#parts.captures.all.values()].flatMap((capture) => {
      if (capture.recordingId !== recordingId || !this.#taken.has(capture.id)) return [];
      const span = this.#parts.captures.span(capture);
      return span === undefined || published.some(({ start }) => start === span.start) ? [] : [span];
    });
  }

  /** Notes beside the segments. */
  get notes(): AttemptNotes {
    return {
      keep: async (id, note) => void this.#notes.set(id, note),
      all: async () => this.#notes,
    };
  }

  trust(): void {
    // The simulated disk never fails to sync.
  }

  async inspect(recording: Recording, signal: AbortSignal): ReturnType<Closing["inspect"]> {
    const { id: recordingId, event } = recording;
    await this.#work(recordingId, signal);
    const found = this.#segments(recording);
    const evidence = evidenceOf({
      segments: found.map(({ segment }) => segment),
      event,
      window: expectedSpan(recording),
    });
    if (found.length === 0) return { kind: "inspected", recordingId, evidence };
    const kept = found.map(({ number }) => number);
    return { kind: "inspected", recordingId, evidence: { ...evidence, file: fileOf(recordingId), kept } };
  }

  async publish(recording: Recording, signal: AbortSignal): ReturnType<Closing["publish"]> {
    const { id: recordingId, evidence, attempts } = recording;
    await this.#work(recordingId, signal);
    const { file, kept = [] } = evidence ?? {};
    const spans = this.#segments(recording).flatMap(({ number, span }) =>
      kept.includes(number) ? [span] : [],
    );
    // Finished before a crash: the file exists, the segments are gone.
    if (file !== undefined && spans.length > 0) this.files.set(file, spans);
    for (const { number } of attempts) {
      this.#taken.add(attemptId(recordingId, number));
      this.#notes.delete(attemptId(recordingId, number));
    }
    const published = file !== undefined && this.files.has(file) ? { file } : {};
    return { kind: "published", recordingId, ...published };
  }

  async annotate(recording: Recording, signal: AbortSignal): ReturnType<Closing["annotate"]> {
    await this.#work(recording.id, signal);
    return { kind: "annotated", recording };
  }

  #segments({ id, attempts }: Recording): readonly Found[] {
    const { captures, machine } = this.#parts;
    return attempts.flatMap(({ number, steppedMs = 0 }): readonly Found[] => {
      const capture = captures.all.get(attemptId(id, number));
      const span = capture === undefined ? undefined : captures.span(capture);
      const isHere = span !== undefined && !this.#taken.has(attemptId(id, number));
      return isHere
        ? [{ number, span, segment: segmentOf(span, machine.shownAt(span.stop) + steppedMs) }]
        : [];
    });
  }

  /** Reading and writing take time, and fail while the disk is offline. */
  async #work(recordingId: string, signal: AbortSignal): Promise<void> {
    const { captures, clock, chance } = this.#parts;
    await clock.sleep(chance(`file ${recordingId}`).int(50, 4000), signal);
    if (captures.storageOffline) throw new RecorderdError("STORAGE_OFFLINE", "The disk is not there.");
  }
}

interface Found {
  readonly number: number;
  readonly span: Window;
  readonly segment: InspectedSegment;
}

/** File size: a megabyte per second. */
const BYTES_PER_MS = 1000;

function fileOf(recordingId: string): string {
  return `/recordings/${recordingId}.ts`;
}

/** The inspection result of a segment with clear payload from end to end. */
function segmentOf(span: Window, writtenAt: EpochMs): InspectedSegment {
  const streamMs = lengthMs(span);
  const bytes = streamMs * BYTES_PER_MS;
  const inspection: Inspection = {
    bytes,
    packets: Math.floor(bytes / 188),
    nullPackets: 0,
    headBytes: 0,
    damagedPackets: 0,
    junkBytes: 0,
    tailBytes: 0,
    continuityErrors: 0,
    transportErrors: 0,
    scrambledPackets: 0,
    pids: [],
    multiplexes: [],
    services: [],
    channelNumbers: [],
    payloadPackets: Math.floor(bytes / 188),
    undecidedPackets: 0,
    clock: "pcr",
    spans: [{ start: 0, stop: streamMs }],
    flawed: [],
    lacks: [],
    tracks: [],
    streamMs,
    clockBreaks: [],
    rate: { spanMs: streamMs, bytes: [bytes] },
    events: [],
  };
  return { inspection, writtenAt, bytes };
}
