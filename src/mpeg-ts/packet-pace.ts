/**
 * Bounds how often something may happen in a stream. It counts in packets: a stream gives the same whatever the portions and the speed
 * in which it is read.
 */
export class PacketPace {
  readonly #most: number;
  readonly #packetsEach: number;
  #left: number;
  #atPackets = 0;

  /** @param most at once; one more may happen after every `packetsEach` packets */
  constructor({ most, packetsEach }: { readonly most: number; readonly packetsEach: number }) {
    this.#most = most;
    this.#packetsEach = packetsEach;
    this.#left = most;
  }

  /** Whether it may happen once now. @param packets of the stream so far */
  isOpen(packets: number): boolean {
    const more = Math.floor((packets - this.#atPackets) / this.#packetsEach);
    this.#atPackets += more * this.#packetsEach;
    this.#left = Math.min(this.#most, this.#left + more);
    return this.#left > 0;
  }

  /** It happened. */
  spend(): void {
    this.#left -= 1;
  }
}
