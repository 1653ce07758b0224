/**
 * Limits how often something may happen in a stream. It counts packets, so the result does not depend on chunk sizes and
 * reading speed.
 */
export class PacketPace {
  readonly #most: number;
  readonly #packetsEach: number;
  #left: number;
  #atPackets = 0;

  /** @param most events at once; one more is allowed after every `packetsEach` packets */
  constructor({ most, packetsEach }: { readonly most: number; readonly packetsEach: number }) {
    this.#most = most;
    this.#packetsEach = packetsEach;
    this.#left = most;
  }

  /** Whether one event is allowed now. @param packets of the stream so far */
  isOpen(packets: number): boolean {
    const more = Math.floor((packets - this.#atPackets) / this.#packetsEach);
    this.#atPackets += more * this.#packetsEach;
    this.#left = Math.min(this.#most, this.#left + more);
    return this.#left > 0;
  }

  /** Counts one event. */
  spend(): void {
    this.#left -= 1;
  }
}
