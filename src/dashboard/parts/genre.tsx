import type { Genre } from "../../model/rule.ts";
import { genreText } from "../genre.ts";

/** Marks a row or a cell with the colour of a genre (style/marks.css). */
export function genreMark(genre: Genre | undefined): { readonly "data-genre"?: Genre } {
  return genre === undefined ? {} : { "data-genre": genre };
}

/** The genre for those who do not see its colour. */
export function GenreName({ genre }: { readonly genre: Genre | undefined }) {
  return genre === undefined ? null : <span class="hidden"> · {genreText(genre)}</span>;
}
