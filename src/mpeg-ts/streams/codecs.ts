import type { StreamFacts } from "../../model/inspection.ts";
import { u8, u16 } from "../bytes.ts";
import { audioPurpose } from "../tables/audio-purpose.ts";
import { type Descriptor, letters } from "../tables/descriptors.ts";

type Codec = Pick<StreamFacts, "kind" | "codec">;

const video = (codec: string): Codec => ({ kind: "video", codec });
const audio = (codec: string): Codec => ({ kind: "audio", codec });
const subtitle = (codec: string): Codec => ({ kind: "subtitle", codec });
const data = (codec: string): Codec => ({ kind: "data", codec });

/** stream_type, ISO/IEC 13818-1 table 2-34 and ATSC A/53 for 0x80 and above. */
const BY_STREAM_TYPE: Readonly<Record<number, Codec>> = {
  1: video("MPEG-1 video"),
  2: video("MPEG-2 video"),
  3: audio("MPEG-1 audio"),
  4: audio("MPEG-2 audio"),
  5: data("private sections"),
  6: data("private data"),
  11: data("DSM-CC"),
  12: data("DSM-CC stream descriptors"),
  13: data("DSM-CC sections"),
  15: audio("AAC"),
  16: video("MPEG-4 video"),
  17: audio("AAC LATM"),
  21: data("metadata"),
  27: video("H.264"),
  28: audio("MPEG-4 audio"),
  32: video("H.264 MVC"),
  33: video("JPEG 2000"),
  36: video("H.265"),
  45: audio("MPEG-H audio"),
  46: audio("MPEG-H audio"),
  50: video("JPEG XS"),
  51: video("H.266"),
  53: video("EVC"),
  66: video("AVS video"),
  129: audio("AC-3"),
  134: data("SCTE-35 splice information"),
  135: audio("E-AC-3"),
  138: audio("DTS"),
  210: video("AVS2"),
  212: video("AVS3"),
  234: video("VC-1"),
};

/** stream_type from 0x80 on in programmes registered as HDMV: camcorder recordings, Blu-ray. */
const BY_HDMV_TYPE: Readonly<Record<number, Codec>> = {
  128: audio("LPCM"),
  129: audio("AC-3"),
  130: audio("DTS"),
  131: audio("Dolby TrueHD"),
  132: audio("E-AC-3"),
  133: audio("DTS-HD"),
  134: audio("DTS-HD"),
  144: subtitle("PGS subtitles"),
  145: data("IGS menus"),
  146: subtitle("HDMV text subtitles"),
  161: audio("E-AC-3"),
  162: audio("DTS-HD"),
  234: video("VC-1"),
};

/** Descriptors that identify private data, EN 300 468 table 12. */
const BY_DESCRIPTOR: Readonly<Record<number, Codec>> = {
  69: data("VBI data"),
  86: { kind: "teletext", codec: "DVB teletext" },
  89: subtitle("DVB subtitles"),
  106: audio("AC-3"),
  111: data("application information"),
  122: audio("E-AC-3"),
  123: audio("DTS"),
  124: audio("AAC"),
};

/** extension_descriptor, EN 300 468 table 109. */
const BY_EXTENSION: Readonly<Record<number, Codec>> = {
  14: audio("DTS-HD"),
  21: audio("AC-4"),
};

/** registration_descriptor, ISO/IEC 13818-1 §2.6.8. */
const BY_REGISTRATION: Readonly<Record<string, Codec>> = {
  "AC-3": audio("AC-3"),
  "AC-4": audio("AC-4"),
  EAC3: audio("E-AC-3"),
  DTS1: audio("DTS"),
  DTS2: audio("DTS"),
  DTS3: audio("DTS"),
  DRA1: audio("DRA"),
  CUEI: data("SCTE-35 splice information"),
  Opus: audio("Opus"),
  BSSD: audio("SMPTE 302M"),
  HEVC: video("H.265"),
  AV01: video("AV1"),
  "VC-1": video("VC-1"),
  drac: video("Dirac"),
};

/** data_component_id of captions, and of one-seg captions (ARIB STD-B10 part 2). */
const ARIB_CAPTIONS = 0x0008;
const ARIB_ONE_SEG_CAPTIONS = 0x0012;
/** component_tag of superimposed text, ARIB TR-B14; those of captions are 0x30 to 0x37, and 0x87. */
const SUPERIMPOSED = [0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f, 0x88];

const PRIVATE_DATA = 0x06;
const TAG_REGISTRATION = 0x05;
const TAG_HIERARCHY = 0x04;
const TAG_LANGUAGE = 0x0a;
const TAG_STREAM_IDENTIFIER = 0x52;
const TAG_TELETEXT = 0x56;
const TAG_SUBTITLES = 0x59;
const TAG_EXTENSION = 0x7f;
const TAG_PRIVATE_DATA_SPECIFIER = 0x5f;
const TAG_DATA_COMPONENT = 0xfd;

/** hierarchy_type of a stream that needs no other. ISO/IEC 13818-1 table 2-52. */
const BASE_LAYER = 15;
/** MVC: the other eye's picture. */
const SECOND_VIEW = 32;
/** ISO 639-2: sign languages. */
const SIGNED = "sgn";

