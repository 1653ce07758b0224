import { isUtf8 } from "node:buffer";
import type { EpochMs } from "../../model/time.ts";
import { dayOf, instantAt } from "../local-time.ts";

/** A name of VDR as a folder has it: `_` for a blank, `~` for `/`, `#3A` for a character that some disks refuse. */
export function decodedName(name: string): string {
  return name
    .replaceAll("_", " ")
    .replaceAll("~", "/")
    .replaceAll(/(?:#[0-9A-Fa-f]{2})+/g, (codes) => {
      const bytes = Buffer.from(codes.replaceAll("#", ""), "hex");
      const text = bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
      return /\p{Cc}/u.test(text) ? codes : text;
    })
    .trim();
}

/**
 * The start in the name of a recording's folder: `2026-11-25.23.52.1-0.rec`, local time, channel and instance; of old versions,
 * priority and lifetime come after the time.
 */
export function startIn(folder: string, timeZone: string): EpochMs | undefined {
  const [, date = "", hours, minutes] = /^(\d{4}-\d\d-\d\d)\.(\d\d)[.:](\d\d)\./.exec(folder) ?? [];
  const day = dayOf(date);
  if (day === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return instantAt({ day, minute: Number(hours) * 60 + Number(minutes) }, timeZone);
}
