import type { ByteRate } from "../../model/inspection.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";

const FIRST_SPANS = 16;

/**
 * Bytes over stream time, in a limited number of spans: of a second at first, and twice as long whenever the limit is reached.
 */
export class ByteRateCounter {
  #bytes: Float64Array = new Float64Array(FIRST_SPANS);
  #spanMs = SECOND;
  /** Bytes are assigned up to here. */
  #untilMs = 0;

  get untilMs(): DurationMs {
    return this.#untilMs;
  }

  /** Spreads bytes evenly over the time since the last call, or since 0; `toMs` is later. */
  add(toMs: DurationMs, bytes: number): void {
    const from = this.#untilMs;
    this.#untilMs = toMs;
    while (toMs > MPEG_TS_LIMITS.rateSpans * this.#spanMs) this.#halve();
    const spanMs = this.#spanMs;
    this.#growTo(Math.ceil(toMs / spanMs));
    for (let span = Math.floor(from / spanMs); span * spanMs < toMs; span += 1) {
      const lengthMs = Math.min(toMs, (span + 1) * spanMs) - Math.max(from, span * spanMs);
      this.#bytes[span] = (this.#bytes[span] ?? 0) + (bytes * lengthMs) / (toMs - from);
    }
  }

  get rate(): ByteRate {
    const spans = Math.ceil(this.#untilMs / this.#spanMs);
    return { spanMs: this.#spanMs, bytes: [...this.#bytes.subarray(0, spans)].map(Math.round) };
  }

  #growTo(spans: number): void {
    if (spans <= this.#bytes.length) return;
    const more = new Float64Array(
      Math.min(MPEG_TS_LIMITS.rateSpans, Math.max(2 * this.#bytes.length, spans)),
    );
    more.set(this.#bytes);
    this.#bytes = more;
  }

  #halve(): void {
    const bytes = [...this.#bytes];
    this.#bytes.fill(0);
    for (const [at, amount] of bytes.entries()) {
      const half = Math.floor(at / 2);
      this.#bytes[half] = (this.#bytes[half] ?? 0) + amount;
    }
    this.#spanMs *= 2;
  }
}
