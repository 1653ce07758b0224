import { type SubtitleTrack, subtitleTracks } from "../../../../mpeg-ts/tables/subtitle-tracks.ts";
import type { HlsParts } from "../hls/source.ts";

/** Subtitles with a name for people. */
export interface SubtitleChoice extends SubtitleTrack {
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
    return { ...track, name: count === 1 ? plain : `${plain} (${count})` };
  });
}

function plainName({ language, isForHardOfHearing }: SubtitleTrack): string {
  const name = language === undefined ? "Subtitles" : (languageNames().of(language) ?? language);
  return isForHardOfHearing ? `${name}, for the hard of hearing` : name;
}

let names: Intl.DisplayNames | undefined;

/** Loaded on first use: the names take memory. */
function languageNames(): Intl.DisplayNames {
  names ??= new Intl.DisplayNames("en", { type: "language" });
  return names;
}
