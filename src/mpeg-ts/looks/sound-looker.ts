import { PACKET_BYTES, payloadAt } from "../packets.ts";
import { pesPayloadAt } from "../streams/pes.ts";
import { FRAME_HEADER_BYTES, type FrameLength } from "./sound-frames.ts";
import type { Looker } from "./unit-look.ts";

/** Units and frames begin at different places: what was seen before counts half as much with each unit. */
const FADING = 1 / 2;
/** Less of the bytes in frames is no sound. */
const SOUND_FROM = 1 / 2;

/**
 * Follows the frames of a sound stream from header to header. A frame counts if another begins where it ends: headers alone are
 * short, and many bytes look like one.
 */
export class SoundLooker implements Looker {
  readonly isOpen = true;
  readonly countsPackets = false;
  readonly #lengthOf: FrameLength;
  readonly #header = new Uint8Array(FRAME_HEADER_BYTES);
  #headerBytes = 0;
  /** Bytes of the frame that are still to come. */
  #left = 0;
  /** Length of the frame that the next header confirms. */
  #frame = 0;
  #bytes = 0;
  #framed = 0;

  constructor(lengthOf: FrameLength) {
    this.#lengthOf = lengthOf;
  }

  begin(bytes: Uint8Array, at: number): void {
    this.#take(bytes, pesPayloadAt(bytes, at), at + PACKET_BYTES);
  }

  goOn(bytes: Uint8Array, at: number): void {
    this.#take(bytes, payloadAt(bytes, at), at + PACKET_BYTES);
  }

  lost(): void {
    this.#frame = 0;
    this.#left = 0;
    this.#headerBytes = 0;
  }

  end(): boolean {
    const isHollow = this.#framed < SOUND_FROM * this.#bytes;
    this.#bytes *= FADING;
    this.#framed *= FADING;
    return isHollow;
  }

  #take(bytes: Uint8Array, from: number, end: number): void {
    this.#bytes += end - from;
    for (let at = from; at < end; ) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, end - at);
        this.#left -= skipped;
        at += skipped;
      } else {
        this.#header[this.#headerBytes] = bytes[at] ?? 0;
        this.#headerBytes += 1;
        at += 1;
        if (this.#headerBytes === FRAME_HEADER_BYTES) this.#readHeader();
      }
    }
  }

  #readHeader(): void {
    const length = this.#lengthOf(this.#header);
    if (length > FRAME_HEADER_BYTES) {
      this.#framed += this.#frame;
      this.#frame = length;
      this.#left = length - FRAME_HEADER_BYTES;
      this.#headerBytes = 0;
    } else {
      this.#frame = 0;
      this.#header.copyWithin(0, 1);
      this.#headerBytes -= 1;
    }
  }
}
