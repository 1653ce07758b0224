import { say } from "../state/language.ts";
import type { SubtitleFacts, Track } from "./model.ts";
import { subtitleNames } from "./track-names.ts";

export type SubtitleChoice =
  | { readonly kind: "none" }
  /** Position among the text tracks of the session. */
  | { readonly kind: "text"; readonly position: number }
  | { readonly kind: "bitmap"; readonly id: string };

/** All choices of subtitles with their names, the first one is none. */
export function subtitleChoices(
  text: readonly Track[],
  bitmaps: readonly SubtitleFacts[],
): readonly { readonly name: string; readonly choice: SubtitleChoice }[] {
  const names = subtitleNames([...text, ...bitmaps]);
  const choices = [
    ...text.map((_, position) => ({ kind: "text", position }) as const),
    ...bitmaps.map(({ id }) => ({ kind: "bitmap", id }) as const),
  ];
  return [
    { name: say("player-subtitles-off"), choice: { kind: "none" } },
    ...choices.map((choice, at) => ({ name: names[at] ?? "", choice })),
  ];
}
