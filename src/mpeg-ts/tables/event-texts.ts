import type { TextTable } from "../../model/network.ts";
import { u8, u16 } from "../bytes.ts";
import { decodeText } from "../text/text.ts";
import { counted, type Descriptor } from "./descriptors.ts";

const TAG_SHORT_EVENT = 0x4d;
const TAG_EXTENDED_EVENT = 0x4e;

/** A headed part of a long text, such as the cast. Consecutive descriptors hold its parts. */
interface Item {
  readonly heading: Uint8Array;
  readonly parts: Uint8Array[];
}

/**
 * An event's title and text in its first language. Extended descriptors of that language follow on their own lines: the long
 * text, then each item.
 */
export function readEventTexts(
  descriptors: Iterable<Descriptor>,
  table: TextTable | undefined,
): { readonly title: string; readonly text: string } {
  let title: string | undefined;
  let short = "";
  const long: Uint8Array[] = [];
  const items: Item[] = [];
  let language: number | undefined;
  for (const { tag, body } of descriptors) {
    if (tag === TAG_SHORT_EVENT && title === undefined) {
      const name = counted(body, 3);
      title = decodeText(name, table).replaceAll("\n", " ").trim();
      short = decodeText(counted(body, 4 + name.length), table);
    }
    if (tag !== TAG_EXTENDED_EVENT) continue;
    const code = u16(body, 1) * 0x100 + u8(body, 3);
    language ??= code;
    if (code !== language) continue;
    addItems(items, body.subarray(5, 5 + u8(body, 4)));
    long.push(counted(body, 5 + u8(body, 4)));
  }
  const extended = decodeParts(long, table);
  // Some broadcasters repeat the short text at the start of the long one.
  const texts = extended.trim().startsWith(short.trim()) ? [extended] : [short, extended];
  const parts = [...texts, ...items.map((item) => itemText(item, table))].map((part) => part.trim());
  return { title: title ?? "", text: parts.filter((part) => part !== "").join("\n") };
}

/** The items of one extended_event_descriptor (EN 300 468 §6.2.15). An item without a heading continues the previous one. */
function addItems(items: Item[], bytes: Uint8Array): void {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const heading = counted(bytes, at);
    const part = counted(bytes, at + 1 + heading.length);
    const before = items.at(-1);
    if (heading.length === 0 && before !== undefined) before.parts.push(part);
    else items.push({ heading, parts: [part] });
    at += 2 + heading.length + part.length;
  }
}

function itemText({ heading, parts }: Item, table: TextTable | undefined): string {
  const [about, text] = [decodeText(heading, table).trim(), decodeParts(parts, table).trim()];
  return about === "" || text === "" ? text : `${about}: ${text}`;
}

/** In DVB each part is a text with its own selector; in ISDB a text may be cut anywhere, even within a character. */
function decodeParts(parts: readonly Uint8Array[], table: TextTable | undefined): string {
  const isOne = table === "arib" || table === "arib-latin";
  return isOne
    ? decodeText(Buffer.concat(parts), table)
    : parts.map((part) => decodeText(part, table)).join("");
}
