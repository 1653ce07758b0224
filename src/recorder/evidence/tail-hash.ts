import { createHash } from "node:crypto";
import { PACKET_BYTES } from "../../mpeg-ts/packets.ts";

/** Largest size of an incomplete packet. */
const TAIL_BYTES = PACKET_BYTES - 1;

/** SHA-256 of data whose end, an incomplete packet, may have to be excluded later. */
export class TailHash {
  readonly #hash = createHash("sha256");
  /** The last bytes, not hashed yet. */
  #tail: Uint8Array = new Uint8Array(0);

  update(bytes: Uint8Array): void {
    if (bytes.length >= TAIL_BYTES) {
      this.#hash.update(this.#tail);
      this.#hash.update(bytes.subarray(0, bytes.length - TAIL_BYTES));
      // A copy: the caller reuses its buffer.
      this.#tail = Uint8Array.from(bytes.subarray(bytes.length - TAIL_BYTES));
      return;
    }
    const all = Buffer.concat([this.#tail, bytes]);
    const from = Math.max(0, all.length - TAIL_BYTES);
    this.#hash.update(all.subarray(0, from));
    this.#tail = all.subarray(from);
  }

  /**
   * Hexadecimal.
   *
   * @param without number of last bytes to exclude, at most 187
   */
  digest(without: number): string {
    const counted = this.#tail.subarray(0, Math.max(0, this.#tail.length - without));
    return this.#hash.copy().update(counted).digest("hex");
  }
}