interface Stream {
  readonly pid: number;
  readonly streamType: number;
  readonly descriptors: readonly Descriptor[];
  readonly programme: readonly Descriptor[];
}

/** The position of the still picture flag in video descriptors, by tag. */
const STILL_FLAGS: Readonly<Record<number, { readonly byteAt: number; readonly mask: number }>> = {
  2: { byteAt: 0, mask: 0x01 },
  40: { byteAt: 3, mask: 0x80 },
  56: { byteAt: 12, mask: 0x40 },
};

/** Whether the PMT says nothing of the content: private PES packets without a descriptor, or an unknown type. */
export function isUnnamed({ streamType, kind, codec }: StreamFacts): boolean {
  if (streamType === PRIVATE_DATA) return codec === BY_STREAM_TYPE[PRIVATE_DATA]?.codec;
  return kind === "data" && codec === unknownType(streamType);
}

function unknownType(streamType: number): string {
  return `stream type 0x${streamType.toString(16).padStart(2, "0")}`;
}

/** Describes a stream of a PMT. Descriptors identify private data (stream_type 5, 6 and from 0x80). */
export function describeStream({ pid, streamType, descriptors, programme }: Stream): StreamFacts {
  const isHdmv = [...programme, ...descriptors].some((each) => registrationOf(each) === "HDMV");
  const fromType = (isHdmv ? BY_HDMV_TYPE[streamType] : undefined) ?? BY_STREAM_TYPE[streamType];
  const isOpen = fromType === undefined || fromType.kind === "data";
  const captions = streamType === PRIVATE_DATA ? aribTextOf(descriptors) : undefined;
  const named = isOpen ? descriptors.map(codecOf).find((codec) => codec !== undefined) : undefined;
  const unknown = data(unknownType(streamType));
  const language = descriptors.map(languageOf).find((code) => code !== undefined && code !== "");
  const codec = captions ?? named ?? fromType ?? unknown;
  const isSupplement = supplements(codec.kind, { streamType, descriptors, language });
  return {
    pid,
    streamType,
    ...codec,
    ...(descriptors.some(allowsStills) ? ({ mayStill: true } as const) : {}),
    ...(isSupplement ? ({ isSupplement: true } as const) : {}),
    ...(language === undefined ? {} : { language }),
  };
}

function supplements(
  kind: StreamFacts["kind"],
  {
    streamType,
    descriptors,
    language,
  }: Pick<Stream, "streamType" | "descriptors"> & { readonly language: string | undefined },
): boolean {
  if (kind === "subtitle" || kind === "teletext") return false;
  const isLayer = descriptors.some(
    ({ tag, body }) => tag === TAG_HIERARCHY && (u8(body, 0) & 0x0f) !== BASE_LAYER,
  );
  const isSigned = kind !== "audio" && language === SIGNED;
  // Data that the PMT does not name may turn out to be sound.
  return (
    isLayer ||
    isSigned ||
    streamType === SECOND_VIEW ||
    audioPurpose({ streamType, descriptors }).isSupplement
  );
}

function codecOf(descriptor: Descriptor): Codec | undefined {
  const { tag, body } = descriptor;
  if (tag === TAG_EXTENSION) return BY_EXTENSION[u8(body, 0)];
  const registration = registrationOf(descriptor);
  return registration === undefined ? BY_DESCRIPTOR[tag] : BY_REGISTRATION[registration];
}

/** still_picture_flag, AVC_still_present and HEVC_still_present_flag (ISO/IEC 13818-1 §2.6.2, §2.6.64, §2.6.95). */
function allowsStills({ tag, body }: Descriptor): boolean {
  const flag = STILL_FLAGS[tag];
  return flag !== undefined && (u8(body, flag.byteAt) & flag.mask) !== 0;
}

function registrationOf({ tag, body }: Descriptor): string | undefined {
  return tag === TAG_REGISTRATION ? letters(body, { from: 0, count: 4 }) : undefined;
}

/** ISDB captions, by the data_component_descriptor (ARIB STD-B10 part 2). Its tag is private in DVB. */
function aribTextOf(descriptors: readonly Descriptor[]): Codec | undefined {
  if (descriptors.some(({ tag }) => tag === TAG_PRIVATE_DATA_SPECIFIER)) return undefined;
  const component = descriptors.find(({ tag }) => tag === TAG_DATA_COMPONENT)?.body;
  const id = component === undefined || component.length < 2 ? 0 : u16(component, 0);
  if (id !== ARIB_CAPTIONS && id !== ARIB_ONE_SEG_CAPTIONS) return undefined;
  const label = descriptors.find(({ tag }) => tag === TAG_STREAM_IDENTIFIER);
  const isSuperimposed = label !== undefined && SUPERIMPOSED.includes(u8(label.body, 0));
  return subtitle(isSuperimposed ? "ARIB superimposed text" : "ARIB captions");
}

function languageOf({ tag, body }: Descriptor): string | undefined {
  const has = tag === TAG_LANGUAGE || tag === TAG_TELETEXT || tag === TAG_SUBTITLES;
  return has ? letters(body, { from: 0, count: 3 }) : undefined;
}
