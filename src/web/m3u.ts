import { asOneLine } from "../model/one-line.ts";

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface M3uEntry {
  /** The length in seconds; absent: endless. */
  readonly seconds?: number;
  /** Facts about a channel. */
  readonly attributes?: Attributes;
  readonly name: string;
  /** Lines before the address. */
  readonly properties?: readonly string[];
  readonly address: string;
}

/** An M3U list for players. No name can change a line beside its own. */
export function m3uList(entries: readonly M3uEntry[], attributes: Attributes = {}): string {
  const lines = entries.flatMap(({ seconds = -1, properties = [], address, ...entry }) => [
    `#EXTINF:${seconds}${written(entry.attributes)},${writtenName(entry)}`,
    ...properties,
    address,
  ]);
  return `${[`#EXTM3U${written(attributes)}`, ...lines].join("\n")}\n`;
}

function written(attributes: Attributes = {}): string {
  return Object.entries(attributes)
    .flatMap(([key, value]) =>
      value === undefined ? [] : [` ${key}="${asOneLine(String(value)).replaceAll('"', "'")}"`],
    )
    .join("");
}

/** Players that know attributes, such as Jellyfin, take the text after the last comma for the name. */
function writtenName({ name, attributes }: Pick<M3uEntry, "name" | "attributes">): string {
  const line = asOneLine(name);
  return attributes === undefined ? line : line.replace(/\s*,\s*/g, " ");
}
