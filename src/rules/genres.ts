import { GENRES } from "../model/rule.ts";
import type { DescribedShow } from "./airing.ts";
import { folded } from "./fold.ts";

/** The show's categories and the genres of their content codes, folded. */
export function genresOf({ category }: Pick<DescribedShow, "category">): readonly string[] {
  return category.flatMap(({ name, eit = "" }) => {
    const genre = GENRES[(Number(eit) >> 4) - 1];
    return [folded(name), ...(genre === undefined ? [] : [genre])];
  });
}
