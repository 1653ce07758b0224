import { GENRES, type Genre } from "../model/rule.ts";
import { say } from "./state/language.ts";

/** A genre in the reader's words; a category of the guide has only its own name. */
export function genreText(genre: string): string {
  return isGenre(genre) ? say(`genre-${genre}`) : genre;
}

export function isGenre(text: string): text is Genre {
  return (GENRES as readonly string[]).includes(text);
}
