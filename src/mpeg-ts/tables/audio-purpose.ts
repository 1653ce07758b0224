import { u8 } from "../bytes.ts";
import { type Descriptor, letters } from "./descriptors.ts";

export interface AudioPurpose {
  /** ISO 639-2, of the supplementary audio descriptor. */
  readonly language?: string;
  /** Audio description for people who do not see the picture. */
  readonly isDescription: boolean;
  /** For some listeners only, or a part of the sound: description, sound for people who hear badly, music and effects, comment. */
  readonly isSupplement: boolean;
}

const TAG_LANGUAGE = 0x0a;
const TAG_AC3 = 0x6a;
const TAG_EAC3 = 0x7a;
const TAG_AAC = 0x7c;
const TAG_EXTENSION = 0x7f;
const EXTENSION_SUPPLEMENTARY_AUDIO = 0x06;
/** ATSC A/52 annexes A and G; private in DVB. */
const TAG_ATSC_AC3 = 0x81;
const TAG_ATSC_EAC3 = 0xcc;
/** ATSC A/53 part 3: stream_type of AC-3 and E-AC-3. */
const ATSC_TYPES: readonly number[] = [0x81, 0x87];

type Purpose = "whole" | "description" | "other";

/** audio_type, ISO/IEC 13818-1 table 2-60: clean effects, hearing impaired, visual impaired commentary. */
const BY_AUDIO_TYPE: Readonly<Record<number, Purpose>> = { 1: "other", 2: "other", 3: "description" };
/** editorial_classification, EN 300 468 table J.3: visually impaired, hard of hearing, spoken subtitles. */
const BY_EDITORIAL: Readonly<Record<number, Purpose>> = { 1: "description", 2: "other", 3: "other" };
/** Service type of AC-3: all but "complete main" and "visually impaired". EN 300 468 table D.4, ATSC A/52 table 5.7. */
const AC3_WHOLE = 0;
const AC3_DESCRIPTION = 2;
/** component_type of AAC, EN 300 468 table 26: for the visually impaired, for the hard of hearing, to be mixed by the receiver. */
const AAC_DESCRIPTION: readonly number[] = [0x40, 0x44, 0x47, 0x48, 0x49, 0x4a];
const AAC_OTHER: readonly number[] = [0x41, 0x42, 0x45, 0x46];

/** The purpose of a sound track, by its entry in the PMT. */
export function audioPurpose({
  streamType,
  descriptors,
}: {
  readonly streamType: number;
  readonly descriptors: readonly Descriptor[];
}): AudioPurpose {
  const supplementary = descriptors.find(isSupplementaryAudio)?.body;
  const hasLanguage = supplementary !== undefined && (u8(supplementary, 1) & 1) !== 0;
  const language = hasLanguage ? letters(supplementary, { from: 2, count: 3 }) : "";
  const purposes = descriptors.map((descriptor) => purposeOf(descriptor, streamType));
  return {
    ...(language === "" ? {} : { language }),
    isDescription: purposes.includes("description"),
    isSupplement: purposes.some((purpose) => purpose !== "whole"),
  };
}

function isSupplementaryAudio({ tag, body }: Descriptor): boolean {
  return tag === TAG_EXTENSION && u8(body, 0) === EXTENSION_SUPPLEMENTARY_AUDIO;
}

function purposeOf(descriptor: Descriptor, streamType: number): Purpose {
  const { tag, body } = descriptor;
  if (isSupplementaryAudio(descriptor)) return BY_EDITORIAL[(u8(body, 1) >> 2) & 0x1f] ?? "whole";
  switch (tag) {
    case TAG_LANGUAGE:
      return BY_AUDIO_TYPE[u8(body, 3)] ?? "whole";
    case TAG_AC3:
    case TAG_EAC3:
      return (u8(body, 0) & 0x80) === 0 ? "whole" : ofAc3(u8(body, 1) >> 3);
    case TAG_AAC:
      return (u8(body, 1) & 0x80) === 0 ? "whole" : ofAac(u8(body, 2));
    case TAG_ATSC_AC3:
      return ATSC_TYPES.includes(streamType) ? ofAc3(u8(body, 2) >> 5) : "whole";
    case TAG_ATSC_EAC3:
      return ATSC_TYPES.includes(streamType) ? ofAc3(u8(body, 1) >> 3) : "whole";
    default:
      return "whole";
  }
}

function ofAc3(bits: number): Purpose {
  const serviceType = bits & 0x07;
  if (serviceType === AC3_WHOLE) return "whole";
  return serviceType === AC3_DESCRIPTION ? "description" : "other";
}

function ofAac(componentType: number): Purpose {
  if (AAC_DESCRIPTION.includes(componentType)) return "description";
  return AAC_OTHER.includes(componentType) ? "other" : "whole";
}
