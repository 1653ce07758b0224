import { u8, u16 } from "../bytes.ts";

/** No header below is longer up to its length. */
export const FRAME_HEADER_BYTES = 6;

/** The length of the frame that begins with a header, in bytes; 0 if it is no header. */
export type FrameLength = (header: Uint8Array) => number;

/** kbit/s by bitrate_index, ISO/IEC 11172-3 §2.4.2.3 and ISO/IEC 13818-3 §2.4.2.3. */
const MPEG_1_RATES = [
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
];
const LOW_RATES = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const MPEG_2_RATES = [
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  LOW_RATES,
  LOW_RATES,
];
const MPEG_SAMPLES_PER_SECOND = [44_100, 48_000, 32_000];

function mpegAudioBytes(header: Uint8Array): number {
  if (u16(header, 0) < 0xfff0) return 0;
  const isMpeg1 = (u8(header, 1) & 0x08) !== 0;
  const layer = 4 - ((u8(header, 1) >> 1) & 0x03);
  const control = u8(header, 2);
  const rate = (isMpeg1 ? MPEG_1_RATES : MPEG_2_RATES)[layer - 1]?.[control >> 4] ?? 0;
  const samples = MPEG_SAMPLES_PER_SECOND[(control >> 2) & 0x03];
  if (samples === undefined) return 0;
  const bytesPerSecond = rate * 125;
  const samplesPerSecond = isMpeg1 ? samples : samples / 2;
  const padding = (control >> 1) & 0x01;
  if (layer === 1) return 4 * (Math.floor((96 * bytesPerSecond) / samplesPerSecond) + padding);
  const samplesPerFrame = layer === 3 && !isMpeg1 ? 576 : 1152;
  return rate === 0 ? 0 : Math.floor((samplesPerFrame * bytesPerSecond) / samplesPerSecond) + padding;
}

/** kbit/s by frmsizecod / 2, ETSI TS 102 366 §4.4.1.4. */
const AC3_RATES = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
const AC3_SAMPLES_PER_SECOND = [48_000, 44_100, 32_000];
const AC3_SAMPLES_PER_FRAME = 1536;

/** AC-3, and E-AC-3 from bsid 11 on (ETSI TS 102 366 annex E). */
function ac3Bytes(header: Uint8Array): number {
  if (u16(header, 0) !== 0x0b77) return 0;
  if (u8(header, 5) >> 3 > 10) return 2 * ((u16(header, 2) & 0x07ff) + 1);
  const code = u8(header, 4) & 0x3f;
  const samplesPerSecond = AC3_SAMPLES_PER_SECOND[u8(header, 4) >> 6];
  const rate = AC3_RATES[code >> 1];
  if (samplesPerSecond === undefined || rate === undefined) return 0;
  const words = Math.floor((rate * 62.5 * AC3_SAMPLES_PER_FRAME) / samplesPerSecond);
  return 2 * (words + (samplesPerSecond === 44_100 ? code & 1 : 0));
}

/** ADTS (ISO/IEC 13818-7 §6.2), or LATM in LOAS (ISO/IEC 14496-3 §1.7.2). */
function aacBytes(header: Uint8Array): number {
  const sync = u16(header, 0);
  if ((sync & 0xfff6) === 0xfff0) return ((u8(header, 3) & 0x03) << 11) | (u16(header, 4) >> 5);
  return (sync & 0xffe0) === 0x56e0 ? 3 + (u16(header, 1) & 0x1fff) : 0;
}

/** By codec; of others, the frames are unknown here. */
export const FRAME_LENGTHS: Readonly<Record<string, FrameLength>> = {
  "MPEG-1 audio": mpegAudioBytes,
  "MPEG-2 audio": mpegAudioBytes,
  "AC-3": ac3Bytes,
  "E-AC-3": ac3Bytes,
  AAC: aacBytes,
  "AAC LATM": aacBytes,
};
