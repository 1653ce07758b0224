import { type EpochMs, HOUR, MINUTE } from "../../model/time.ts";

const XMLTV_TIME = /^(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:\s*([+-])(\d\d):?(\d\d)|\s*(UTC|GMT|Z))?$/i;

/**
 * Reads a time of XMLTV: `20261121193000 +1100`, or its beginning, which means the first instant that it could be. Without a zone
 * it is UTC, as the DTD says; of zones that have names only UTC is known, since the others mean several.
 *
 * @returns `undefined` for anything else, impossible dates included
 */
export function parseXmltvTime(text: string): EpochMs | undefined {
  const parts = XMLTV_TIME.exec(text.trim());
  if (parts === null) return undefined;
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00"] = parts;
  const [sign, hours = "0", minutes = "0"] = parts.slice(7);
  const local = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  // Date.UTC rolls impossible fields over: what does not read back was not a date.
  const back = new Date(local).toISOString().replace(/[-:T]/g, "").slice(0, 14);
  if (back !== `${year}${month}${day}${hour}${minute}${second}`) return undefined;
  const offset = Number(hours) * HOUR + Number(minutes) * MINUTE;
  return sign === "-" ? local + offset : local - offset;
}
