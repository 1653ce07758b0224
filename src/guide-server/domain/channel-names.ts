import type { Channel } from "../../guide-wire/records.ts";
import { nameKey } from "../../model/channel-name.ts";

/**
 * Whether the channel has this name, short name or known name.
 *
 * @param keyOf makes the comparison key of a name; an empty key matches no channel
 */
export function hasName(
  { name, name_short = "", known_names = [] }: Channel,
  wanted: string,
  keyOf: (name: string) => string = nameKey,
): boolean {
  const key = keyOf(wanted);
  return key !== "" && [name, name_short, ...known_names].some((each) => keyOf(each) === key);
}
