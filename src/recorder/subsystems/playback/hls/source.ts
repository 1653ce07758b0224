import type { RecorderdError } from "../../../../model/errors.ts";
import type { DurationMs, EpochMs } from "../../../../model/time.ts";
import type { Segment } from "./segments.ts";

/** A stream that is played by HLS: a recording, finished or growing, or a live service. */
export interface HlsSource {
  /**
   * Its parts so far. Waits for the first one of a source that has just begun.
   *
   * @param purpose `segment`: for a segment that a playlist named. A tuner is opened for a playlist only
   * @throws RecorderdError INDEX_UNUSABLE, RECORDING_UNKNOWN and others
   */
  parts(purpose?: "segment"): Promise<HlsParts>;
  /** Resolves when there are more segments, when no more follow, or after this time. Absent: nobody waits for them. */
  readonly grown?: (ms: DurationMs) => Promise<void>;
  /** Bytes of the source, in file order; the range includes `last`. The reader may change them. */
  read(range: { readonly first: number; readonly last: number }): AsyncIterable<Buffer>;
}

export interface HlsParts {
  /** In order. The numbers go on from one to the next; those of a live service do not begin at 0 when old parts are gone. */
  readonly segments: readonly Segment[];
  /** PAT and PMT as whole transport packets; `Segment.tables` is a position in it. */
  readonly tables: readonly Uint8Array[];
  /** More segments may follow. */
  readonly isGrowing: boolean;
  /** The time of day at `startMs` 0; absent if unknown. */
  readonly startedAt?: EpochMs | undefined;
  /** Present for a live service: its old segments leave at the front. */
  readonly live?: LiveFacts | undefined;
}

export interface LiveFacts {
  /** Removed segments before which data was missing (RFC 8216 §4.3.3.3). */
  readonly removedBreaks: number;
  /** Why no more segments follow. */
  readonly endedBy?: RecorderdError | undefined;
}
