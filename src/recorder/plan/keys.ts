import type { Lane } from "./tuner-lane.ts";

/** Plans with the same key leave the same choices for the rest, tuner by tuner. */
export function labelledKey(lanes: readonly Lane[]): string {
  let key = "";
  for (const lane of lanes) key += `${lane.key}/`;
  return key;
}

/** The same for tuners of one kind in any order. */
export function canonicalKey(lanes: readonly Lane[], kinds: readonly number[]): string {
  return lanes
    .map(({ key }, tuner) => `${kinds[tuner]} ${key}`)
    .sort()
    .join("/");
}
