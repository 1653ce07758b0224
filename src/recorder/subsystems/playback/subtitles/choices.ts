import { type SubtitleTrack, subtitleTracks } from "../../../../mpeg-ts/tables/subtitle-tracks.ts";
import { languageName, languageTag } from "../hls/languages.ts";
import type { HlsParts } from "../hls/source.ts";

/** Subtitles as people choose them. */
export interface SubtitleChoice extends Pick<SubtitleTrack, "id" | "kind" | "isForHardOfHearing"> {
  /** RFC 5646, such as `de`. */
  readonly language?: string;
  /** In English, for example `Italian, for the hard of hearing`; no other subtitles of the source have it. */
  readonly name: string;
}

/** The subtitle tracks of a source, those of its first tables at the beginning. */
export function sourceTracks({ tables }: Pick<HlsParts, "tables">): readonly SubtitleTrack[] {
  const tracks = new Map<string, SubtitleTrack>();
  for (const track of tables.flatMap(subtitleTracks)) if (!tracks.has(track.id)) tracks.set(track.id, track);
  return [...tracks.values()];
}

/** The same with names, for playlists and pages. */
export function subtitleChoices(parts: Pick<HlsParts, "tables">): readonly SubtitleChoice[] {
  const counts = new Map<string, number>();
  return sourceTracks(parts).map(({ id, kind, isForHardOfHearing, language: code }) => {
    const language = languageTag(code);
    const plain = languageName(language) ?? "Subtitles";
    const base = isForHardOfHearing ? `${plain}, for the hard of hearing` : plain;
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    const name = count === 1 ? base : `${base} (${count})`;
    return { id, kind, ...(language === undefined ? {} : { language }), name, isForHardOfHearing };
  });
}
