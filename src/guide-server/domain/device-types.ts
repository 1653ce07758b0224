import type { DeviceType } from "../../guide-wire/records.ts";
import { type Change, type GuideTables, put } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { completeDeviceType } from "./complete-records.ts";

/** Types that set-top boxes in the field report. Nobody has published their models. */
const BOX_TYPES: readonly number[] = [22, 30, 31, 36, 38];

/** The published types and those that devices have reported. */
export function deviceTypes(tables: Pick<GuideTables, "types">): readonly DeviceType[] {
  const published = [...tables.types.values()].map(({ id }) => id);
  return [...new Set([...published, ...BOX_TYPES])].map((id) => deviceType(tables, id));
}

/** An unpublished type is described as a set-top box. */
export function deviceType({ types }: Pick<GuideTables, "types">, id: number): DeviceType {
  return completeDeviceType(types.get(String(id)) ?? unknownType(id));
}

function unknownType(id: number): DeviceType {
  return { id, model: `Set-top box (type ${id})` };
}

/** Publishes types that a device reports for the first time: a box looks its own type up. */
export function reportedTypes(
  { types }: Pick<GuideTables, "types">,
  reported: readonly number[],
): readonly Change[] {
  const room = Math.max(0, SERVER_LIMITS.deviceTypes - types.size);
  return [...new Set(reported)]
    .filter((id) => !types.has(String(id)) && !BOX_TYPES.includes(id))
    .slice(0, room)
    .map((id) => put("types", unknownType(id)));
}
