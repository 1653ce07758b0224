import { z } from "zod";
import { GENRES } from "../model/rule.ts";
import { Count, list, named, Text } from "./schemas.ts";

/** The details of a show besides its title. */
export const ProgrammeSchema = named(
  "Programme",
  z.object({
    subtitle: Text.exactOptional(),
    description: Text.exactOptional(),
    season: Count.exactOptional(),
    episode: Count.exactOptional(),
    seriesId: Text.exactOptional(),
    episodeId: Text.exactOptional(),
    categories: list(Text).exactOptional(),
    genre: z
      .enum(GENRES)
      .exactOptional()
      .describe("By the content code of the broadcast (EN 300 468 table 29), or else by a category."),
    rating: Text.exactOptional(),
    date: Text.exactOptional(),
  }),
);
