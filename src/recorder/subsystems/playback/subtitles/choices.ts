import { type SubtitleTrack, subtitleTracks } from "../../../../mpeg-ts/tables/subtitle-tracks.ts";
import { languageName, languageTag } from "../hls/languages.ts";
import type { HlsParts } from "../hls/source.ts";

/** Subtitles with a name for people. */
export interface SubtitleChoice extends SubtitleTrack {
  /** RFC 5646, such as `de`; absent if the language is not known. */
  readonly tag?: string;
  /** In English, for example `Italian, for the hard of hearing`; no other subtitles of the source have it. */
  readonly name: string;
}

/** The subtitles of a source, those that its tables name first at the beginning. */
export function subtitleChoices({ tables }: Pick<HlsParts, "tables">): readonly SubtitleChoice[] {
  const tracks = new Map<string, SubtitleTrack>();
  for (const track of tables.flatMap(subtitleTracks)) if (!tracks.has(track.id)) tracks.set(track.id, track);
  const named = new Map<string, number>();
  return [...tracks.values()].map((track) => {
    const plain = plainName(track);
    const count = (named.get(plain) ?? 0) + 1;
    named.set(plain, count);
    const tag = languageTag(track.language);
    const name = count === 1 ? plain : `${plain} (${count})`;
    return { ...track, name, ...(tag === undefined ? {} : { tag }) };
  });
}

function plainName({ language, isForHardOfHearing }: SubtitleTrack): string {
  const name = languageName(languageTag(language)) ?? language ?? "Subtitles";
  return isForHardOfHearing ? `${name}, for the hard of hearing` : name;
}
