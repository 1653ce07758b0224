import { isLanguage, LANGUAGES, type Language } from "../../words/language.ts";
import { invalidAnswer } from "./refusal.ts";

/** @throws RecorderdError CONFIG_INVALID */
export function languageOf(text: string): Language {
  if (isLanguage(text)) return text;
  throw invalidAnswer(`Expected one of these languages: ${Object.keys(LANGUAGES).join(", ")}.`);
}
