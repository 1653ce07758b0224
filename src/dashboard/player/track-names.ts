import { reader, say } from "../state/language.ts";
import type { StreamFacts, Track } from "./model.ts";

/** How devices and shops call the codecs. */
const CODECS: Readonly<Record<string, string>> = {
  aac: "AAC",
  "aac-latm": "AAC",
  mp2: "MP2",
  mp3: "MP3",
  ac3: "AC-3",
  eac3: "E-AC-3",
};

/** A name for each sound track: its language and purpose, and its codec or a number where that is not enough. */
export function soundNames(tracks: readonly Track[], facts: StreamFacts["audio"] = []): readonly string[] {
  const used = new Set<string>();
  return tracks.map((track, index) => {
    const language = languageOf(track) ?? say("player-sound-number", { number: index + 1 });
    const name = track.isDescription ? say("player-sound-description", { name: language }) : language;
    const codec = CODECS[facts.find((each) => each.name === track.name)?.codec ?? ""];
    const withCodec = codec === undefined ? [] : [say("player-sound-codec", { name, codec })];
    return taken(used, [name, ...withCodec]);
  });
}

/** A name for each choice of subtitles: its language, and for whom it is; a number where that is not enough. */
export function subtitleNames(tracks: readonly Track[]): readonly string[] {
  const used = new Set<string>();
  return tracks.map((track) => {
    const language = languageOf(track) ?? say("player-subtitles");
    return taken(used, [
      track.isForHardOfHearing ? say("player-subtitles-hard-of-hearing", { name: language }) : language,
    ]);
  });
}

function languageOf({ language }: Track): string | undefined {
  return language === undefined ? undefined : reader().languageName(language);
}

/** The first name that no other track has; after those, the first one with a number. */
function taken(used: Set<string>, candidates: readonly string[]): string {
  const [name = ""] = candidates;
  let found = candidates.find((each) => !used.has(each));
  for (let number = 2; found === undefined; number += 1) {
    const numbered = say("player-track-again", { name, number });
    if (!used.has(numbered)) found = numbered;
  }
  used.add(found);
  return found;
}
