import { type Language, textsOf } from "./language.ts";
import { createReader, type Reader } from "./reader.ts";

/** The reader of texts that the daemon sends, by its configuration. Times of day have 24 hours, as in the programme. */
export async function loadReader({
  language,
  timeZone,
}: {
  readonly language: Language;
  /** IANA name. */
  readonly timeZone: string;
}): Promise<Reader> {
  const locale = language === "en" ? "en-GB" : language;
  return createReader({ language, locale, timeZone, text: await textsOf(language) });
}
