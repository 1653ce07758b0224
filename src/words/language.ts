/** The languages of the catalogue, with their own names. A new one is a file in `texts` and a line here and below. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  ja: "日本語",
} as const;
export type Language = keyof typeof LANGUAGES;

/** Only the reader's file is loaded. */
const TEXTS: Readonly<Record<Language, () => Promise<string>>> = {
  en: () => import("./texts/en.ts").then(({ en }) => en),
  de: () => import("./texts/de.ts").then(({ de }) => de),
  es: () => import("./texts/es.ts").then(({ es }) => es),
  fr: () => import("./texts/fr.ts").then(({ fr }) => fr),
  it: () => import("./texts/it.ts").then(({ it }) => it),
  ja: () => import("./texts/ja.ts").then(({ ja }) => ja),
};

/** The catalogue of a language, in Fluent's syntax. */
export function textsOf(language: Language): Promise<string> {
  return TEXTS[language]();
}

/**
 * The language for a reader, and the locale for dates and numbers: of Austria, for a reader who prefers `de-AT`.
 *
 * @param preferred BCP 47 tags, the best first
 */
export function languageFor(preferred: readonly string[]): {
  readonly language: Language;
  readonly locale: string;
} {
  for (const locale of preferred) {
    const language = (locale.split("-")[0] ?? "").toLowerCase();
    if (isLanguage(language) && isLocale(locale)) return { language, locale };
  }
  return { language: "en", locale: "en-GB" };
}

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}

/** Not `supportedLocalesOf`: in a browser it takes longer than all else before the first picture. Every form of our languages is supported. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
