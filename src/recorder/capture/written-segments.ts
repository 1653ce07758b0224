import { z } from "zod";

/** An instant as a `.json` has it. */
export const Instant = z.iso.datetime().transform((text) => Date.parse(text));

/** Segments in the integrity report of a `.json`; none if it is of an earlier recorder, whose segments have no position. */
export const WrittenSegments = z
  .array(z.object({ start: Instant, stop: Instant, streamMs: z.number(), bytes: z.number().optional() }))
  .catch([]);
