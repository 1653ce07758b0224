import type { StreamFacts } from "../model/inspection.ts";
import { u8 } from "./bytes.ts";
import { type Descriptor, letters } from "./descriptors.ts";

type Codec = Pick<StreamFacts, "kind" | "codec">;

const video = (codec: string): Codec => ({ kind: "video", codec });
const audio = (codec: string): Codec => ({ kind: "audio", codec });
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
  36: video("H.265"),
  51: video("H.266"),
  66: video("AVS video"),
  129: audio("AC-3"),
  134: data("SCTE-35 splice information"),
  135: audio("E-AC-3"),
  234: video("VC-1"),
};

/** Descriptors that say what is in private data, EN 300 468 table 12. */
const BY_DESCRIPTOR: Readonly<Record<number, Codec>> = {
  69: data("VBI data"),
  86: { kind: "teletext", codec: "DVB teletext" },
  89: { kind: "subtitle", codec: "DVB subtitles" },
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
  EAC3: audio("E-AC-3"),
  DTS1: audio("DTS"),
  DTS2: audio("DTS"),
  DTS3: audio("DTS"),
  Opus: audio("Opus"),
  BSSD: audio("SMPTE 302M"),
  HEVC: video("H.265"),
  AV01: video("AV1"),
  "VC-1": video("VC-1"),
  drac: video("Dirac"),
};

const TAG_REGISTRATION = 0x05;
const TAG_LANGUAGE = 0x0a;
const TAG_TELETEXT = 0x56;
const TAG_SUBTITLES = 0x59;
const TAG_EXTENSION = 0x7f;

/** What a stream of a PMT is, in words. Private data (stream_type 5, 6 and from 0x80) is what its descriptors say. */
export function describeStream(
  pid: number,
  streamType: number,
  descriptors: readonly Descriptor[],
): StreamFacts {
  const fromType = BY_STREAM_TYPE[streamType];
  const isOpen = fromType === undefined || fromType.kind === "data";
  const named = isOpen ? descriptors.map(codecOf).find((codec) => codec !== undefined) : undefined;
  const codec = named ?? fromType ?? data(`stream type 0x${streamType.toString(16).padStart(2, "0")}`);
  const language = descriptors.map(languageOf).find((code) => code !== undefined && code !== "");
  return { pid, streamType, ...codec, ...(language === undefined ? {} : { language }) };
}

function codecOf({ tag, body }: Descriptor): Codec | undefined {
  if (tag === TAG_EXTENSION) return BY_EXTENSION[u8(body, 0)];
  if (tag === TAG_REGISTRATION) return BY_REGISTRATION[letters(body, { from: 0, count: 4 })];
  return BY_DESCRIPTOR[tag];
}

function languageOf({ tag, body }: Descriptor): string | undefined {
  const has = tag === TAG_LANGUAGE || tag === TAG_TELETEXT || tag === TAG_SUBTITLES;
  return has ? letters(body, { from: 0, count: 3 }) : undefined;
}
