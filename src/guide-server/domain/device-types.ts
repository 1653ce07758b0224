import type { DeviceType } from "../../guide-wire/records.ts";
import type { GuideTables } from "../data/tables.ts";
import { completeDeviceType } from "./complete-records.ts";

/** Types that set-top boxes in the field report. Nobody has published their models. */
const BOX_TYPES: readonly number[] = [22, 30, 31, 36, 38];

/** The published types, the field's types, and every type that a device has reported. */
export function deviceTypes(tables: Pick<GuideTables, "types" | "directory">): readonly DeviceType[] {
  const published = [...tables.types.values()].map(({ id }) => id);
  return [...new Set([...published, ...BOX_TYPES, ...tables.directory.deviceTypes()])].map((id) =>
    deviceType(tables, id),
  );
}

/** An unpublished type is described as a set-top box. */
export function deviceType({ types }: Pick<GuideTables, "types">, id: number): DeviceType {
  return completeDeviceType(types.get(String(id)) ?? { id, model: `Set-top box (type ${id})` });
}
