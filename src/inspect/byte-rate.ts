import type { ByteRate } from "../model/inspection.ts";
import { LIMITS } from "../model/limits.ts";
import { type DurationMs, SECOND } from "../model/time.ts";

/**
 * Bytes over stream time, in a bounded number of spans: seconds at first, and twice as long each time that they would become
 * too many.
 */
export class ByteRateCounter {
  #bytes: Float64Array = new Float64Array(FIRST_SPANS);
  #spanMs = SECOND;
  #spans = 0;

  add(atMs: DurationMs, bytes: number): void {
    while (atMs >= LIMITS.inspectedRateSpans * this.#spanMs) this.#halve();
    const at = Math.floor(atMs / this.#spanMs);
    if (at >= this.#bytes.length) this.#grow(at);
    this.#bytes[at] = (this.#bytes[at] ?? 0) + bytes;
    this.#spans = Math.max(this.#spans, at + 1);
  }

  get rate(): ByteRate {
    return { spanMs: this.#spanMs, bytes: [...this.#bytes.subarray(0, this.#spans)] };
  }

  #grow(at: number): void {
    const more = new Float64Array(
      Math.min(LIMITS.inspectedRateSpans, Math.max(2 * this.#bytes.length, at + 1)),
    );
    more.set(this.#bytes);
    this.#bytes = more;
  }

  #halve(): void {
    const { bytes } = this.rate;
    this.#bytes.fill(0);
    for (const [at, amount] of bytes.entries()) {
      const half = Math.floor(at / 2);
      this.#bytes[half] = (this.#bytes[half] ?? 0) + amount;
    }
    this.#spanMs *= 2;
    this.#spans = Math.ceil(this.#spans / 2);
  }
}

const FIRST_SPANS = 16;
