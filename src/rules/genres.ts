import { genreOfCode } from "../model/genre.ts";
import type { DescribedShow } from "./airing.ts";
import { folded } from "./fold.ts";

/** The show's categories and the genres of their content codes, folded. */
export function genresOf({ category }: Pick<DescribedShow, "category">): readonly string[] {
  return category.flatMap(({ name, eit = "" }) => {
    const genre = genreOfCode(Number(eit));
    return [folded(name), ...(genre === undefined ? [] : [genre])];
  });
}
