import { u8, u16 } from "../bytes.ts";
import { BitReader, withoutEmulation } from "./bit-reader.ts";

/** The format of a video stream, from its parameters. */
export interface PictureFormat {
  readonly width: number;
  readonly height: number;
  /** For CODECS of HLS (RFC 6381), such as `avc1.640028`; absent for MPEG-2, which has no such name in HLS. */
  readonly codecs?: string;
}

const MPEG_SEQUENCE = 0xb3;
const H264_PARAMETERS = 7;
const H265_PARAMETERS = 33;
/** Longer parameter sets have parts that are not needed here. */
const PARAMETER_BYTES_MAX = 512;

/** Reads the format from the beginning of a picture at an access point; `undefined` if its parameters are not there. */
export function pictureFormat(codec: string, picture: Uint8Array): PictureFormat | undefined {
  switch (codec) {
    case "MPEG-1 video":
    case "MPEG-2 video":
      return mpegFormat(unitOf(picture, (code) => code === MPEG_SEQUENCE));
    case "H.264":
      return h264Format(unitOf(picture, (code) => (code & 0x1f) === H264_PARAMETERS));
    case "H.265":
      return h265Format(unitOf(picture, (code) => ((code >> 1) & 0x3f) === H265_PARAMETERS));
    default:
      return undefined;
  }
}

/** The unit after the first such start code, from the byte after 00 00 01. */
function unitOf(bytes: Uint8Array, isWanted: (code: number) => boolean): Uint8Array | undefined {
  for (let at = 0; at + 3 < bytes.length; at += 1) {
    if (u16(bytes, at) !== 0 || u8(bytes, at + 2) !== 1 || !isWanted(u8(bytes, at + 3))) continue;
    return bytes.subarray(at + 3, at + 3 + PARAMETER_BYTES_MAX);
  }
  return undefined;
}

/** ISO/IEC 13818-2 §6.2.2.1. */
function mpegFormat(unit: Uint8Array | undefined): PictureFormat | undefined {
  if (unit === undefined || unit.length < 4) return undefined;
  return { width: (u8(unit, 1) << 4) | (u8(unit, 2) >> 4), height: u16(unit, 2) & 0x0fff };
}

/** profile_idc with chroma_format_idc and scaling lists. ITU-T H.264 §7.3.2.1.1. */
const H264_HIGH_PROFILES = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135];

function h264Format(unit: Uint8Array | undefined): PictureFormat | undefined {
  if (unit === undefined || unit.length < 5) return undefined;
  const bits = new BitReader(withoutEmulation(unit.subarray(4)));
  const profile = u8(unit, 1);
  bits.unsigned();
  const chroma = H264_HIGH_PROFILES.includes(profile) ? readChroma(bits) : 1;
  bits.unsigned();
  readOrder(bits);
  bits.unsigned();
  bits.bits(1);
  const width = (bits.unsigned() + 1) * 16;
  const mapUnits = bits.unsigned() + 1;
  const isFrames = bits.bits(1) === 1;
  if (!isFrames) bits.bits(1);
  bits.bits(1);
  const rows = isFrames ? 1 : 2;
  const crop = readCrop(bits, { x: chroma === 1 || chroma === 2 ? 2 : 1, y: (chroma === 1 ? 2 : 1) * rows });
  const codecs = `avc1.${Buffer.from(unit.subarray(1, 4)).toString("hex")}`;
  return { width: width - crop.x, height: mapUnits * 16 * rows - crop.y, codecs };
}

/** @returns chroma_format_idc */
function readChroma(bits: BitReader): number {
  const chroma = bits.unsigned();
  if (chroma === 3) bits.bits(1);
  bits.unsigned();
  bits.unsigned();
  bits.bits(1);
  if (bits.bits(1) === 0) return chroma;
  for (let list = 0; list < (chroma === 3 ? 12 : 8); list += 1) {
    if (bits.bits(1) === 1) skipScalingList(bits, list < 6 ? 16 : 64);
  }
  return chroma;
}

/** ITU-T H.264 §7.3.2.1.1.1. */
function skipScalingList(bits: BitReader, size: number): void {
  let [last, next] = [8, 8];
  for (let at = 0; at < size; at += 1) {
    if (next !== 0) next = (last + bits.signed() + 256) % 256;
    last = next === 0 ? last : next;
  }
}

/** pic_order_cnt_type and its fields. */
function readOrder(bits: BitReader): void {
  const type = bits.unsigned();
  if (type === 0) bits.unsigned();
  if (type !== 1) return;
  bits.bits(1);
  bits.signed();
  bits.signed();
  // The standard allows 255.
  const count = Math.min(255, bits.unsigned());
  for (let each = 0; each < count; each += 1) bits.signed();
}

function readCrop(bits: BitReader, unit: { readonly x: number; readonly y: number }) {
  if (bits.bits(1) === 0) return { x: 0, y: 0 };
  const [left, right, top, bottom] = [bits.unsigned(), bits.unsigned(), bits.unsigned(), bits.unsigned()];
  return { x: (left + right) * unit.x, y: (top + bottom) * unit.y };
}

/** profile_tier_level up to general_level_idc, and its 88 bits between. ITU-T H.265 §7.3.2.2 and §7.3.3. */
function h265Format(unit: Uint8Array | undefined): PictureFormat | undefined {
  if (unit === undefined || unit.length < 20) return undefined;
  const plain = withoutEmulation(unit.subarray(2));
  const bits = new BitReader(plain);
  bits.bits(4);
  const layers = bits.bits(3);
  bits.bits(1);
  const codecs = hevcName(plain.subarray(1, 13));
  bits.bits(96);
  const flags = Array.from({ length: layers }, () => bits.bits(2));
  if (layers > 0) bits.bits(2 * (8 - layers));
  for (const flag of flags) bits.bits(((flag & 2) === 0 ? 0 : 88) + ((flag & 1) === 0 ? 0 : 8));
  bits.unsigned();
  const chroma = bits.unsigned();
  if (chroma === 3) bits.bits(1);
  const [width, height] = [bits.unsigned(), bits.unsigned()];
  const crop = readCrop(bits, { x: chroma === 1 || chroma === 2 ? 2 : 1, y: chroma === 1 ? 2 : 1 });
  return { width: width - crop.x, height: height - crop.y, codecs };
}

/** ISO/IEC 14496-15 annex E: profile, compatibility flags in reverse order, tier and level, constraint bytes without trailing zeros. */
function hevcName(level: Uint8Array): string {
  const head = u8(level, 0);
  const space = ["", "A", "B", "C"][head >> 6] ?? "";
  const flags = Array.from({ length: 32 }, (_, at) => (u8(level, 1 + (at >> 3)) >> (7 - (at & 7))) & 1);
  const compatible = flags.reduce((sum, flag, at) => sum + flag * 2 ** at, 0).toString(16);
  const tier = (head & 0x20) === 0 ? "L" : "H";
  const constraints = [...level.subarray(5, 11)];
  while (constraints.at(-1) === 0) constraints.pop();
  const rest = constraints.map((byte) => `.${byte.toString(16)}`).join("");
  return `hvc1.${space}${head & 0x1f}.${compatible}.${tier}${u8(level, 11)}${rest}`;
}
