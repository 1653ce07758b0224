import type { Channel } from "../../guide-wire/records.ts";
import { nameKey } from "../../model/channel-name.ts";

/**
 * Whether the channel has this name, short name or known name.
 *
 * @param keyOf what of a name is compared; of an empty key no channel has the name
 */
export function hasName(
  { name, name_short = "", known_names = [] }: Channel,
  wanted: string,
  keyOf: (name: string) => string = nameKey,
): boolean {
  const key = keyOf(wanted);
  return key !== "" && [name, name_short, ...known_names].some((each) => keyOf(each) === key);
}
