import type { ComponentChildren } from "preact";
import type { Key, Say, ValuesOf } from "../../words/catalogue.ts";
import { isLanguage, LANGUAGES, type Language, languageFor, textsOf } from "../../words/language.ts";
import { createReader, type Reader } from "../../words/reader.ts";

const KEPT_AS = "recorderd-language";

let current: Reader | undefined;

/** The reader of this page: the language that they chose here, or the browser's; the browser's time zone. */
export function reader(): Reader {
  if (current === undefined) throw new Error("a text was asked for before its language was loaded");
  return current;
}

/** The text of a key in the reader's language. */
export const say: Say = (key, ...values) => reader().say(key, ...values);

/** Loads the reader's language. Nothing is drawn before. */
export async function loadLanguage(): Promise<void> {
  const chosen = localStorage.getItem(KEPT_AS);
  const preferred = chosen !== null && isLanguage(chosen) ? tagsOf(chosen) : navigator.languages;
  const { language, locale } = languageFor(preferred);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  setReader(createReader({ language, locale, timeZone, text: await textsOf(language) }));
  document.documentElement.lang = language;
}

export function setReader(reader: Reader): void {
  current = reader;
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

/**
 * A text with elements in it: `Sign in <link>here</link>.` Each name in angle brackets is made by the part of that name.
 *
 * @returns children for JSX
 */
export function sayWith<K extends Key>(
  parts: Readonly<Record<string, (text: string) => ComponentChildren>>,
  key: K,
  ...values: ValuesOf<K>
): ComponentChildren {
  return say(key, ...values)
    .split(/(<([a-z]+)>.*?<\/\2>)/)
    .flatMap((piece, index) => {
      // The second group, the bare name, follows each element.
      if (index % 3 === 2) return [];
      const [, name = "", text = ""] = /^<([a-z]+)>(.*)<\/\1>$/.exec(piece) ?? [];
      return [parts[name]?.(text) ?? piece];
    });
}
