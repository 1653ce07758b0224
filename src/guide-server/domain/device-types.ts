import type { DeviceType } from "../../guide/records.ts";
import type { GuideTables } from "../data/tables.ts";
import { wholeType } from "./whole.ts";

/** What set-top boxes of the field say they are; which models these are is not known. */
const BOX_TYPES: readonly number[] = [22, 30, 31, 36, 38];

/** Published ones, those of the field, and those that devices of any account have said they are. */
export function deviceTypes(tables: Pick<GuideTables, "types" | "devices">): readonly DeviceType[] {
  const published = [...tables.types.values()].map(({ id }) => id);
  const said = [...tables.devices.values()].map(({ typeId }) => typeId);
  return [...new Set([...published, ...BOX_TYPES, ...said])].map((id) => deviceType(tables, id));
}

/** A type that nobody has published is a set-top box of a general kind. */
export function deviceType({ types }: Pick<GuideTables, "types">, id: number): DeviceType {
  return wholeType(types.get(String(id)) ?? { id, model: `Set-top box (type ${id})` });
}
