import { z } from "zod";

/*
 * The fields of a tuner server's answer. Servers differ by version and by imitation: a number may be a text, an unknown
 * value may be null or out of range, and one odd entry says nothing about the others.
 */

/** A whole number, also as a text. */
export function wholeNumber(min: number, max: number) {
  const asText = z
    .string()
    .regex(/^\s*(?:\d{1,15}|0x[\da-f]{1,12})\s*$/i)
    .transform(Number);
  return z.union([z.number(), asText]).pipe(z.int().min(min).max(max));
}

/** An id of DVB; `undefined` if the server does not know it. */
export const OptionalId = wholeNumber(0, 0xffff).optional().catch(undefined);

/** A text for people, also as a number; empty if the server has none. */
export const Words = z
  .union([z.string(), z.number().transform(String)])
  .default("")
  .catch("");

/** The readable entries of a list. A list with entries of which none is readable is another kind of list. */
export function listOf<T>(entry: z.ZodType<T>) {
  return z.array(z.unknown()).transform((entries, context): readonly T[] => {
    const readable = entries.flatMap((each) => {
      const read = entry.safeParse(each);
      return read.success ? [read.data] : [];
    });
    if (readable.length > 0 || entries.length === 0) return readable;
    context.issues.push({ code: "custom", message: "no entry can be read", input: entries });
    return z.NEVER;
  });
}
