const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** No time is longer, with day, zone and a remark. */
const LENGTH_MAX = 80;
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s/i;
/** The name of the zone after its offset, as in e-mail. */
const REMARK = /\s*\(([A-Za-z]{1,5})\)$/;
/** `Nov 21 20:15:00 2026`, as C's asctime writes it. */
const YEAR_LAST = /^([a-z]{3,9}\.? +\d\d?),? ([\d:]+) (\d{4})$/i;

/** The dates that programs write, in the order of their groups. */
const DATES: readonly (readonly [written: RegExp, order: "ymd" | "dmy" | "mdy" | "dmy or mdy"])[] = [
  [/^(\d{4})([01]\d)([0-3]\d)(?!\d)/, "ymd"],
  [/^(\d{4})[-./](\d\d?)[-./](\d\d?)(?!\d)/, "ymd"],
  [/^(\d{4})\s?年\s?(\d\d?)\s?月\s?(\d\d?)\s?日/, "ymd"],
  [/^(\d\d?)\.\s?(\d\d?)\.\s?(\d{4})(?!\d)/, "dmy"],
  [/^(\d\d?)[-/](\d\d?)[-/](\d{4})(?!\d)/, "dmy or mdy"],
  [/^(\d\d?)\.?[\s-]([a-z]{3,9})\.?,?[\s-](\d{4})(?!\d)/i, "dmy"],
  [/^([a-z]{3,9})\.?\s(\d\d?),?\s(\d{4})(?!\d)/i, "mdy"],
];
const TIME =
  /^(?:[Tt]|[\s_,]{0,3})(\d\d?)[:.](\d\d)(?:[:.](\d\d)(?:[.,]\d{1,9})?)?(?:\s?([ap])\.?m\.?(?![a-z]))?(?=$|[\s+\u2212Zz-])/i;
/** A fraction of a second behind the digits of an XMLTV time. */
const FRACTION = /^(\d{14})[.,]\d{1,9}/;

/**
 * Rewrites a time that does not follow XMLTV, such as `21.11.2026 20:15`, `Nov 21, 2026 8:15 PM` or the date of an e-mail.
 *
 * @returns the time in XMLTV's form; `undefined` if it cannot be read, or if day and month could be swapped
 */
export function asXmltvTime(written: string): string | undefined {
  if (written.length > LENGTH_MAX) return undefined;
  const text = written
    .normalize("NFKC")
    .trim()
    .replace(/\s+/g, " ")
    .replace(WEEKDAY, "")
    .replace(REMARK, (_, zone: string, at: number) =>
      /[+-]\d{4}$/.test(written.slice(0, at)) ? "" : ` ${zone}`,
    )
    .replace(YEAR_LAST, "$1 $3 $2")
    .replace(FRACTION, "$1")
    .replace(/([+\u2212-])\s(\d\d:?\d\d)$/, "$1$2");
  if (/^\d{14}(?!\d)/.test(text)) return text;
  for (const [form, order] of DATES) {
    const found = form.exec(text);
    if (found === null) continue;
    const rest = text.slice(found[0].length);
    const time = TIME.exec(rest);
    // A date without a time is the whole text.
    if (time === null && rest !== "") return undefined;
    const [before = "", hour = "0", minute = "00", second = "00", half] = time ?? [];
    const day = dayOf(found, order, half !== undefined);
    const hours = half === undefined ? Number(hour) : hourOf(Number(hour), half);
    if (day === undefined || hours === undefined) return undefined;
    const zone = rest.slice(before.length);
    return `${day}${twoDigits(hours)}${minute}${second}${zone.toUpperCase() === "Z" ? " Z" : zone}`;
  }
  return undefined;
}

/** @param isAmerican the time has AM or PM, so that the month comes first where either could */
function dayOf([, ...parts]: RegExpExecArray, order: string, isAmerican: boolean): string | undefined {
  const [first = "", second = "", third = ""] = parts;
  if (order === "ymd") return `${first}${twoDigits(second)}${twoDigits(third)}`;
  const isMonthFirst =
    order === "mdy" || (order !== "dmy" && (isAmerican ? Number(first) <= 12 : Number(second) > 12));
  const isUnclear =
    order === "dmy or mdy" && !isAmerican && Number(first) <= 12 && Number(second) <= 12 && first !== second;
  const [day, month] = isMonthFirst ? [second, monthOf(first)] : [first, monthOf(second)];
  return month === undefined || isUnclear ? undefined : `${third}${month}${twoDigits(day)}`;
}

function monthOf(text: string): string | undefined {
  if (/^\d/.test(text)) return twoDigits(text);
  const index = MONTHS.indexOf(text.slice(0, 3).toLowerCase());
  return index < 0 ? undefined : twoDigits(index + 1);
}

function hourOf(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
}

function twoDigits(value: number | string): string {
  return String(value).padStart(2, "0");
}
