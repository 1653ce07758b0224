import type { Clock } from "../../../kit/time/clock.ts";
import type { RecordingId } from "../../../model/recording.ts";
import { PLAYBACK_LIMITS } from "./limits.ts";

/** The last read of each finished recording: a repeat does not replace a recording that somebody watches. */
export class ReadTimes {
  /** By the monotonic clock. */
  readonly #readMs = new Map<RecordingId, number>();
  readonly #clock: Pick<Clock, "monotonicMs">;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  note(id: RecordingId): void {
    this.#readMs.set(id, this.#clock.monotonicMs());
  }

  isRecent(id: RecordingId): boolean {
    return (
      this.#clock.monotonicMs() - (this.#readMs.get(id) ?? Number.NEGATIVE_INFINITY) <
      PLAYBACK_LIMITS.playedMs
    );
  }
}
