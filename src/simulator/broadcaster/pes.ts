import type { Clip } from "./clip.ts";
import { isKeyPicture } from "./elementary.ts";
import { packetise } from "./packet.ts";

/** Offset of the PTS in the PES packets made here. */
export const PTS_OFFSET = 9;

const HEADER_BYTES = 14;
const PICTURE_STREAM = 0xe0;
const SOUND_STREAM = 0xc0;
const PICTURE_TICKS = 3600;
const SOUND_FRAME_TICKS = 1920;
const SOUND_FRAMES_PER_PES = 3;
const SOUND_PES_LENGTH_MAX = 0xffff;

/** A PES packet, cut into transport packets. */
export interface Unit {
  /** Position of its first picture or sample in the clip, in 90 kHz. */
  readonly ticks: number;
  readonly packets: readonly Buffer[];
}

/** One PES packet per picture. PES_packet_length stays 0, as video may. ISO/IEC 13818-1 §2.4.3.7. */
export function pictureUnits(clip: Clip): readonly Unit[] {
  return clip.pictures.map((picture, index) => ({
    ticks: index * PICTURE_TICKS,
    packets: packetise(pes(PICTURE_STREAM, { length: 0, payload: picture }), isKeyPicture(picture)),
  }));
}

/** Three AAC frames (64 ms) per PES packet. */
export function soundUnits(clip: Clip): readonly Unit[] {
  const groups = Array.from(
    { length: Math.ceil(clip.soundFrames.length / SOUND_FRAMES_PER_PES) },
    (_, index) => clip.soundFrames.slice(index * SOUND_FRAMES_PER_PES, (index + 1) * SOUND_FRAMES_PER_PES),
  );
  return groups.map((frames, index) => {
    const payload = Buffer.concat(frames);
    const length = Math.min(SOUND_PES_LENGTH_MAX, payload.length + HEADER_BYTES - 6);
    return {
      ticks: index * SOUND_FRAMES_PER_PES * SOUND_FRAME_TICKS,
      packets: packetise(pes(SOUND_STREAM, { length, payload }), true),
    };
  });
}

/** The PTS is written when the packet is sent. */
function pes(
  streamId: number,
  { length, payload }: { readonly length: number; readonly payload: Buffer },
): Buffer {
  // Data aligned to the begin of an access unit; PTS alone, in a header of 5 more bytes.
  const header = [0, 0, 1, streamId, length >> 8, length & 0xff, 0x84, 0x80, 0x05, 0x21, 0, 1, 0, 1];
  return Buffer.concat([Buffer.from(header), payload]);
}
