import { join } from "node:path";
import { isJsonObject, parseJson } from "../../kit/text/parse-json.ts";
import { RecorderdError } from "../../model/errors.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { Collector } from "../collector.ts";
import { MIGRATION_LIMITS } from "../limits.ts";
import type { OriginFolders } from "../origin-folders.ts";
import { isPacked, unpacked, type Value, type Values } from "./packed.ts";

/** One file of settings; Tvheadend names most of them by a UUID. */
export interface Setting {
  readonly id: string;
  readonly file: string;
  readonly values: Values;
}

/** All settings of a folder; a file that cannot be read is a problem. */
export async function settingsIn(
  folders: OriginFolders,
  folder: string,
  collector: Collector,
): Promise<readonly Setting[]> {
  const found: Setting[] = [];
  const names = (await collector.attempt(folder, () => folders.names(folder))) ?? [];
  // A name with a dot or `~` is a temporary or old file, for Tvheadend too.
  for (const id of names.filter((name) => /^[\w-]+$/.test(name))) {
    const file = join(folder, id);
    const values = await settingAt(folders, file, collector);
    if (values !== undefined) found.push({ id, file, values });
  }
  return found;
}

/** `undefined` if there is none, or if it cannot be read: then it is a problem. */
export async function settingAt(
  folders: OriginFolders,
  file: string,
  collector: Collector,
): Promise<Values | undefined> {
  return collector.attempt(file, async () => {
    const bytes = await folders.bytes(file);
    if (bytes === undefined) return undefined;
    if (isPacked(bytes)) return unpacked(file, bytes);
    const value = parseJson(bytes.toString("utf8"));
    if (isJsonObject(value)) return value as Values;
    throw new RecorderdError("FILE_UNREADABLE", `${file} is not a settings file of Tvheadend.`, { file });
  });
}

export function textOf(value: Value | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

export function numberOf(value: Value | undefined): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** A number above zero: Tvheadend writes 0 where nothing is set. */
export function positiveOf(value: Value | undefined): number | undefined {
  const number = numberOf(value);
  return number !== undefined && number > 0 ? number : undefined;
}

/** The minutes of padding that a person chose. */
export function paddingOf({ start_extra, stop_extra }: Values) {
  const minutesOf = (value: Value | undefined) => {
    const minutes = positiveOf(value);
    return minutes === undefined ? undefined : Math.min(minutes, MIGRATION_LIMITS.paddingMinutes);
  };
  return withoutUndefined({ beforeMinutes: minutesOf(start_extra), afterMinutes: minutesOf(stop_extra) });
}

export function flagOf(value: Value | undefined): boolean | undefined {
  return typeof value === "boolean" ? value : typeof value === "number" ? value !== 0 : undefined;
}

export function listOf(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? value : [];
}

export function mapOf(value: Value | undefined): Values {
  return typeof value === "object" && !Array.isArray(value) ? (value as Values) : {};
}

/** A text in the first of its languages. */
export function wordedOf(value: Value | undefined): string | undefined {
  return (
    textOf(value) ??
    Object.values(mapOf(value))
      .map(textOf)
      .find((text) => text !== undefined)
  );
}
