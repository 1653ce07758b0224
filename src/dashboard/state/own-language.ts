import { LANGUAGES } from "../../words/language.ts";
import { createReader } from "../../words/reader.ts";
import { firstLanguage, firstTexts, LANGUAGE_KEPT_AS } from "../early.ts";
import { setReader } from "./language.ts";

/** Loads the language. Nothing is drawn before. */
export async function loadLanguage(): Promise<void> {
  const { language, locale } = firstLanguage;
  setReader(
    createReader({
      language,
      locale,
      get timeZone() {
        return Intl.DateTimeFormat().resolvedOptions().timeZone;
      },
      text: await firstTexts,
    }),
  );
  document.documentElement.lang = language;
}

/** Keeps the choice in this browser and draws the page again: every text of it changes. */
export function chooseLanguage(language: string): void {
  if (!Object.hasOwn(LANGUAGES, language)) return;
  localStorage.setItem(LANGUAGE_KEPT_AS, language);
  location.reload();
}
