import { isLanguage, LANGUAGES, type Language, languageFor, textsOf } from "../../words/language.ts";
import { createReader } from "../../words/reader.ts";
import { setReader } from "./language.ts";

const KEPT_AS = "recorderd-language";

/** Loads the language that the reader chose here, or else the browser's. Nothing is drawn before. */
export async function loadLanguage(): Promise<void> {
  const chosen = localStorage.getItem(KEPT_AS);
  const preferred = chosen !== null && isLanguage(chosen) ? tagsOf(chosen) : navigator.languages;
  const { language, locale } = languageFor(preferred);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  setReader(createReader({ language, locale, timeZone, text: await textsOf(language) }));
  document.documentElement.lang = language;
}

/** The browser's own form of the language first: somebody in Austria who chooses German reads “Jänner”. */
function tagsOf(language: Language): readonly string[] {
  return [...navigator.languages.filter((tag) => tag.split("-")[0] === language), language];
}

/** Keeps the choice in this browser and draws the page again: every text of it changes. */
export function chooseLanguage(language: string): void {
  if (!Object.hasOwn(LANGUAGES, language)) return;
  localStorage.setItem(KEPT_AS, language);
  location.reload();
}
