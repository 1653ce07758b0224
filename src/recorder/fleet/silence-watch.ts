import type { DurationMs } from "../../model/time.ts";
import { NODE_LIMITS } from "./limits.ts";

/**
 * Tells when another node has been silent for too long, by this node's monotonic clock. A pause of this node proves nothing:
 * messages may wait to be read.
 */
export class SilenceWatch {
  #heardMs: DurationMs = Number.NEGATIVE_INFINITY;
  #lookedMs: DurationMs = Number.NEGATIVE_INFINITY;

  heard(nowMs: DurationMs): void {
    this.#heardMs = nowMs;
  }

  isTooLong(nowMs: DurationMs): boolean {
    if (nowMs - this.#lookedMs > NODE_LIMITS.lookGapMs) this.#heardMs = Math.max(this.#heardMs, nowMs);
    this.#lookedMs = nowMs;
    return nowMs - this.#heardMs >= NODE_LIMITS.silentMs;
  }
}
