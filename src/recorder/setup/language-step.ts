import { isZone } from "../../model/zone.ts";
import { isLanguage, LANGUAGES, type Language } from "../../words/language.ts";
import { invalidAnswer } from "./refusal.ts";

/** The language and the time zone of messages; without a zone, the machine's. */
export interface LanguageChoice {
  readonly language: Language;
  /** IANA name. */
  readonly timeZone?: string;
}

/** @throws RecorderdError CONFIG_INVALID */
export function languageOf(text: string): Language {
  if (isLanguage(text)) return text;
  throw invalidAnswer(`Expected one of these languages: ${Object.keys(LANGUAGES).join(", ")}.`);
}

/** @throws RecorderdError CONFIG_INVALID */
export function languageChoice({
  language,
  timeZone,
}: {
  readonly language: string;
  readonly timeZone?: string | undefined;
}): LanguageChoice {
  const choice = { language: languageOf(language) };
  if (timeZone === undefined) return choice;
  if (!isZone(timeZone)) throw invalidAnswer("Expected a time zone such as Europe/Berlin.");
  return { ...choice, timeZone };
}
