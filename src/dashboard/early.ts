import { isLanguage, type Language, languageFor, textsOf } from "../words/language.ts";

/** The language that the reader chose in this browser. */
export const LANGUAGE_KEPT_AS = "recorderd-language";

/** The browser's own form of the language first: somebody in Austria who chooses German reads “Jänner”. */
function tagsOf(language: Language): readonly string[] {
  return [...navigator.languages.filter((tag) => tag.split("-")[0] === language), language];
}

const chosen = localStorage.getItem(LANGUAGE_KEPT_AS);

/** The language that the reader chose here, or else the browser's. */
export const firstLanguage = languageFor(
  chosen !== null && isLanguage(chosen) ? tagsOf(chosen) : navigator.languages,
);

/** The first picture needs both. `main.tsx` imports this file first: they are on their way while the rest begins. */
export const firstTexts = textsOf(firstLanguage.language);
export const firstSession = fetch("/v1/session").catch(() => undefined);
