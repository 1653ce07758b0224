import { u8 } from "../bytes.ts";
import { type Descriptor, letters } from "./descriptors.ts";

export interface AudioPurpose {
  /** ISO 639-2, of the supplementary audio descriptor. */
  readonly language?: string;
  /** Audio description for people who do not see the picture. */
  readonly isDescription: boolean;
}

const TAG_LANGUAGE = 0x0a;
const TAG_AC3 = 0x6a;
const TAG_EAC3 = 0x7a;
const TAG_EXTENSION = 0x7f;
const EXTENSION_SUPPLEMENTARY_AUDIO = 0x06;

/** ISO/IEC 13818-1 table 2-60: visual impaired commentary. */
const AUDIO_TYPE_DESCRIPTION = 0x03;
/** component_type: service type "visually impaired" in bits 3 to 5. EN 300 468 table D.4. */
const AC3_DESCRIPTION = 0b010;
/** editorial_classification. EN 300 468 table J.3. */
const EDITORIAL_DESCRIPTION = 0x01;

/** The purpose of a sound track, by its descriptors in the PMT. */
export function audioPurpose(descriptors: readonly Descriptor[]): AudioPurpose {
  const supplementary = descriptors.find(
    ({ tag, body }) => tag === TAG_EXTENSION && u8(body, 0) === EXTENSION_SUPPLEMENTARY_AUDIO,
  )?.body;
  const hasLanguage = supplementary !== undefined && (u8(supplementary, 1) & 1) !== 0;
  const language = hasLanguage ? letters(supplementary, { from: 2, count: 3 }) : "";
  return {
    ...(language === "" ? {} : { language }),
    isDescription:
      (supplementary !== undefined && ((u8(supplementary, 1) >> 2) & 0x1f) === EDITORIAL_DESCRIPTION) ||
      descriptors.some(describes),
  };
}

function describes({ tag, body }: Descriptor): boolean {
  if (tag === TAG_LANGUAGE) return u8(body, 3) === AUDIO_TYPE_DESCRIPTION;
  if (tag !== TAG_AC3 && tag !== TAG_EAC3) return false;
  const hasComponentType = (u8(body, 0) & 0x80) !== 0;
  return hasComponentType && ((u8(body, 1) >> 3) & 0x07) === AC3_DESCRIPTION;
}
