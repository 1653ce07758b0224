import { HOUR, MINUTE } from "../model/time.ts";

/** When the main programme of the evening begins, by language, or by language and country. */
const PRIME_TIMES: Readonly<Record<string, string>> = {
  de: "20:15",
  "de-CH": "20:00",
  es: "21:00",
  fr: "21:00",
  "fr-CA": "20:00",
  it: "21:00",
  ja: "19:00",
};
const ELSEWHERE = "20:00";

/** The time since midnight. @param locale BCP 47 */
export function primeTimeOf(locale: string): number {
  const [language = ""] = locale.split("-");
  const [hours = 0, minutes = 0] = (PRIME_TIMES[locale] ?? PRIME_TIMES[language] ?? ELSEWHERE)
    .split(":")
    .map(Number);
  return hours * HOUR + minutes * MINUTE;
}
