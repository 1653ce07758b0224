import type { Clock } from "../../../kit/time/clock.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { RecordingId } from "../../../model/recording.ts";

/** The last read of each finished recording: retention spares a recording that someone watches. */
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
    return this.#clock.monotonicMs() - (this.#readMs.get(id) ?? Number.NEGATIVE_INFINITY) < LIMITS.playedMs;
  }
}
