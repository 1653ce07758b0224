import type { Clock } from "../../../../kit/time/clock.ts";
import type { AccessIndex } from "../../../../model/access-index.ts";
import type { EpochMs } from "../../../../model/time.ts";
import type { Playable } from "../../../api/daemon-api.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import { type Segment, segmentsOf } from "./segments.ts";
import type { HlsParts, HlsSource } from "./source.ts";

interface RecordingSourceParts {
  readonly index: (recordingId: string) => Promise<AccessIndex>;
  readonly open: (recordingId: string) => Promise<Playable>;
  /** Its segments are still to come, or to be joined. */
  readonly isGrowing: (recordingId: string) => boolean;
  /** The time of day at the beginning of a recording's timeline, if it is known. */
  readonly startedAt: (recordingId: string) => EpochMs | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Recordings as sources of HLS: their parts follow their indexes. */
export function recordingSources(parts: RecordingSourceParts): (recordingId: string) => HlsSource {
  const { index, open, isGrowing, startedAt, clock, signal } = parts;
  /** Segments of the indexes that are still in memory. */
  const divided = new WeakMap<AccessIndex, readonly Segment[]>();

  async function partsNow(id: string): Promise<HlsParts> {
    const known = await index(id);
    const segments = divided.get(known) ?? segmentsOf(known);
    divided.set(known, segments);
    return { segments, tables: known.tables, isGrowing: known.isGrowing, startedAt: startedAt(id) };
  }

  return (id) => ({
    // Players take a playlist without a segment for broken.
    parts: async () => {
      const waitUntilMs = clock.monotonicMs() + PLAYBACK_LIMITS.firstSegmentWaitMs;
      for (;;) {
        const mayWait = isGrowing(id) && clock.monotonicMs() < waitUntilMs;
        try {
          const now = await partsNow(id);
          if (now.segments.length > 0 || !mayWait) return now;
        } catch (error) {
          if (!mayWait) throw error;
        }
        await clock.sleep(PLAYBACK_LIMITS.lookMs, signal);
      }
    },
    async *read(range) {
      yield* (await open(id)).read(range) as AsyncIterable<Buffer>;
    },
  });
}
