import { z } from "zod";
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
    rating: Text.exactOptional(),
    date: Text.exactOptional(),
  }),
);
