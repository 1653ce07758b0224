import { addressOf } from "./address.ts";
import { type ChannelList, ListBuilder, linesOf } from "./list.ts";

/*
 * PLS lists of addresses: a section [playlist] with FileN=address and TitleN=name. LengthN, NumberOfEntries and Version are for
 * players, and not kept.
 */

const ENTRY = /^(File|Title)(\d{1,9})\s*=(.*)$/i;

export function parsePls(text: string): ChannelList {
  const builder = new ListBuilder();
  const titles = new Map<string, string>();
  const files: { readonly number: string; readonly address: string; readonly line: number }[] = [];
  for (const [index, line] of linesOf(text).entries()) {
    const [, key = "", number = "", value = ""] = ENTRY.exec(line.trim()) ?? [];
    if (/^title$/i.test(key)) titles.set(number, value.trim());
    else if (key !== "") files.push({ number, address: value, line: index + 1 });
  }
  for (const { number, address, line } of files) {
    const name = titles.get(number) ?? "";
    builder.try(line, () => ({ line, name, ids: {}, url: addressOf(address) }));
  }
  return builder.list("pls");
}
