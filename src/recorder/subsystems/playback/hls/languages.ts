/** Codes that name no language: undetermined, several, none, and those for original sound. */
const NO_LANGUAGE = /^(und|mul|mis|zxx|q[a-t][a-z])$/;

/**
 * The tag of RFC 5646 for an ISO 639-2 code of a broadcast: `de` for `deu` and for `ger`.
 *
 * @returns `undefined` if it names no language
 */
export function languageTag(code: string | undefined): string | undefined {
  if (code === undefined || !/^[a-z]{3}$/i.test(code)) return undefined;
  const [tag] = Intl.getCanonicalLocales(code.toLowerCase());
  return tag === undefined || NO_LANGUAGE.test(tag) ? undefined : tag;
}

/** The English name of a language. */
export function languageName(tag: string | undefined): string | undefined {
  return tag === undefined ? undefined : new Intl.DisplayNames("en", { type: "language" }).of(tag);
}
