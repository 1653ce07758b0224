/*
 * How players read a channel list, from their own documents and not from our writer: the README of pvr.iptvsimple ("M3U
 * format elements", "Catchup format specifiers"), and Jellyfin's M3uParser, which documents itself in code alone.
 */

export interface Entry {
  readonly attributes: Readonly<Record<string, string>>;
  readonly name: string;
  readonly properties: readonly string[];
  readonly url: string;
}

export interface ChannelList {
  readonly head: Readonly<Record<string, string>>;
  readonly entries: readonly Entry[];
  readonly mistakes: readonly string[];
}

const KNOWN = [
  ...["tvg-id", "tvg-name", "tvg-chno", "tvg-logo", "tvg-shift", "group-title", "radio"],
  ...["catchup", "catchup-source", "catchup-days", "catchup-correction"],
];
const SPECIFIER =
  /^\$?\{(utc|lutc|utcend|start|end|now|timestamp|[YmdHMS]|duration|offset|catchup-id)(:[\w-]+)?\}$/;

export function readChannelList(text: string): ChannelList {
  const mistakes: string[] = [];
  const entries: Entry[] = [];
  const [first = "", ...lines] = text.split("\n");
  if (!first.startsWith("#EXTM3U")) mistakes.push("no #EXTM3U");
  if (lines.pop() !== "") mistakes.push("no line end at the end");
  let open: Omit<Entry, "url" | "properties"> | undefined;
  let properties: string[] = [];
  for (const line of lines) {
    if (/[\p{Cc}\u2028\u2029]|\p{Bidi_Control}/u.test(line)) mistakes.push(`control character: ${line}`);
    if (line.startsWith("#EXTINF:")) {
      if (open !== undefined) mistakes.push(`no address: ${open.name}`);
      open = infoOf(line, mistakes);
      properties = [];
    } else if (line.startsWith("#KODIPROP:")) properties.push(line.slice("#KODIPROP:".length));
    else if (open === undefined) mistakes.push(`an address without #EXTINF: ${line}`);
    else {
      if (!/^https?:\/\/\S+$/.test(line) || !URL.canParse(line)) mistakes.push(`no address: ${line}`);
      entries.push({ ...open, properties, url: line });
      open = undefined;
    }
  }
  return { head: attributesOf(first), entries, mistakes };
}

function infoOf(line: string, mistakes: string[]): Omit<Entry, "url" | "properties"> {
  const [, attributeText = "", name = ""] = /^#EXTINF:-?\d+((?: [\w-]+="[^"]*")*),(.*)$/.exec(line) ?? [];
  if (name.trim() === "") mistakes.push(`not readable: ${line}`);
  const attributes = attributesOf(attributeText);
  mistakes.push(...mistakesIn(attributes));
  // Jellyfin: whatever follows the last comma.
  if (name.includes(",")) mistakes.push(`a comma in the name: ${name}`);
  return { attributes, name };
}

function mistakesIn(attributes: Readonly<Record<string, string>>): readonly string[] {
  const { catchup, radio } = attributes;
  const source = attributes["catchup-source"];
  const specifiers = source?.match(/\$?\{[^}]*\}/g) ?? [];
  const rules: readonly (readonly [boolean, string])[] = [
    [Object.keys(attributes).every((key) => KNOWN.includes(key)), "unknown attribute"],
    [Object.values(attributes).every((value) => value !== ""), "empty attribute"],
    [/^\d+$/.test(attributes["tvg-chno"] ?? "0"), "tvg-chno is no number"],
    [radio === undefined || radio.toLowerCase() === "true", "radio"],
    [URL.canParse(attributes["tvg-logo"] ?? "http://none/"), "tvg-logo is no address"],
    [catchup === undefined || ["default", "append"].includes(catchup), "catchup mode"],
    [
      (catchup === undefined) === (source === undefined),
      "catchup-source without its mode, or the mode without it",
    ],
    [catchup === undefined || /^[1-9]\d*$/.test(attributes["catchup-days"] ?? ""), "catchup-days"],
    [source === undefined || specifiers.length > 0, "catchup-source names no time"],
    [specifiers.every((each) => SPECIFIER.test(each)), "unknown specifier in catchup-source"],
  ];
  return rules.flatMap(([holds, text]) => (holds ? [] : [`${text}: ${JSON.stringify(attributes)}`]));
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value ?? ""]),
  );
}

/** The address that Kodi asks for: README, "Catchup format specifiers". */
export function catchUpAddress(source: string, start: number, durationMs: number): string {
  return source
    .replaceAll("{utc}", String(Math.floor(start / 1000)))
    .replaceAll("{duration}", String(Math.round(durationMs / 1000)));
}
