import { u8, u16 } from "../bytes.ts";
import { type Descriptor, letters } from "./descriptors.ts";
import { mapSection } from "./player-tables.ts";
import { mapEntries } from "./tables.ts";

/** Subtitles that a viewer can choose. */
export interface SubtitleTrack {
  /** PID and page, for example `577-888`: the number of the teletext page, or the decimal composition page id of bitmaps. */
  readonly id: string;
  readonly kind: "teletext" | "bitmap";
  readonly pid: number;
  /** ISO 639-2, in lower case; absent if the broadcaster names none. */
  readonly language?: string;
  readonly isForHardOfHearing: boolean;
  /** The page of teletext as people write it, for example `888`. */
  readonly teletextPage?: string;
  /** Page ids of bitmaps, EN 300 743 §5.2. */
  readonly bitmapPages?: { readonly composition: number; readonly ancillary: number };
}

const TAG_TELETEXT = 0x56;
const TAG_SUBTITLES = 0x59;
/** Types of teletext pages, EN 300 468 table 100. */
const SUBTITLE_PAGE = 2;
const HARD_OF_HEARING_PAGE = 5;
const PAGE_BYTES = 5;
const SUBTITLE_BYTES = 8;

/**
 * The subtitles of a service in the order of its PMT: those of teletext descriptors (EN 300 468 §6.2.43) and of subtitling descriptors
 * (§6.2.41).
 *
 * @param tables the packets of the PAT, then those of the PMT
 */
export function subtitleTracks(tables: Uint8Array): readonly SubtitleTrack[] {
  const section = mapSection(tables);
  const entries = section === undefined ? [] : [...mapEntries(section)];
  const tracks = new Map<string, SubtitleTrack>();
  for (const { pid, descriptors } of entries)
    for (const track of descriptors.flatMap((descriptor) => [...tracksIn(descriptor, pid)]))
      if (!tracks.has(track.id)) tracks.set(track.id, track);
  return [...tracks.values()];
}

function* tracksIn({ tag, body }: Descriptor, pid: number): Generator<SubtitleTrack> {
  if (tag === TAG_TELETEXT) {
    for (let at = 0; at + PAGE_BYTES <= body.length; at += PAGE_BYTES) {
      const type = u8(body, at + 3) >> 3;
      if (type !== SUBTITLE_PAGE && type !== HARD_OF_HEARING_PAGE) continue;
      const teletextPage = pageOf(u8(body, at + 3) & 7, u8(body, at + 4));
      const isForHardOfHearing = type === HARD_OF_HEARING_PAGE;
      const id = `${pid}-${teletextPage}`;
      yield { id, kind: "teletext", pid, ...languageAt(body, at), isForHardOfHearing, teletextPage };
    }
  }
  if (tag === TAG_SUBTITLES) {
    for (let at = 0; at + SUBTITLE_BYTES <= body.length; at += SUBTITLE_BYTES) {
      const type = u8(body, at + 3);
      // EN 300 468 table 26, stream_content 3: 0x10 to 0x15 for all viewers, 0x20 to 0x25 for the hard of hearing.
      const isForHardOfHearing = type >= 0x20 && type <= 0x25;
      if (!isForHardOfHearing && (type < 0x10 || type > 0x15)) continue;
      const bitmapPages = { composition: u16(body, at + 4), ancillary: u16(body, at + 6) };
      const id = `${pid}-${bitmapPages.composition}`;
      yield { id, kind: "bitmap", pid, ...languageAt(body, at), isForHardOfHearing, bitmapPages };
    }
  }
}

/** Magazine 8 is sent as 0. */
function pageOf(magazine: number, page: number): string {
  return `${magazine === 0 ? 8 : magazine}${page.toString(16).padStart(2, "0")}`;
}

function languageAt(body: Uint8Array, from: number): { readonly language?: string } {
  const language = letters(body, { from, count: 3 }).toLowerCase();
  return /^[a-z]{3}$/.test(language) ? { language } : {};
}
