import { type EpochMs, instantOf } from "../../model/time.ts";

const XMLTV_TIME = /^(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:\s*([+-]\d\d:?\d\d|UTC|GMT|Z))?$/i;

/**
 * Reads a time of XMLTV: `20261121193000 +1100`, or its beginning, which means the first instant that it could be. Without a zone
 * it is UTC, as the DTD says; of zones that have names only UTC is known, since the others mean several.
 *
 * @returns `undefined` for anything else, impossible dates included
 */
export function parseXmltvTime(text: string): EpochMs | undefined {
  const parts = XMLTV_TIME.exec(text.trim());
  if (parts === null) return undefined;
  const [, year = "", month = "01", day = "01", hour = "00", minute = "00", second = "00", zone = "Z"] =
    parts;
  return instantOf({ date: [year, month, day], time: [hour, minute, second], zone });
}
